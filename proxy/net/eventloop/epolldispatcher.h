// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/eventloop/dispatchertimers.h"
#include "proxy/net/eventloop/watchedsockets.h"

#include <QAbstractEventDispatcher>

#include <atomic>

namespace headway::net {

// The event loop of the proxy's thread. Qt's own hands every open socket to poll() on each wait, so
// that one event among a thousand streams costs a thousand looks; this one costs the one. Give it
// to QThread::setEventDispatcher(), or to QCoreApplication::setEventDispatcher() before the
// application is made; either takes ownership.
class EpollDispatcher final : public QAbstractEventDispatcher
{
    Q_OBJECT

public:
    explicit EpollDispatcher(QObject *parent = nullptr);
    ~EpollDispatcher() override;

    bool processEvents(QEventLoop::ProcessEventsFlags flags) override;
    void registerSocketNotifier(QSocketNotifier *notifier) override;
    void unregisterSocketNotifier(QSocketNotifier *notifier) override;
    void registerTimer(int timerId, qint64 interval, Qt::TimerType timerType,
                       QObject *object) override;
    bool unregisterTimer(int timerId) override;
    bool unregisterTimers(QObject *object) override;
    QList<TimerInfo> registeredTimers(QObject *object) const override;
    int remainingTime(int timerId) override;
    void wakeUp() override; // any thread
    void interrupt() override; // any thread

private:
    [[nodiscard]] int timeout(bool mayWait) const;

    WatchedSockets m_sockets;
    DispatcherTimers m_timers;
    int m_waker = -1;
    std::atomic<bool> m_awake = false; // something was posted since the last look
    std::atomic<bool> m_interrupted = false;
};

} // namespace headway::net
