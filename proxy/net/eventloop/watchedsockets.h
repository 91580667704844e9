// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSocketNotifier>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headway::net {

// The socket notifiers of one event dispatcher as one epoll set: waiting costs what is ready, not
// what is open. A notifier that is switched off and on between two waits costs no system call.
// Level-triggered, as QSocketNotifier promises. Thread: the dispatcher's.
class WatchedSockets final
{
public:
    WatchedSockets(); // without descriptors left: isValid() is false
    ~WatchedSockets();
    WatchedSockets(const WatchedSockets &) = delete;
    WatchedSockets &operator=(const WatchedSockets &) = delete;

    [[nodiscard]] bool isValid() const { return m_epoll >= 0; }

    void add(QSocketNotifier *notifier);
    void remove(QSocketNotifier *notifier);

    // The descriptor that ends a wait from another thread; it is read when it is seen.
    void setWaker(int descriptor);

    // Waits for `timeoutMs` (-1: until something happens) and remembers what is ready.
    void wait(int timeoutMs);
    // Activates the notifiers of what the last wait saw; those that went away meanwhile are left
    // out. True when there was one.
    bool activate();

private:
    struct Watched
    {
        std::array<QSocketNotifier *, 3> notifiers{}; // by QSocketNotifier::Type
        std::uint32_t known = 0; // what epoll was told
        std::uint32_t generation = 0; // tells a descriptor from an earlier one of its number
        bool changed = false;
    };
    struct Ready
    {
        int descriptor;
        std::uint32_t generation;
        std::uint32_t events;
    };

    [[nodiscard]] static std::uint32_t wanted(const Watched &watched);
    [[nodiscard]] Watched *at(int descriptor);
    void tell();
    void tellOne(int descriptor, Watched &watched);
    bool activateOne(const Ready &ready, QSocketNotifier::Type type, std::uint32_t events);

    int m_epoll = -1;
    int m_waker = -1;
    std::vector<Watched> m_watched; // by descriptor
    std::vector<int> m_changed;
    std::vector<Ready> m_ready;
};

} // namespace headway::net
