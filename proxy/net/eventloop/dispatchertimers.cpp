// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/eventloop/dispatchertimers.h"

#include <QCoreApplication>
#include <QTimerEvent>

#include <algorithm>
#include <utility>

namespace headway::net {

using std::chrono::milliseconds;

void DispatcherTimers::add(int id, milliseconds interval, Qt::TimerType type, QObject *object,
                           Clock::time_point now)
{
    m_timers.insert_or_assign(id, Timer{interval, type, object, now + interval});
}

bool DispatcherTimers::remove(int id)
{
    return m_timers.erase(id) != 0;
}

bool DispatcherTimers::removeAll(const QObject *object)
{
    return std::erase_if(m_timers, [object](const auto &t) { return t.second.object == object; })
        != 0;
}

QList<QAbstractEventDispatcher::TimerInfo> DispatcherTimers::of(const QObject *object) const
{
    QList<QAbstractEventDispatcher::TimerInfo> infos;
    for (const auto &[id, timer] : m_timers) {
        if (timer.object == object)
            infos.append({id, static_cast<int>(timer.interval.count()), timer.type});
    }
    return infos;
}

int DispatcherTimers::remaining(int id, Clock::time_point now) const
{
    const auto found = m_timers.find(id);
    if (found == m_timers.end())
        return -1;
    const auto left = std::chrono::ceil<milliseconds>(found->second.due - now);
    return static_cast<int>(std::max(left, milliseconds::zero()).count());
}

std::optional<DispatcherTimers::Clock::time_point> DispatcherTimers::next() const
{
    std::optional<Clock::time_point> earliest;
    for (const auto &[id, timer] : m_timers) {
        if (!timer.handled && (!earliest || timer.due < *earliest))
            earliest = timer.due;
    }
    return earliest;
}

std::vector<int> DispatcherTimers::dueIds(Clock::time_point now) const
{
    std::vector<std::pair<Clock::time_point, int>> due;
    for (const auto &[id, timer] : m_timers) {
        if (!timer.handled && timer.due <= now)
            due.emplace_back(timer.due, id);
    }
    std::sort(due.begin(), due.end());
    std::vector<int> ids;
    ids.reserve(due.size());
    for (const auto &[at, id] : due)
        ids.push_back(id);
    return ids;
}

bool DispatcherTimers::fire(Clock::time_point now)
{
    bool fired = false;
    for (const int id : dueIds(now)) {
        const auto found = m_timers.find(id);
        if (found == m_timers.end() || found->second.due > now)
            continue; // what fired before it changed it
        Timer &timer = found->second;
        timer.due += timer.interval;
        if (timer.due < now)
            timer.due = now + timer.interval; // beats that were missed are not made up for
        timer.handled = true;
        QObject *const object = timer.object;
        QTimerEvent event(id);
        QCoreApplication::sendEvent(object, &event);
        fired = true;
        const auto after = m_timers.find(id); // the same id may be another timer by now
        if (after != m_timers.end() && after->second.object == object)
            after->second.handled = false;
    }
    return fired;
}

} // namespace headway::net
