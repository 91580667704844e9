// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerwriter.h"

#include "proxy/store/privatefile.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headway::store {

LedgerWriter::LedgerWriter(LedgerOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_batchTimer(this)
    , m_retryTimer(this)
    , m_retry(m_options.firstRetry)
{
    m_batchTimer.setSingleShot(true);
    m_retryTimer.setSingleShot(true);
    connect(&m_batchTimer, &QTimer::timeout, this, &LedgerWriter::writePending);
    connect(&m_retryTimer, &QTimer::timeout, this, &LedgerWriter::writePending);
}

LedgerWriter::~LedgerWriter() = default;

void LedgerWriter::start()
{
    writePending();
}

void LedgerWriter::take(std::vector<ledger::Record> records)
{
    std::ranges::move(records, std::back_inserter(m_pending));
    if (m_retryTimer.isActive()) {
        dropBeyondMemory();
        return;
    }
    if (m_pending.size() >= m_options.batchSize)
        writePending();
    else if (!m_batchTimer.isActive())
        m_batchTimer.start(m_options.batchAge);
}

void LedgerWriter::setRetention(std::chrono::hours age, qint64 bytes)
{
    m_options.retentionAge = age;
    m_options.retentionBytes = bytes;
}

void LedgerWriter::finish()
{
    m_retryTimer.stop();
    writePending();
    m_retryTimer.stop();
    m_database.reset();
    m_lock.reset();
}

void LedgerWriter::writePending()
{
    m_batchTimer.stop();
    if (!openIfNeeded())
        return;
    while (!m_pending.empty()) {
        if (!writeBatch())
            return;
    }
    m_retry = m_options.firstRetry;
    setState(m_setAside.isEmpty()
                 ? QStringLiteral("ok")
                 : QStringLiteral("the ledger file was damaged; it was set aside as %1 and a new "
                                  "one begun")
                       .arg(m_setAside));
}

bool LedgerWriter::openIfNeeded()
{
    if (m_database)
        return true;
    makePrivateFolderOf(m_options.path);
    if (!m_lock)
        m_lock = FileLock::tryLock(m_options.path + QLatin1String(".lock"));
    if (!m_lock) {
        cope({StoreError::Code::Busy,
              QStringLiteral("%1 is in use by another Headway, or its folder may not be written")
                  .arg(m_options.path)});
        return false;
    }
    auto opened = LedgerDatabase::open(m_options.path);
    if (!opened) {
        cope(opened.error());
        return false;
    }
    m_database.emplace(std::move(*opened));
    return true;
}

bool LedgerWriter::writeBatch()
{
    const std::size_t size = std::min(m_pending.size(), m_options.batchSize);
    const auto end = m_pending.begin() + static_cast<std::ptrdiff_t>(size);
    const std::vector<ledger::Record> batch(std::move_iterator(m_pending.begin()),
                                            std::move_iterator(end));
    m_pending.erase(m_pending.begin(), end);
    if (auto written = m_database->write(batch); !written) {
        m_pending.insert(m_pending.begin(), batch.begin(), batch.end());
        cope(written.error());
        return false;
    }
    m_committed += size;
    m_lost = 0;
    Q_EMIT committed(m_committed);
    return true;
}

void LedgerWriter::dropBeyondMemory()
{
    if (m_pending.size() <= m_options.memoryRecords)
        return;
    const auto excess = static_cast<std::ptrdiff_t>(m_pending.size() - m_options.memoryRecords);
    m_pending.erase(m_pending.begin(), m_pending.begin() + excess);
    m_lost += static_cast<quint64>(excess);
}

void LedgerWriter::cope(const StoreError &error)
{
    // A statement that failed may have left the connection in any state: begin with a new one.
    m_database.reset();
    if (error.code == StoreError::Code::Damaged)
        startAfresh();
    dropBeyondMemory();
    setState(error.text
             + QStringLiteral("; %1 records are kept in memory%2, trying again")
                   .arg(m_pending.size())
                   .arg(m_lost == 0 ? QString() : QStringLiteral(" and %1 were lost").arg(m_lost)));
    retryLater();
}

void LedgerWriter::startAfresh()
{
    const QString aside = setDatabaseAside(m_options.path);
    if (aside.isEmpty())
        return;
    m_setAside = aside;
    m_retry = std::chrono::milliseconds(0); // the way is free: no reason to wait
}

void LedgerWriter::retryLater()
{
    m_retryTimer.start(m_retry);
    m_retry = std::clamp(m_retry * 2, m_options.firstRetry, m_options.longestRetry);
}

void LedgerWriter::setState(const QString &state)
{
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

} // namespace headway::store
