// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerwriter.h"

#include "proxy/store/ledgerrecovery.h"
#include "proxy/store/ledgerretention.h"
#include "proxy/store/privatefile.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headway::store {

namespace {

// How soon after a batch, and how often without one, retention looks for work.
constexpr std::chrono::milliseconds retentionSoon(1'000);
constexpr std::chrono::milliseconds retentionIdle(3'600'000);

base::WallTime wallNow()
{
    return std::chrono::floor<base::Milliseconds>(std::chrono::system_clock::now());
}

} // namespace

LedgerWriter::LedgerWriter(LedgerOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_batchTimer(this)
    , m_retryTimer(this)
    , m_retentionTimer(this)
    , m_retry(m_options.firstRetry)
{
    for (QTimer *timer : {&m_batchTimer, &m_retryTimer, &m_retentionTimer})
        timer->setSingleShot(true);
    connect(&m_batchTimer, &QTimer::timeout, this, &LedgerWriter::writePending);
    connect(&m_retryTimer, &QTimer::timeout, this, &LedgerWriter::writePending);
    connect(&m_retentionTimer, &QTimer::timeout, this, &LedgerWriter::retain);
}

LedgerWriter::~LedgerWriter() = default;

void LedgerWriter::start()
{
    writePending();
}

void LedgerWriter::take(std::vector<ledger::Record> records)
{
    std::ranges::move(records, std::back_inserter(m_pending));
    if (m_retryTimer.isActive())
        dropBeyondMemory();
    else if (m_pending.size() >= m_options.batchSize)
        writePending();
    else if (!m_batchTimer.isActive())
        m_batchTimer.start(m_options.batchAge);
}

void LedgerWriter::setRetention(std::chrono::hours age, qint64 bytes)
{
    m_options.retentionAge = age;
    m_options.retentionBytes = bytes;
    m_retentionTimer.start(0);
}

QString LedgerWriter::finish()
{
    writePending();
    if (!m_pending.empty()) // a damaged file was set aside, or a lock was let go just now
        writePending();
    for (QTimer *timer : {&m_batchTimer, &m_retryTimer, &m_retentionTimer})
        timer->stop();
    m_database.reset();
    m_lock.reset();
    const quint64 lost = m_pending.size() + (m_gap ? m_gap->lost : 0);
    if (lost == 0)
        return {};
    return QStringLiteral("%1; %2 records could not be written and are lost")
        .arg(m_trouble)
        .arg(lost);
}

void LedgerWriter::writePending()
{
    m_batchTimer.stop();
    m_retryTimer.stop();
    auto done = openIfNeeded();
    while (done && !m_pending.empty())
        done = writeBatch();
    if (!done) {
        cope(done.error());
        return;
    }
    m_retry = m_options.firstRetry;
    if (!m_retentionTimer.isActive() || m_retentionTimer.remainingTimeAsDuration() > retentionSoon)
        m_retentionTimer.start(retentionSoon);
    setState(fineState());
}

tl::expected<void, StoreError> LedgerWriter::openIfNeeded()
{
    if (m_database && QFileInfo::exists(m_options.path))
        return {};
    if (m_database) { // somebody removed it: what we write would go with it
        m_database.reset();
        noteNewFile();
    }
    makePrivateFolderOf(m_options.path);
    if (!m_lock)
        m_lock = FileLock::tryLock(m_options.path + QLatin1String(".lock"));
    if (!m_lock) {
        return tl::unexpected(StoreError{
            StoreError::Code::Busy,
            QStringLiteral("%1 is in use by another Headway, or its folder may not be written")
                .arg(m_options.path)});
    }
    auto database = LedgerDatabase::open(m_options.path);
    if (!database)
        return tl::unexpected(database.error());
    if (auto closed = closeLastProcess(*database); !closed)
        return closed;
    m_database.emplace(std::move(*database));
    return {};
}

// Once per run: afterwards what is open in the file is this process's own.
tl::expected<void, StoreError> LedgerWriter::closeLastProcess(LedgerDatabase &database)
{
    if (m_lastProcessClosed)
        return {};
    const auto closings = closingsOfLastProcess(database.connection(), wallNow());
    if (!closings)
        return tl::unexpected(closings.error());
    if (!closings->empty()) {
        if (auto written = database.write(*closings); !written)
            return written;
    }
    m_lastProcessClosed = true;
    return {};
}

tl::expected<void, StoreError> LedgerWriter::writeBatch()
{
    // Moved out, and back when it could not be written: copying the texts would cost more than
    // writing them.
    const auto begin = m_pending.begin();
    const auto end
        = begin + static_cast<std::ptrdiff_t>(std::min(m_pending.size(), m_options.batchSize));
    std::vector<ledger::Record> batch;
    batch.reserve(m_options.batchSize);
    std::move(begin, end, std::back_inserter(batch));
    const auto written = m_database->write(batch, m_gap);
    std::ranges::move(batch, begin);
    if (!written)
        return written;
    m_gap.reset();
    pass(batch.size());
    m_committed += batch.size();
    Q_EMIT committed(m_committed);
    return {};
}

void LedgerWriter::retain()
{
    if (!m_database)
        return;
    const RetentionLimits limits{.oldest = wallNow() - m_options.retentionAge,
                                 .bytes = m_options.retentionBytes};
    const auto more = retainStep(m_database->connection(), limits);
    if (!more) {
        cope(more.error());
        return;
    }
    m_retentionTimer.start(*more ? std::chrono::milliseconds(0) : retentionIdle);
}

// The first ones leave the queue, written or lost.
void LedgerWriter::pass(std::size_t count)
{
    for (; count > 0; --count) {
        m_passed.add(m_pending.front());
        m_pending.pop_front();
    }
}

void LedgerWriter::dropBeyondMemory()
{
    if (m_pending.size() <= m_options.memoryRecords)
        return;
    const std::size_t excess = m_pending.size() - m_options.memoryRecords;
    if (!m_gap)
        m_gap.emplace(LedgerDatabase::Gap{.reason = QStringLiteral("lost"), .lost = 0, .open = {}});
    m_gap->lost += excess;
    pass(excess);
    m_gap->open = m_passed.open();
}

void LedgerWriter::cope(const StoreError &error)
{
    // A statement that failed may have left the connection in any state: begin with a new one.
    m_database.reset();
    m_trouble = error.text;
    if (error.code == StoreError::Code::Damaged)
        beginNewFile();
    dropBeyondMemory();
    const quint64 lost = m_gap ? m_gap->lost : 0;
    setState(error.text
             + QStringLiteral("; %1 records are kept in memory%2, trying again")
                   .arg(m_pending.size())
                   .arg(lost == 0 ? QString() : QStringLiteral(" and %1 were lost").arg(lost)));
    m_retryTimer.start(m_retry);
    m_retry = std::clamp(m_retry * 2, m_options.firstRetry, m_options.longestRetry);
}

void LedgerWriter::beginNewFile()
{
    const QString aside = setDatabaseAside(m_options.path);
    if (aside.isEmpty())
        return;
    m_setAside = aside;
    noteNewFile();
    m_retry = std::chrono::milliseconds(0); // the way is free: no reason to wait
}

void LedgerWriter::noteNewFile()
{
    m_gap.emplace(LedgerDatabase::Gap{.reason = QStringLiteral("new_file"),
                                      .lost = m_gap ? m_gap->lost : 0,
                                      .open = m_passed.open()});
}

QString LedgerWriter::fineState() const
{
    if (m_setAside.isEmpty())
        return QStringLiteral("ok");
    return QStringLiteral("the ledger file was damaged; it was set aside as %1 and a new one begun")
        .arg(m_setAside);
}

void LedgerWriter::setState(const QString &state)
{
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

} // namespace headway::store
