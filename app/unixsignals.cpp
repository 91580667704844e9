// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/unixsignals.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace headway::app {

namespace {

// A handler may only write: the self-pipe carries the signal's number into the event loop.
std::array<int, 2> pipeEnds{-1, -1};

extern "C" void passOn(int number)
{
    const auto byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[0], &byte, 1);
}

} // namespace

UnixSignals::UnixSignals(QObject *parent)
    : QObject(parent)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pipeEnds.data()) != 0)
        return;
    auto *const notifier = new QSocketNotifier(pipeEnds[1], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &UnixSignals::read);
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        std::signal(number, passOn);
}

UnixSignals::~UnixSignals()
{
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        std::signal(number, SIG_DFL);
    for (int &end : pipeEnds) {
        ::close(end);
        end = -1;
    }
}

void UnixSignals::read()
{
    char number = 0;
    while (::read(pipeEnds[1], &number, 1) == 1) {
        if (number == SIGHUP)
            Q_EMIT hungUp();
        else
            Q_EMIT terminated();
    }
}

} // namespace headway::app
