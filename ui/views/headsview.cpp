// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/headsview.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/models/headmodel.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/recordtable.h"
#include "ui/views/headactions.h"
#include "ui/views/textfilter.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <set>

namespace headway::ui {

HeadsView::HeadsView(QWidget *parent)
    : QWidget(parent)
    , m_model(new HeadModel(this))
    , m_proxy(new TextFilter(this))
    , m_table(new RecordTable(tr("Heads"), {20, 13, 10, 33, 20, 14, 17, 13, 12, 20, 9, 9, 12, 15},
                              HeadModel::Who, this))
    , m_actions(new HeadActions(m_table))
    , m_empty(new EmptyState(m_table, this))
    , m_filter(new QLineEdit(this))
    , m_count(new ElidedLabel(this))
{
    m_proxy->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("heads_table"));
    m_table->setModel(m_proxy);
    m_empty->setMessage(
        tr("No head yet"),
        tr("A head is an upstream connection that keeps a finished conversation. The "
           "first completed turn leaves one here."));
    m_empty->setEmpty(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_empty, 1);
    connect(m_empty, &EmptyState::clearRequested, m_filter, &QLineEdit::clear);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (!m_isUpdating)
            followSelected();
    });
}

QWidget *HeadsView::buildBar()
{
    m_filter->setObjectName(QStringLiteral("head_filter"));
    m_filter->setAccessibleName(tr("Filter the heads"));
    m_filter->setPlaceholderText(tr("Filter (Ctrl+F)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->setFilterFixedString(text.trimmed());
        showHidden();
    });
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->addWidget(m_count, 1);
    for (QAction *action : {m_actions->pin(), m_actions->evict()}) {
        auto *button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(action->text());
        button->setStyleSheet(choiceButtonStyle());
        layout->addWidget(button);
    }
    layout->addWidget(m_filter, 1);
    return bar;
}

void HeadsView::apply(const live::SnapshotPointer &snapshot)
{
    m_snapshot = snapshot;
    if (isVisible())
        refresh();
}

void HeadsView::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void HeadsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_snapshot)
        refresh();
}

void HeadsView::refresh()
{
    m_isUpdating = true;
    m_model->setRows(m_snapshot->heads);
    m_table->settle();
    // A view moves to the neighbour of a row that goes; nobody chose that one.
    if (m_selected && m_model->rowOf(*m_selected) < 0)
        m_table->setCurrentIndex({});
    m_isUpdating = false;
    m_empty->setEmpty(m_snapshot->heads.empty());
    showHidden();
    followSelected();
    showSums();
}

void HeadsView::showHidden()
{
    const int all = m_model->rowCount();
    m_empty->setAllHidden(all > 0 && m_proxy->rowCount() == 0, all);
}

void HeadsView::followSelected()
{
    const QModelIndex current = m_proxy->mapToSource(m_table->currentIndex());
    const live::HeadRow *row = current.isValid() ? m_model->rowAt(current.row()) : nullptr;
    m_selected = row != nullptr ? std::optional(HeadModel::keyOf(*row)) : std::nullopt;
    m_actions->follow(row != nullptr ? std::optional(*row) : std::nullopt);
}

void HeadsView::showSums()
{
    std::size_t busy = 0;
    std::uint64_t saved = 0;
    std::set<std::uint64_t> connections;
    for (const live::HeadRow &head : m_snapshot->heads) {
        busy += head.inFlight ? 1 : 0;
        saved += head.bytesSaved;
        connections.insert(head.connection.value());
    }
    const live::Totals &totals = m_snapshot->totals;
    QString words = tr("Heads: %1 on %2 connections, in flight: %3, not sent again: %4")
                        .arg(count(m_snapshot->heads.size()), count(connections.size()),
                             count(busy), bytes(saved));
    if (totals.inputTokens > 0)
        words += tr(", tokens read from the provider's cache: %1 of %2 since the start")
                     .arg(count(totals.cachedTokens), count(totals.inputTokens));
    m_count->setText(words);
}

} // namespace headway::ui
