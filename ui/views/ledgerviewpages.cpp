// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger's table over the file on disk.
#include "ui/format/figures.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/ledgerpages.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/figurelabel.h"
#include "ui/panels/recordtable.h"
#include "ui/views/ledgerview.h"
#include "ui/views/textfilter.h"

#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QScrollBar>

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int lookEveryMs = 500;

QString records(qint64 number)
{
    return count(static_cast<std::uint64_t>(std::max<qint64>(number, 0)));
}

} // namespace

void LedgerView::setSource(std::unique_ptr<LedgerSource> source)
{
    delete m_pages; // of a proxy that did not start
    m_pages = new LedgerPages(std::move(source), this);
    m_more.setInterval(lookEveryMs);
    connect(&m_more, &QTimer::timeout, this, &LedgerView::lookForMore, Qt::UniqueConnection);
    connect(m_pages, &LedgerPages::pageArrived, this, &LedgerView::showDetails);
    connect(m_pages, &LedgerPages::changed, this, &LedgerView::showPagesCount);
    usePages(true);
    connect(m_pages, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        if (m_table->isVisible()) // else it has no end yet
            m_follows = isAtItsEnd();
    });
    // Queued: the table must have heard of the rows first, also when the model was set again.
    connect(m_pages, &QAbstractItemModel::rowsInserted, this, &LedgerView::followRows,
            Qt::QueuedConnection);
    connect(m_pages, &QAbstractItemModel::modelReset, this, &LedgerView::followRows,
            Qt::QueuedConnection);
    if (isVisible())
        lookForMore();
}

// A file that cannot be read leaves what is in memory.
void LedgerView::usePages(bool isWanted)
{
    m_usesPages = isWanted;
    const QByteArray columns = m_table->horizontalHeader()->saveState(); // a person's own
    m_table->setModel(isWanted ? static_cast<QAbstractItemModel *>(m_pages) : m_proxy);
    m_table->horizontalHeader()->restoreState(columns);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LedgerView::showDetails);
    filter();
    if (!isWanted && isVisible() && !m_paused)
        take();
}

void LedgerView::filter()
{
    const int kind = m_kind->currentIndex() - 1;
    const QString words = m_filter->text().trimmed();
    if (m_usesPages) {
        m_follows = true;
        m_pages->setFilter(kind, words);
        return;
    }
    m_proxy->setKind(kind);
    m_proxy->setFilterFixedString(words);
    showCount();
}

void LedgerView::lookForMore()
{
    if (m_pages == nullptr || !isVisible() || m_paused)
        return;
    m_pages->start();
    m_pages->lookForMore();
    m_more.start();
}

bool LedgerView::isAtItsEnd() const
{
    const QScrollBar *bar = m_table->verticalScrollBar();
    return bar->value() >= bar->maximum();
}

void LedgerView::followRows()
{
    if (m_usesPages && m_follows && m_pages->isInTheirOrder() && !m_pages->isNewestFirst())
        m_table->scrollToBottom();
}

const ledger::Record *LedgerView::current() const
{
    const QModelIndex index = m_table->currentIndex();
    if (!index.isValid())
        return nullptr;
    return m_usesPages ? m_pages->recordAt(index.row())
                       : m_model->recordAt(m_proxy->mapToSource(index).row());
}

void LedgerView::showPagesCount()
{
    const bool isReadable = m_pages->trouble().isEmpty();
    if (isReadable != m_usesPages)
        usePages(isReadable);
    if (!m_usesPages) {
        showCount();
        return;
    }
    const int shown = m_pages->rowCount();
    const qint64 all = m_pages->size();
    QString words;
    if (m_pages->isCounting() && all == 0)
        words = tr("counting…");
    else if (m_pages->isCounting())
        words = tr("counting… %1 of %2 looked at, %3 shown")
                    .arg(records(m_pages->lookedAt()), records(all), records(shown));
    else if (shown == all)
        words = tr("%1 records").arg(records(all));
    else
        words = tr("%1 of %2 records").arg(records(shown), records(all));
    if (m_pages->notSorted() > 0)
        words += tr(" · %1 newer ones are not sorted in yet").arg(records(m_pages->notSorted()));
    m_count->setFigure(words);
    const bool wasVisible = m_table->isVisible();
    m_empty->setEmpty(!m_pages->isCounting() && all == 0);
    m_empty->setAllHidden(!m_pages->isCounting() && all > 0 && shown == 0,
                          static_cast<int>(std::min<qint64>(all, 2'000'000'000)));
    if (!wasVisible && m_table->isVisible())
        followRows();
}

} // namespace headway::ui
