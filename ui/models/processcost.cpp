// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/processcost.h"

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>

#include <ctime>
#include <unistd.h>

namespace headway::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto leastGap = 500ms;

ProcessCostMeter::Time clockTime(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// proc(5), statm: pages, the second number is what is resident.
std::uint64_t residentBytes()
{
    QFile statm(QStringLiteral("/proc/self/statm"));
    if (!statm.open(QIODevice::ReadOnly))
        return 0;
    return statm.readAll().split(' ').value(1).toULongLong()
        * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

std::optional<ProcessCost> ProcessCostMeter::look(Time cpu, Time steady, std::uint64_t resident)
{
    if (m_at && steady - *m_at < leastGap)
        return std::nullopt;
    std::optional<ProcessCost> cost;
    if (m_at)
        cost = ProcessCost{std::chrono::duration<double>(cpu - m_cpu)
                               / std::chrono::duration<double>(steady - *m_at),
                           resident};
    m_at = steady;
    m_cpu = cpu;
    return cost;
}

std::optional<ProcessCost> ProcessCostMeter::look()
{
    const Time now = clockTime(CLOCK_MONOTONIC);
    if (m_at && now - *m_at < leastGap)
        return std::nullopt; // without a look at the file
    return look(clockTime(CLOCK_PROCESS_CPUTIME_ID), now, residentBytes());
}

} // namespace headway::ui
