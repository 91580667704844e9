// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/eventloop/epolldispatcher.h"

#include <QCoreApplication>
#include <QThread>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sys/eventfd.h>
#include <unistd.h>

namespace headway::net {

using Clock = DispatcherTimers::Clock;
using std::chrono::milliseconds;

EpollDispatcher::EpollDispatcher(QObject *parent)
    : QAbstractEventDispatcher(parent)
    , m_waker(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!m_sockets.isValid() || m_waker < 0)
        qFatal("no file descriptor left for the event loop");
    m_sockets.setWaker(m_waker);
}

EpollDispatcher::~EpollDispatcher()
{
    ::close(m_waker);
}

// At most a millisecond late, never early. Zero: only look.
int EpollDispatcher::timeout(bool mayWait) const
{
    if (!mayWait)
        return 0;
    const auto next = m_timers.next();
    if (!next)
        return -1;
    const auto left = std::chrono::ceil<milliseconds>(*next - Clock::now());
    return static_cast<int>(
        std::clamp<milliseconds::rep>(left.count(), 0, std::numeric_limits<int>::max()));
}

bool EpollDispatcher::processEvents(QEventLoop::ProcessEventsFlags flags)
{
    m_interrupted = false;
    Q_EMIT awake();
    bool did = m_awake.exchange(false);
    QCoreApplication::sendPostedEvents();
    const bool mayWait
        = flags.testFlag(QEventLoop::WaitForMoreEvents) && !m_interrupted && !m_awake;
    const int waitMs = timeout(mayWait);
    if (waitMs != 0)
        Q_EMIT aboutToBlock(); // whoever hears it may post something
    m_sockets.wait(m_awake ? 0 : waitMs);
    if (waitMs != 0)
        Q_EMIT awake();
    if (!flags.testFlag(QEventLoop::ExcludeSocketNotifiers))
        did |= m_sockets.activate();
    did |= m_timers.fire(Clock::now());
    return did;
}

void EpollDispatcher::registerSocketNotifier(QSocketNotifier *notifier)
{
    m_sockets.add(notifier);
}

void EpollDispatcher::unregisterSocketNotifier(QSocketNotifier *notifier)
{
    m_sockets.remove(notifier);
}

void EpollDispatcher::registerTimer(int timerId, qint64 interval, Qt::TimerType timerType,
                                    QObject *object)
{
    m_timers.add(timerId, milliseconds(interval), timerType, object, Clock::now());
}

bool EpollDispatcher::unregisterTimer(int timerId)
{
    return m_timers.remove(timerId);
}

bool EpollDispatcher::unregisterTimers(QObject *object)
{
    return m_timers.removeAll(object);
}

QList<QAbstractEventDispatcher::TimerInfo> EpollDispatcher::registeredTimers(QObject *object) const
{
    return m_timers.of(object);
}

int EpollDispatcher::remainingTime(int timerId)
{
    return m_timers.remaining(timerId, Clock::now());
}

// The loop looks at the mark before it waits, so its own thread needs no system call.
void EpollDispatcher::wakeUp()
{
    if (m_awake.exchange(true) || thread() == QThread::currentThread())
        return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_waker, &one, sizeof one);
}

void EpollDispatcher::interrupt()
{
    m_interrupted = true;
    wakeUp();
}

} // namespace headway::net
