// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timelimit.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <unistd.h>

namespace headway::app {

namespace {

// Read by the handler, so plain memory that is written before it is set.
std::array<char, 512> expiredMessage{};
std::size_t expiredLength = 0;
int expiredStatus = 0;

void expire(int /*signal*/)
{
    // Only what a signal handler may do. Nothing of ours is open for writing.
    [[maybe_unused]] const auto said = ::write(STDERR_FILENO, expiredMessage.data(), expiredLength);
    ::_exit(expiredStatus);
}

} // namespace

TimeLimit::TimeLimit(std::chrono::seconds limit, const QByteArray &message, int exitStatus)
{
    expiredLength = std::min(static_cast<std::size_t>(message.size()), expiredMessage.size());
    std::copy_n(message.begin(), expiredLength, expiredMessage.begin());
    expiredStatus = exitStatus;
    std::signal(SIGALRM, expire);
    m_left.it_value.tv_sec = limit.count();
    goOn();
}

TimeLimit::~TimeLimit()
{
    pause();
    std::signal(SIGALRM, SIG_DFL);
}

void TimeLimit::pause()
{
    if (!m_isRunning)
        return;
    const itimerval none{};
    ::setitimer(ITIMER_REAL, &none, &m_left);
    m_isRunning = false;
}

void TimeLimit::goOn()
{
    if (m_isRunning)
        return;
    ::setitimer(ITIMER_REAL, &m_left, nullptr);
    m_isRunning = true;
}

} // namespace headway::app
