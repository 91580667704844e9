// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/framemeter.h"

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <unistd.h>

namespace headway::app {

namespace {

std::int64_t nanoseconds(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t threadTime()
{
    return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

double ms(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

// By the kernel's word on when the process began, which counts in ticks of 10 ms (proc(5), field 22
// of stat; the name before it may hold blanks, and ends with the last bracket).
double processAgeMs()
{
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = stat.readAll();
    const double ticks = text.mid(text.lastIndexOf(')') + 2).split(' ').value(19).toDouble();
    const double begun = ticks * 1'000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return ms(nanoseconds(CLOCK_BOOTTIME)) - begun;
}

} // namespace

FrameMeter::FrameMeter()
{
    restart();
}

void FrameMeter::restart()
{
    m_frames.clear();
    m_spent = 0;
    m_since = m_begun = threadTime();
}

void FrameMeter::begin()
{
    m_begun = threadTime();
}

void FrameMeter::end(bool isFrame)
{
    m_spent += threadTime() - m_begun;
    if (!isFrame)
        return;
    m_frames.push_back(static_cast<float>(ms(m_spent)));
    m_spent = 0;
    if (m_openedMs > 0)
        return;
    m_openedMs = processAgeMs();
    m_openedCpuMs = ms(nanoseconds(CLOCK_PROCESS_CPUTIME_ID));
}

double FrameMeter::cpuSeconds() const
{
    return ms(threadTime() - m_since) / 1'000;
}

double FrameMeter::frameMs(double share) const
{
    if (m_frames.empty())
        return 0;
    std::vector<float> sorted = m_frames;
    std::ranges::sort(sorted);
    const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

} // namespace headway::app
