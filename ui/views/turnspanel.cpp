// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/turnspanel.h"

#include "ui/format/appearance.h"
#include "ui/models/turnmodel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/figurelabel.h"
#include "ui/panels/recordtable.h"
#include "ui/views/textfilter.h"
#include "ui/views/turnactions.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace headway::ui {

TurnsPanel::TurnsPanel(QWidget *parent)
    : QWidget(parent)
    , m_model(new TurnModel(this))
    , m_proxy(new TextFilter(this))
    , m_table(new RecordTable(tr("Turns in flight"), {24, 33, 14, 14, 10, 18, 18, 20},
                              TurnModel::Why, this))
    , m_actions(new TurnActions(m_table))
    , m_empty(new EmptyState(m_table, this))
    , m_filter(new QLineEdit(this))
    , m_count(new FigureLabel(this))
{
    m_proxy->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("turns_table"));
    m_table->setModel(m_proxy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_empty, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TurnsPanel::tellSelection);
    connect(m_empty, &EmptyState::actionTriggered, this, &TurnsPanel::copyRequested);
    connect(m_empty, &EmptyState::clearRequested, m_filter, &QLineEdit::clear);
    showEmptiness({});
}

QWidget *TurnsPanel::buildBar()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 4, 8, 4);
    m_count->setFont(bolder(font()));
    m_filter->setObjectName(QStringLiteral("turn_filter"));
    m_filter->setAccessibleName(tr("Filter the turns"));
    m_filter->setPlaceholderText(tr("Filter (Ctrl+F)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->setFilterFixedString(text.trimmed());
        showCount();
    });
    layout->addWidget(m_count);
    layout->addStretch();
    layout->addWidget(m_filter, 1);
    return bar;
}

void TurnsPanel::apply(const live::Snapshot &snapshot)
{
    m_isUpdating = true;
    m_model->setRows(snapshot.turns);
    m_table->settle();
    // A view moves to the neighbour of a row that goes; the reader did not ask for that turn.
    if (m_selected && m_model->rowOf(m_selected->value()) < 0) {
        m_selected.reset();
        m_table->setCurrentIndex({});
    }
    m_isUpdating = false;
    m_heldSessions = snapshot.overrides.heldSessions;
    followSelected();
    showEmptiness(snapshot);
    showCount();
}

void TurnsPanel::setSetupHint(const QString &text)
{
    if (m_hint == text)
        return;
    m_hint = text;
    m_emptiness = -1;
}

void TurnsPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TurnsPanel::tellSelection()
{
    if (m_isUpdating)
        return;
    const QModelIndex current = m_proxy->mapToSource(m_table->currentIndex());
    if (const live::TurnRow *row = current.isValid() ? m_model->rowAt(current.row()) : nullptr) {
        m_selected = row->turn;
        followSelected();
        Q_EMIT selected(*row);
    }
}

void TurnsPanel::followSelected()
{
    const live::TurnRow *row
        = m_selected ? m_model->rowAt(m_model->rowOf(m_selected->value())) : nullptr;
    m_actions->follow(row != nullptr ? std::optional(*row) : std::nullopt, m_heldSessions);
}

void TurnsPanel::showCount()
{
    const int all = m_model->rowCount();
    const int shown = m_proxy->rowCount();
    const QString words = shown == all ? tr("Turns in flight: %1").arg(all)
                                       : tr("Turns in flight: %1 of %2").arg(shown).arg(all);
    m_count->setFigure(words);
    m_empty->setAllHidden(all > 0 && shown == 0, all);
}

void TurnsPanel::showEmptiness(const live::Snapshot &snapshot)
{
    const bool isEmpty = m_model->rowCount() == 0;
    m_empty->setEmpty(isEmpty);
    if (!isEmpty)
        return;
    const int emptiness = snapshot.listening.empty() ? 2 : snapshot.totals.turnsStarted > 0 ? 1 : 0;
    if (emptiness == m_emptiness)
        return;
    m_emptiness = emptiness;
    if (emptiness == 2)
        m_empty->setMessage(tr("Not listening"),
                            tr("No client can reach the proxy; above stands why, and what helps."));
    else if (emptiness == 1)
        m_empty->setMessage(tr("No turn in flight"), tr("The next one appears here at once."));
    else
        m_empty->setMessage(tr("No turn yet: point a client here"), m_hint,
                            tr("Copy the lines for Claude Code"));
}

} // namespace headway::ui
