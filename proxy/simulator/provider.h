// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/scenario.h"
#include "proxy/simulator/statistics.h"
#include "proxy/simulator/wireevent.h"

#include <QHostAddress>
#include <QObject>
#include <QUrl>

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace headway::simulator {

// A model provider on real sockets that speaks the Responses protocol strictly: WebSocket upgrades
// and POST on every path that ends in /responses. Written from protocols.md section 1; it refuses
// what the real one refuses. Lives on one thread with an event loop.
class Provider final : public QObject
{
    Q_OBJECT

public:
    explicit Provider(Scenario scenario, QObject *parent = nullptr);
    ~Provider() override; // drops every connection, like a killed process

    // Port 0 takes a free one. Returns the port, or why it could not listen. Faults and limits
    // count their time from the construction.
    [[nodiscard]] tl::expected<quint16, std::string> listen(const QHostAddress &address,
                                                            quint16 port);

    // ws://HOST:PORT/v1/responses; valid while listening.
    [[nodiscard]] QUrl webSocketUrl() const;

    [[nodiscard]] const Statistics &statistics() const;

    // One more fault besides those of the scenario, from now on: for the next occasions.
    void add(Fault fault);
    // Close, Reset, Eof or a Silence without pongs, now, on every open socket.
    void strike(const Fault &fault);

Q_SIGNALS:
    // In the order things happened. Costs nothing while nobody is connected.
    void wire(const headway::simulator::WireEvent &event);

protected:
    void connectNotify(const QMetaMethod &signal) override;

private:
    void takeConnections();

    struct Private;
    std::unique_ptr<Private> m_private;
};

} // namespace headway::simulator
