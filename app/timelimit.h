// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <chrono>
#include <sys/time.h>

namespace headway::app {

// Ends the process, with the message on stderr and the exit status, when work has taken so long:
// SQLite cannot be asked to stop through Qt. It runs from its making on; what happens between
// pause() and goOn() does not count. One at a time in a process (it takes SIGALRM).
class TimeLimit final
{
public:
    TimeLimit(std::chrono::seconds limit, const QByteArray &message, int exitStatus);
    TimeLimit(const TimeLimit &) = delete;
    TimeLimit &operator=(const TimeLimit &) = delete;
    ~TimeLimit();

    void pause(); // no effect while paused
    void goOn(); // no effect while running

private:
    itimerval m_left{}; // while paused
    bool m_isRunning = false;
};

} // namespace headway::app
