// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerstore.h"

#include "proxy/store/ledgerwriter.h"

#include <utility>

namespace headway::store {

LedgerStore::LedgerStore(LedgerOptions options, QObject *parent)
    : QObject(parent)
    , m_writer(new LedgerWriter(std::move(options)))
{
    m_thread.setObjectName(QStringLiteral("ledger"));
    m_writer->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_writer, &QObject::deleteLater);
    connect(m_writer, &LedgerWriter::stateChanged, this, &LedgerStore::stateChanged);
    connect(m_writer, &LedgerWriter::committed, this, &LedgerStore::committed);
}

LedgerStore::~LedgerStore()
{
    if (m_thread.isRunning())
        stop();
    else if (!m_thread.isFinished())
        delete m_writer; // never started
}

void LedgerStore::start()
{
    m_thread.start();
    QMetaObject::invokeMethod(m_writer, &LedgerWriter::start, Qt::QueuedConnection);
}

void LedgerStore::append(std::vector<ledger::Record> records)
{
    if (!m_thread.isRunning() || records.empty())
        return;
    QMetaObject::invokeMethod(
        m_writer,
        [writer = m_writer, records = std::move(records)]() mutable {
            writer->take(std::move(records));
        },
        Qt::QueuedConnection);
}

void LedgerStore::setRetention(std::chrono::hours age, qint64 bytes)
{
    if (!m_thread.isRunning())
        return;
    QMetaObject::invokeMethod(
        m_writer, [writer = m_writer, age, bytes] { writer->setRetention(age, bytes); },
        Qt::QueuedConnection);
}

void LedgerStore::stop()
{
    if (!m_thread.isRunning())
        return;
    QString lost;
    QMetaObject::invokeMethod(m_writer, &LedgerWriter::finish, Qt::BlockingQueuedConnection, &lost);
    m_thread.quit();
    m_thread.wait();
    if (!lost.isEmpty()) // said before the store goes, and nobody's event loop runs any more
        Q_EMIT stateChanged(lost);
}

} // namespace headway::store
