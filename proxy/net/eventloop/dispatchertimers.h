// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>

#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace headway::net {

// The timers of one event dispatcher. All types are kept to the millisecond: a coarse timer may be
// late by Qt's rules, it need not. Thread: the dispatcher's.
class DispatcherTimers final
{
public:
    using Clock = std::chrono::steady_clock;

    void add(int id, std::chrono::milliseconds interval, Qt::TimerType type, QObject *object,
             Clock::time_point now);
    bool remove(int id);
    bool removeAll(const QObject *object);
    [[nodiscard]] QList<QAbstractEventDispatcher::TimerInfo> of(const QObject *object) const;
    // -1: there is no such timer.
    [[nodiscard]] int remaining(int id, Clock::time_point now) const;

    // When the next one fires; those whose event is being handled further up do not count.
    [[nodiscard]] std::optional<Clock::time_point> next() const;

    // Sends the events of those that are due, each once. They may add and remove timers.
    bool fire(Clock::time_point now);

private:
    struct Timer
    {
        std::chrono::milliseconds interval;
        Qt::TimerType type;
        QObject *object;
        Clock::time_point due;
        bool handled = false; // its event is being handled: a nested loop must not send another
    };

    [[nodiscard]] std::vector<int> dueIds(Clock::time_point now) const;

    std::map<int, Timer> m_timers;
};

} // namespace headway::net
