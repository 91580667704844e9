// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/stream.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace headway::net {

// The turns of all client connections: one epoll set behind a single QSocketNotifier, one coarse
// timer, one flush per turn. Qt's own notifiers cost a poll() over every connection per loop; this
// one costs what is ready. Everything that was let go during a turn is deleted at its end.
class Reactor final : public QObject
{
    Q_OBJECT

public:
    explicit Reactor(const ListenerTimes &times, QObject *parent = nullptr);
    ~Reactor() override;

    // Takes the descriptor. Null when it cannot be watched; the descriptor is closed then.
    [[nodiscard]] Stream *adopt(int descriptor);
    [[nodiscard]] std::size_t size() const { return m_streams.size(); }
    [[nodiscard]] base::SteadyTime now() const; // of this turn
    [[nodiscard]] const ListenerTimes &times() const { return m_times; }

    // Deletes at the end of the turn. For Stream, and for sinks that let go of an object while it
    // may be on the call stack.
    void bury(std::unique_ptr<StreamSink> sink);
    void bury(std::unique_ptr<QObject> object);

protected:
    bool event(QEvent *event) override;

private:
    friend class Stream;
    static constexpr std::size_t scratchBytes = std::size_t{128} << 10U;

    void flushLater(Stream &stream);
    void watchDelivery(Stream &stream);
    [[nodiscard]] bool watch(Stream &stream, std::uint32_t interest, bool add) const;
    void closed(Stream &stream);

    void poll();
    void tick();
    void checkDelivery();
    void endTurn();
    void requestTurn();
    void reap();

    ListenerTimes m_times;
    std::vector<std::unique_ptr<Stream>> m_streams;
    std::vector<Stream *> m_dirty;
    std::vector<Stream *> m_undelivered;
    std::vector<Stream *> m_closed;
    std::vector<std::unique_ptr<StreamSink>> m_buriedSinks;
    std::vector<std::unique_ptr<QObject>> m_buriedObjects;
    std::unique_ptr<std::array<char, scratchBytes>> m_scratch;
    QTimer m_tick;
    QTimer m_deliveryTimer;
    std::unique_ptr<QSocketNotifier> m_notifier;
    base::SteadyTime m_now;
    int m_epoll = -1;
    bool m_inTurn = false;
    bool m_turnRequested = false;
};

} // namespace headway::net
