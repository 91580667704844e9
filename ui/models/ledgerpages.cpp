// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ledgerpages.h"

#include "ui/format/figures.h"

#include <QDateTime>

#include <algorithm>
#include <limits>
#include <utility>

namespace headway::ui {

namespace {

constexpr std::size_t mostWanted = 4; // pages: what was scrolled past is not read

// Today by the clock alone.
QString timeText(base::WallTime at)
{
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
    return local.date() == QDate::currentDate()
        ? clockTimeMs(at)
        : local.toString(QStringLiteral("MM-dd ")) + clockTimeMs(at);
}

LedgerOrder orderOf(int column)
{
    switch (column) {
    case LedgerModel::Kind:
        return LedgerOrder::Kind;
    case LedgerModel::Turn:
        return LedgerOrder::Turn;
    case LedgerModel::Who:
        return LedgerOrder::Who;
    case LedgerModel::What:
        return LedgerOrder::What;
    default:
        return LedgerOrder::Made;
    }
}

} // namespace

LedgerPages::LedgerPages(std::unique_ptr<LedgerSource> source, QObject *parent)
    : QAbstractTableModel(parent)
    , m_number(std::make_shared<std::atomic<quint64>>(0))
    , m_records(recordsKept)
{
    auto *const worker = new LedgerWorker(std::move(source), m_number);
    worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, worker, &QObject::deleteLater);
    connect(this, &LedgerPages::asked, worker, &LedgerWorker::ask);
    connect(this, &LedgerPages::moreWanted, worker, &LedgerWorker::lookForMore);
    connect(this, &LedgerPages::pageWanted, worker, &LedgerWorker::read);
    connect(worker, &LedgerWorker::found, this, &LedgerPages::take);
    connect(worker, &LedgerWorker::pageRead, this, &LedgerPages::takePage);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &LedgerPages::askForPage);
    m_thread.setObjectName(QStringLiteral("ledger pages"));
}

LedgerPages::~LedgerPages()
{
    ++*m_number; // the search at work stops at its next step
    m_thread.quit();
    m_thread.wait();
}

void LedgerPages::start()
{
    if (m_thread.isRunning())
        return;
    m_thread.start();
    ask(m_question);
}

void LedgerPages::setFilter(int kind, const QString &words)
{
    LedgerQuestion question = m_question;
    question.kind = kind < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(kind));
    question.words = words;
    if (question != m_question)
        ask(question);
}

void LedgerPages::sort(int column, Qt::SortOrder order)
{
    LedgerQuestion question = m_question;
    question.order = orderOf(column);
    question.isDescending = column >= 0 && order == Qt::DescendingOrder;
    if (question != m_question)
        ask(question);
}

bool LedgerPages::isNewestFirst() const
{
    return m_question.isDescending;
}

// What is shown stays until the first answer comes.
void LedgerPages::ask(const LedgerQuestion &question)
{
    m_question = question;
    if (!m_thread.isRunning())
        return;
    m_isCounting = true;
    m_lookedAt = 0;
    m_notSorted = 0;
    clear();
    Q_EMIT asked(++*m_number, question);
    Q_EMIT changed();
}

void LedgerPages::lookForMore()
{
    if (m_thread.isRunning())
        Q_EMIT moreWanted();
}

void LedgerPages::clear()
{
    beginResetModel();
    m_found.clear();
    m_extent = {};
    m_rows = 0;
    m_wanted.clear();
    endResetModel();
}

void LedgerPages::take(const LedgerFindingPointer &finding)
{
    if (finding->question != *m_number)
        return;
    m_trouble = finding->trouble;
    if (finding->isFirst) {
        if (finding->extent.last < m_extent.last) // another file, which has the numbers anew
            m_records.clear();
        clear();
    }
    if (finding->trouble.isEmpty()) {
        m_isCounting = !finding->isComplete;
        m_lookedAt = finding->lookedAt;
        if (m_question.isEverything()) {
            follow(finding->extent);
        } else {
            if (finding->isNewer && !isInTheirOrder())
                m_notSorted += finding->extent.last - m_extent.last;
            m_extent = finding->extent;
            add(finding->numbers, finding->isNewer);
        }
    } else {
        m_isCounting = false;
    }
    Q_EMIT changed();
}

// Everything is shown: a row is a number, and the rows follow the ledger's ends.
void LedgerPages::follow(const LedgerExtent &extent)
{
    constexpr qint64 most = std::numeric_limits<int>::max();
    const auto rows = static_cast<int>(std::min(extent.size(), most));
    const bool isOther
        = m_rows == 0 || extent.first < m_extent.first || extent.first > m_extent.last;
    if (isOther || extent.last < m_extent.last || extent.size() > most) {
        beginResetModel();
        m_extent = extent;
        m_rows = rows;
        endResetModel();
        return;
    }
    if (const auto gone = static_cast<int>(extent.first - m_extent.first); gone > 0) { // retention
        const int first = m_question.isDescending ? m_rows - gone : 0;
        beginRemoveRows({}, first, first + gone - 1);
        m_extent.first = extent.first;
        m_rows -= gone;
        endRemoveRows();
    }
    if (rows == m_rows)
        return;
    const int first = m_question.isDescending ? 0 : m_rows;
    beginInsertRows({}, first, first + rows - m_rows - 1);
    m_extent = extent;
    m_rows = rows;
    endInsertRows();
}

void LedgerPages::add(const std::vector<qint64> &numbers, bool isNewer)
{
    if (numbers.empty())
        return;
    const bool isOnTop = isNewer && m_question.isDescending;
    const int first = isOnTop ? 0 : m_rows;
    beginInsertRows({}, first, first + static_cast<int>(numbers.size()) - 1);
    m_found.insert(isOnTop ? m_found.begin() : m_found.end(), numbers.begin(), numbers.end());
    m_rows = static_cast<int>(m_found.size());
    endInsertRows();
}

qint64 LedgerPages::numberAt(int row) const
{
    if (!m_question.isEverything())
        return m_found[static_cast<std::size_t>(row)];
    return m_question.isDescending ? m_extent.last - row : m_extent.first + row;
}

const ledger::Record *LedgerPages::recordAt(int row) const
{
    if (row < 0 || row >= m_rows)
        return nullptr;
    const ledger::Record *record = m_records.object(numberAt(row));
    if (record == nullptr)
        wantPageOf(row);
    return record;
}

void LedgerPages::wantPageOf(int row) const
{
    const int page = row / recordsAPage;
    if (!m_wanted.empty() && m_wanted.back() == page)
        return;
    std::erase(m_wanted, page);
    m_wanted.push_back(page);
    if (m_wanted.size() > mostWanted)
        m_wanted.erase(m_wanted.begin());
    if (!m_isReading && !m_soon.isActive())
        m_soon.start();
}

void LedgerPages::askForPage()
{
    std::vector<qint64> numbers;
    while (numbers.empty() && !m_wanted.empty()) {
        const int begin = m_wanted.back() * recordsAPage;
        m_wanted.pop_back();
        for (int row = begin; row < std::min(begin + recordsAPage, m_rows); ++row)
            numbers.push_back(numberAt(row));
    }
    m_isReading = !numbers.empty();
    if (m_isReading)
        Q_EMIT pageWanted(numbers);
}

void LedgerPages::takePage(const LedgerPagePointer &page)
{
    m_isReading = false;
    if (!page->trouble.isEmpty()) {
        m_trouble = page->trouble;
        Q_EMIT changed();
        return; // asked again when it is painted again
    }
    // A number that is not there any more gets a record without a time, so that nobody asks again.
    for (const qint64 number : page->asked)
        m_records.insert(number, new ledger::Record{});
    for (const NumberedRecord &each : page->records)
        m_records.insert(each.first, new ledger::Record(each.second));
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
    Q_EMIT pageArrived();
    if (!m_wanted.empty())
        askForPage();
}

int LedgerPages::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int LedgerPages::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(LedgerModel::columns);
}

QVariant LedgerPages::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()
        || (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != GlyphRole
            && role != MeaningRole))
        return {};
    const ledger::Record *record = recordAt(index.row());
    if (record == nullptr)
        return {};
    if (record->at == base::WallTime())
        return role == Qt::DisplayRole && index.column() == LedgerModel::What
            ? QVariant(tr("no longer in the ledger"))
            : QVariant();
    if (index.column() == LedgerModel::Time && role == Qt::DisplayRole)
        return timeText(record->at);
    return ledgerCell(*record, index.column(), role);
}

QVariant LedgerPages::headerData(int section, Qt::Orientation orientation, int role) const
{
    return ledgerHeader(section, orientation, role);
}

} // namespace headway::ui
