// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/listener.h"

#include "proxy/net/listener/descriptorlimit.h"
#include "proxy/net/listener/errorreply.h"
#include "proxy/net/listener/httpconnection.h"
#include "proxy/net/listener/listenercontext.h"
#include "proxy/net/listener/reactor.h"
#include "proxy/net/logging.h"

#include <QNetworkInterface>
#include <QTcpServer>
#include <QTimer>

#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headway::net {
namespace {

constexpr int backlog = 1024; // an agent's fan-out connects all at once

// Hands out descriptors instead of sockets.
class AcceptServer final : public QTcpServer
{
public:
    std::function<void(int)> accepted;

protected:
    void incomingConnection(qintptr descriptor) override { accepted(static_cast<int>(descriptor)); }
};

void prepare(int descriptor)
{
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

// As a Host header writes it.
std::string hostOf(const QHostAddress &address)
{
    const std::string text = address.toString().section(QLatin1Char('%'), 0, 0).toStdString();
    return address.protocol() == QAbstractSocket::IPv6Protocol ? '[' + text + ']' : text;
}

std::vector<std::string> hostsOf(const QHostAddress &address)
{
    std::vector<std::string> hosts;
    const bool isAny = address == QHostAddress::Any || address == QHostAddress::AnyIPv4
        || address == QHostAddress::AnyIPv6;
    const QList<QHostAddress> addresses
        = isAny ? QNetworkInterface::allAddresses() : QList<QHostAddress>{address};
    for (const QHostAddress &each : addresses)
        hosts.push_back(hostOf(each));
    return hosts;
}

} // namespace

struct Listener::State
{
    State(ListenerSettings asked, const ListenerTimes &times)
        : settings(std::move(asked))
        , context{.limits = settings.limits,
                  .times = times,
                  .gate = Gate(KeyCheck(settings.accessKey, settings.controlKey), times),
                  .bodies = MemoryBudget(settings.limits.maxAllBodiesBytes),
                  .requested = {},
                  .upgraded = {},
                  .upgradeRefused = {}}
        , reactor(times)
        , derivedConnections(connectionsFor(raiseDescriptorLimit()))
    {
        server.accepted = [this](int descriptor) { accept(descriptor); };
    }

    [[nodiscard]] std::size_t mostConnections() const
    {
        return context.limits.maxConnections != 0 ? context.limits.maxConnections
                                                  : derivedConnections;
    }

    void accept(int descriptor);
    void answerOverflow(Stream &stream) const;

    ListenerSettings settings;
    ListenerContext context;
    Reactor reactor; // before the context goes, all connections must
    AcceptServer server;
    std::size_t derivedConnections;
};

void Listener::State::accept(int descriptor)
{
    prepare(descriptor);
    Stream *stream = reactor.adopt(descriptor);
    if (!stream)
        return;
    const std::size_t most = mostConnections();
    if (reactor.size() <= most)
        stream->setSink(std::make_unique<HttpConnection>(*stream, context));
    else if (reactor.size() <= most + limits::overflowAnswers)
        answerOverflow(*stream);
    else
        stream->abort();
}

void Listener::State::answerOverflow(Stream &stream) const
{
    const std::string seconds = std::to_string(limits::retryAfter.count());
    const Refusal refusal{.status = 503,
                          .message = "The proxy has as many connections as it may; retry after "
                              + seconds + "s, or raise the setting max_connections.",
                          .headers = {{"retry-after", seconds}},
                          .code = "too_many_connections"};
    appendRefusal(stream.output(), refusal, {});
    stream.finish();
}

Listener::Listener(ListenerSettings settings, QObject *parent)
    : Listener(std::move(settings), ListenerTimes{}, parent)
{
}

Listener::Listener(ListenerSettings settings, const ListenerTimes &times, QObject *parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(std::move(settings), times))
{
    m_state->context.requested = [this](Exchange *exchange) { Q_EMIT requested(exchange); };
    m_state->context.upgraded = [this](ClientSocket *socket) { Q_EMIT upgraded(socket); };
    m_state->context.upgradeRefused = [this] { Q_EMIT upgradeRefused(); };
    connect(&m_state->server, &QTcpServer::acceptError, this, [this] {
        // Out of descriptors, mostly; Qt stops accepting until told to go on.
        qCWarning(lcListener, "cannot accept: %s", qUtf8Printable(m_state->server.errorString()));
        QTimer::singleShot(m_state->context.times.tick, this,
                           [this] { m_state->server.resumeAccepting(); });
    });
}

Listener::~Listener() = default;

tl::expected<quint16, std::string> Listener::listen()
{
    QTcpServer &server = m_state->server;
    const ListenerSettings &settings = m_state->settings;
    server.setListenBacklogSize(backlog);
    if (!server.listen(settings.address, settings.port))
        return tl::unexpected(hostOf(settings.address) + ':' + std::to_string(settings.port) + ": "
                              + server.errorString().toStdString());
    m_state->context.gate.setHosts(
        HostCheck(hostsOf(settings.address), settings.allowedHosts, server.serverPort()));
    return server.serverPort();
}

void Listener::stopAccepting()
{
    m_state->server.close();
    m_state->context.draining = true;
}

void Listener::applyLimits(const ListenerLimits &limits)
{
    m_state->context.limits = limits;
    m_state->context.bodies.setLimit(limits.maxAllBodiesBytes);
}

void Listener::setModelSockets(bool spoken)
{
    m_state->context.modelSockets = spoken;
}

std::size_t Listener::connections() const
{
    return m_state->reactor.size();
}

std::size_t Listener::bodyBytes() const
{
    return m_state->context.bodies.used();
}

} // namespace headway::net
