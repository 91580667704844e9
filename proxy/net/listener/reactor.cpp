// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/reactor.h"

#include "proxy/net/logging.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

namespace headway::net {
namespace {

constexpr int eventsPerTurn = 128;
constexpr std::chrono::milliseconds deliveryCheck{10};

} // namespace

Reactor::Reactor(const ListenerTimes &times, QObject *parent)
    : QObject(parent)
    , m_times(times)
    , m_scratch(std::make_unique<std::array<char, scratchBytes>>())
    , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
    if (m_epoll >= 0) {
        m_notifier = std::make_unique<QSocketNotifier>(m_epoll, QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &Reactor::poll);
    }
    m_tick.setTimerType(Qt::CoarseTimer);
    m_tick.setInterval(m_times.tick);
    connect(&m_tick, &QTimer::timeout, this, &Reactor::tick);
    m_deliveryTimer.setInterval(deliveryCheck);
    connect(&m_deliveryTimer, &QTimer::timeout, this, &Reactor::checkDelivery);
}

Reactor::~Reactor()
{
    m_inTurn = true; // whatever the sinks still do asks for no further turn
    m_notifier.reset();
    for (const auto &stream : m_streams)
        stream->setSink(nullptr);
    reap();
    m_streams.clear();
    if (m_epoll >= 0)
        ::close(m_epoll);
}

Stream *Reactor::adopt(int descriptor)
{
    auto stream = std::make_unique<Stream>(*this, descriptor, m_streams.size());
    stream->m_interest = EPOLLIN | EPOLLRDHUP;
    if (m_epoll < 0 || !watch(*stream, stream->m_interest, true)) {
        qCWarning(lcListener, "a connection cannot be watched: %s", std::strerror(errno));
        return nullptr;
    }
    if (m_streams.empty())
        m_tick.start();
    m_streams.push_back(std::move(stream));
    return m_streams.back().get();
}

base::SteadyTime Reactor::now() const
{
    return m_inTurn ? m_now : std::chrono::steady_clock::now();
}

void Reactor::bury(std::unique_ptr<StreamSink> sink)
{
    if (!sink)
        return;
    m_buriedSinks.push_back(std::move(sink));
    requestTurn();
}

void Reactor::bury(std::unique_ptr<QObject> object)
{
    if (!object)
        return;
    m_buriedObjects.push_back(std::move(object));
    requestTurn();
}

void Reactor::flushLater(Stream &stream)
{
    if (std::exchange(stream.m_dirty, true))
        return;
    m_dirty.push_back(&stream);
    requestTurn();
}

void Reactor::watchDelivery(Stream &stream)
{
    if (std::find(m_undelivered.begin(), m_undelivered.end(), &stream) == m_undelivered.end())
        m_undelivered.push_back(&stream);
    m_deliveryTimer.start();
}

bool Reactor::watch(Stream &stream, std::uint32_t interest, bool add) const
{
    epoll_event event{};
    event.events = interest;
    event.data.ptr = &stream;
    return ::epoll_ctl(m_epoll, add ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, stream.m_descriptor, &event)
        == 0;
}

void Reactor::closed(Stream &stream)
{
    m_closed.push_back(&stream);
    requestTurn();
}

void Reactor::requestTurn()
{
    if (m_inTurn || std::exchange(m_turnRequested, true))
        return;
    QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

bool Reactor::event(QEvent *event)
{
    if (event->type() != QEvent::User)
        return QObject::event(event);
    m_turnRequested = false;
    if (!std::exchange(m_inTurn, true)) {
        m_now = std::chrono::steady_clock::now();
        endTurn();
    }
    return true;
}

void Reactor::poll()
{
    if (std::exchange(m_inTurn, true))
        return; // a handler runs an event loop of its own; the outer turn goes on later
    std::array<epoll_event, eventsPerTurn> events; // NOLINT: filled by the kernel
    const int count = ::epoll_wait(m_epoll, events.data(), eventsPerTurn, 0);
    m_now = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        const epoll_event &event = events[static_cast<std::size_t>(i)];
        static_cast<Stream *>(event.data.ptr)->ready(event.events);
    }
    endTurn();
}

void Reactor::tick()
{
    if (std::exchange(m_inTurn, true))
        return;
    m_now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i != m_streams.size(); ++i)
        m_streams[i]->tick(m_now);
    endTurn();
}

void Reactor::checkDelivery()
{
    std::erase_if(m_undelivered, [](Stream *stream) { return stream->checkDelivered(); });
    if (m_undelivered.empty())
        m_deliveryTimer.stop();
}

// Flushing makes room, room starts the next pipelined request, its reply wants flushing: until
// nothing is left to do. Ends, since each round consumes bytes that have already arrived.
void Reactor::endTurn()
{
    std::vector<Stream *> batch;
    while (!m_dirty.empty()) {
        batch.swap(m_dirty);
        for (Stream *stream : batch) {
            stream->m_dirty = false;
            stream->flush();
        }
        batch.clear();
    }
    if (m_dirty.capacity() == 0)
        m_dirty.swap(batch); // keep the memory
    reap();
    m_inTurn = false;
}

void Reactor::reap()
{
    while (!m_buriedSinks.empty() || !m_buriedObjects.empty()) {
        std::exchange(m_buriedSinks, {}).clear(); // a sink may bury what it held
        std::exchange(m_buriedObjects, {}).clear();
    }
    if (m_closed.empty())
        return;
    for (Stream *stream : m_closed) {
        std::erase(m_undelivered, stream);
        const std::size_t slot = stream->m_slot;
        m_streams[slot].swap(m_streams.back());
        m_streams[slot]->m_slot = slot;
        m_streams.pop_back();
    }
    m_closed.clear();
    if (m_streams.empty())
        m_tick.stop();
}

} // namespace headway::net
