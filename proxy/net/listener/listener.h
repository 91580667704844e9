// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/clientsocket.h"
#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/limits.h"

#include <QHostAddress>
#include <QObject>

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace headway::net {

struct ListenerLimits
{
    std::size_t maxBodyBytes = std::size_t{64} << 20U; // decoded
    std::size_t maxAllBodiesBytes = std::size_t{1024} << 20U;
    std::size_t maxConnections = 0; // 0: derived from the descriptor limit
};

enum class RouteClass : std::uint8_t {
    Open, // no key: /healthz, HEAD /, HEAD /api/hello
    Model, // access key
    Control, // control key: /headway/*, /metrics
};

struct ListenerSettings
{
    QHostAddress address{QHostAddress::LocalHost};
    quint16 port = 17421; // 0: any
    std::vector<std::string> allowedHosts; // besides the ones we listen on
    std::string accessKey; // empty: model routes need none (simulate, demo)
    std::string controlKey;
    ListenerLimits limits;
};

// Accepts HTTP/1.1 and WebSocket upgrades on one port, strictly (spec/safety.md): everything that
// is malformed, too large, too slow, from the wrong host or origin, or without its key is answered
// here and never reaches the signals.
class Listener : public QObject
{
    Q_OBJECT

public:
    explicit Listener(ListenerSettings settings, QObject *parent = nullptr);
    Listener(ListenerSettings settings, const ListenerTimes &times, QObject *parent = nullptr);
    ~Listener() override;

    // The port that was taken, or why none could be.
    [[nodiscard]] tl::expected<quint16, std::string> listen();
    // No further connections, and no further requests on the open ones: idle ones close, the others
    // after their reply.
    void stopAccepting();
    void applyLimits(const ListenerLimits &limits);
    // Whether model routes speak WebSocket; where not, an upgrade there is answered 426. Sockets
    // that are open stay.
    void setModelSockets(bool spoken);
    [[nodiscard]] std::size_t connections() const;
    [[nodiscard]] std::size_t bodyBytes() const; // held by all requests together

Q_SIGNALS:
    // Connect directly. A prefix such as /k/KEY has been removed from head().path.
    void requested(headway::net::Exchange *exchange);
    // An upgrade on …/responses or /headway/v1/feed was accepted; others were answered 426.
    void upgraded(headway::net::ClientSocket *socket);
    void upgradeRefused(); // with 426: no WebSocket is spoken where it was asked for

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::net
