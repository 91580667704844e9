// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/replayrunner.h"

#include "ui/models/replayworker.h"

#include <utility>

namespace headway::ui {

ReplayRunner::ReplayRunner(QObject *parent)
    : QObject(parent)
{
    m_thread.setObjectName(QStringLiteral("replay"));
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMs);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_settle, &QTimer::timeout, this, &ReplayRunner::begin);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_isBusy = true;
        Q_EMIT busyChanged(true);
    });
}

ReplayRunner::~ReplayRunner()
{
    m_thread.quit();
    m_thread.wait();
}

void ReplayRunner::setLedgerReader(LedgerReader reader)
{
    m_ledger = std::move(reader);
}

// Only who looks at a replay pays for the thread.
void ReplayRunner::startThread()
{
    auto *worker = new ReplayWorker(m_ledger);
    worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, worker, &QObject::deleteLater);
    connect(this, &ReplayRunner::wanted, worker, &ReplayWorker::run);
    connect(worker, &ReplayWorker::finished, this, &ReplayRunner::take);
    m_thread.start();
}

void ReplayRunner::ask(ReplayRequest request)
{
    m_next = std::make_shared<const ReplayRequest>(std::move(request));
    m_settle.start();
}

void ReplayRunner::begin()
{
    if (m_isWorking || !m_next)
        return;
    if (!m_thread.isRunning())
        startThread();
    m_isWorking = true;
    if (!m_isBusy && !m_patience.isActive())
        m_patience.start();
    Q_EMIT wanted(std::exchange(m_next, {}));
}

void ReplayRunner::take(const ReplayResultPointer &result)
{
    m_isWorking = false;
    if (m_next) { // overtaken
        if (!m_settle.isActive())
            begin();
        return;
    }
    m_patience.stop();
    if (std::exchange(m_isBusy, false))
        Q_EMIT busyChanged(false);
    Q_EMIT finished(result);
}

} // namespace headway::ui
