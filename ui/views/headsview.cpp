// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/headsview.h"

#include "ui/format/figures.h"
#include "ui/models/headmodel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/recordtable.h"
#include "ui/views/textfilter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace headway::ui {

HeadsView::HeadsView(QWidget *parent)
    : QWidget(parent)
    , m_model(new HeadModel(this))
    , m_proxy(new TextFilter(this))
    , m_table(new RecordTable(tr("Heads"), {15, 14, 30, 24, 16, 18, 14, 12, 10, 10, 12},
                              HeadModel::Who, this))
    , m_empty(new EmptyState(m_table, this))
    , m_filter(new QLineEdit(this))
    , m_count(new QLabel(this))
{
    m_proxy->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("heads_table"));
    m_table->setModel(m_proxy);
    m_count->setMinimumWidth(1); // a long text does not widen the window
    m_filter->setObjectName(QStringLiteral("head_filter"));
    m_filter->setAccessibleName(tr("Filter the heads"));
    m_filter->setPlaceholderText(tr("Filter (Ctrl+F)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_proxy->setFilterFixedString(text.trimmed()); });
    m_empty->setMessage(
        tr("No head yet"),
        tr("A head is an upstream connection that keeps a finished conversation. The "
           "first completed turn leaves one here."));
    m_empty->setEmpty(true);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 4, 8, 4);
    bar->addWidget(m_count);
    bar->addStretch();
    bar->addWidget(m_filter, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_empty, 1);
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
    m_model->setRows(m_snapshot->heads);
    m_empty->setEmpty(m_snapshot->heads.empty());
    std::size_t busy = 0;
    std::uint64_t saved = 0;
    for (const live::HeadRow &head : m_snapshot->heads) {
        busy += head.inFlight ? 1 : 0;
        saved += head.bytesSaved;
    }
    const live::Totals &totals = m_snapshot->totals;
    QString words = tr("Heads: %1, in flight: %2, not sent again: %3")
                        .arg(count(m_snapshot->heads.size()), count(busy), bytes(saved));
    if (totals.inputTokens > 0)
        words += tr(", tokens read from the provider's cache: %1 of %2 since the start")
                     .arg(count(totals.cachedTokens), count(totals.inputTokens));
    if (m_count->text() != words)
        m_count->setText(words);
}

} // namespace headway::ui
