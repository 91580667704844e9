// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/eventloop/watchedsockets.h"

#include <QCoreApplication>
#include <QEvent>
#include <QtDebug>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace headway::net {

namespace {

constexpr std::size_t mostAtOnce = 256;
constexpr std::uint32_t broken = EPOLLHUP | EPOLLERR; // told to every notifier, as with poll()

std::uint64_t pack(int descriptor, std::uint32_t generation)
{
    return (std::uint64_t{generation} << 32U) | static_cast<std::uint32_t>(descriptor);
}

} // namespace

WatchedSockets::WatchedSockets()
    : m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
}

WatchedSockets::~WatchedSockets()
{
    if (m_epoll >= 0)
        ::close(m_epoll);
}

std::uint32_t WatchedSockets::wanted(const Watched &watched)
{
    return (watched.notifiers[QSocketNotifier::Read] ? std::uint32_t{EPOLLIN} : 0U)
        | (watched.notifiers[QSocketNotifier::Write] ? std::uint32_t{EPOLLOUT} : 0U)
        | (watched.notifiers[QSocketNotifier::Exception] ? std::uint32_t{EPOLLPRI} : 0U);
}

WatchedSockets::Watched *WatchedSockets::at(int descriptor)
{
    const auto index = static_cast<std::size_t>(descriptor);
    return descriptor >= 0 && index < m_watched.size() ? &m_watched[index] : nullptr;
}

void WatchedSockets::add(QSocketNotifier *notifier)
{
    const auto descriptor = static_cast<int>(notifier->socket());
    if (descriptor < 0)
        return;
    if (!at(descriptor))
        m_watched.resize(static_cast<std::size_t>(descriptor) + 1);
    Watched &watched = *at(descriptor);
    watched.notifiers[notifier->type()] = notifier;
    if (!std::exchange(watched.changed, true))
        m_changed.push_back(descriptor);
}

void WatchedSockets::remove(QSocketNotifier *notifier)
{
    const auto descriptor = static_cast<int>(notifier->socket());
    Watched *const watched = at(descriptor);
    if (!watched || watched->notifiers[notifier->type()] != notifier)
        return;
    watched->notifiers[notifier->type()] = nullptr;
    if (wanted(*watched) == 0) {
        // At once: the descriptor is likely to be closed, and its number given to another.
        if (watched->known != 0)
            ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, descriptor, nullptr);
        watched->known = 0;
        ++watched->generation;
    } else if (!std::exchange(watched->changed, true)) {
        m_changed.push_back(descriptor);
    }
}

void WatchedSockets::setWaker(int descriptor)
{
    m_waker = descriptor;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = pack(descriptor, 0);
    ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, descriptor, &event);
}

void WatchedSockets::tell()
{
    for (const int descriptor : m_changed) {
        Watched &watched = *at(descriptor);
        watched.changed = false;
        if (wanted(watched) != watched.known)
            tellOne(descriptor, watched);
    }
    m_changed.clear();
}

void WatchedSockets::tellOne(int descriptor, Watched &watched)
{
    epoll_event event{};
    event.events = wanted(watched);
    event.data.u64 = pack(descriptor, watched.generation);
    const int operation = watched.known == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (::epoll_ctl(m_epoll, operation, descriptor, &event) == 0) {
        watched.known = event.events;
        return;
    }
    qWarning("descriptor %d cannot be watched: %s", descriptor, std::strerror(errno));
    watched.known = 0;
}

void WatchedSockets::wait(int timeoutMs)
{
    tell();
    std::array<epoll_event, mostAtOnce> events;
    const int count
        = ::epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), timeoutMs);
    m_ready.clear();
    for (int i = 0; i < count; ++i) {
        const epoll_event &event = events[static_cast<std::size_t>(i)];
        const auto descriptor = static_cast<int>(event.data.u64 & 0xFFFFFFFFU);
        if (descriptor == m_waker) {
            std::uint64_t woken = 0;
            [[maybe_unused]] const ssize_t read = ::read(m_waker, &woken, sizeof woken);
            continue;
        }
        m_ready.push_back(
            {descriptor, static_cast<std::uint32_t>(event.data.u64 >> 32U), event.events});
    }
}

bool WatchedSockets::activate()
{
    // A notifier may run a nested event loop, which waits anew.
    const std::vector<Ready> ready = std::exchange(m_ready, {});
    bool any = false;
    for (const Ready &one : ready) {
        any |= activateOne(one, QSocketNotifier::Exception, EPOLLPRI | broken);
        any |= activateOne(one, QSocketNotifier::Read, EPOLLIN | broken);
        any |= activateOne(one, QSocketNotifier::Write, EPOLLOUT | broken);
    }
    return any;
}

bool WatchedSockets::activateOne(const Ready &ready, QSocketNotifier::Type type,
                                 std::uint32_t events)
{
    const Watched *const watched = at(ready.descriptor);
    if (!watched || watched->generation != ready.generation || (ready.events & events) == 0)
        return false;
    QSocketNotifier *const notifier = watched->notifiers[type];
    if (!notifier)
        return false;
    QEvent event(QEvent::SockAct);
    QCoreApplication::sendEvent(notifier, &event);
    return true;
}

} // namespace headway::net
