// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/httpscalls.h"

#include "proxy/engine/connections.h"
#include "proxy/net/clock.h"

#include <QTimer>

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

// How long the end of a stream may take behind the reply that it carried.
constexpr auto longestRest = 5s;

double milliseconds(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

HttpsCalls::HttpsCalls(Connections &connections, UpstreamAccess &access, QObject *parent)
    : QObject(parent)
    , m_connections(connections)
    , m_access(access)
{
    connect(&m_idle, &net::IdleConnections::dropped, this,
            [this](const net::HttpsConnection &connection, const QString &reason) {
                ledger::Connection record = describe(connection.id, "closed");
                record.reason = reason.toStdString();
                record.bytesUp = connection.bytesUp;
                record.bytesDown = connection.bytesDown;
                m_lives.erase(connection.id);
                Q_EMIT recorded({}, record);
            });
}

HttpsCalls::~HttpsCalls() = default;

net::EventStreamCall *HttpsCalls::start(const Opening &opening, std::string body, On on,
                                        base::Now now)
{
    const net::Endpoint &endpoint = m_connections.endpoint();
    auto *const call = new net::EventStreamCall(this);
    std::unique_ptr<net::HttpsConnection> idle;
    if (on == On::IdleConnection)
        idle = m_idle.take(endpoint.url);
    Entry entry{.connection = idle ? idle->id : m_connections.freshId().value(),
                .turn = opening.turn,
                .isNew = !idle,
                .withoutCredential = opening.withoutCredential,
                .body = std::move(body),
                .idle = std::move(idle)};
    if (entry.isNew)
        m_lives[entry.connection] = {
            .dialledAt = now.steady, .request = opening.request, .recovery = opening.request == 0};
    ++m_lives[entry.connection].turns;
    const std::uint64_t connection = entry.connection;
    const bool isNew = entry.isNew;
    m_calls.emplace(call, std::move(entry));
    wire(call);
    if (isNew)
        Q_EMIT recorded(opening.turn, describe(connection, "dialled"));
    m_access.ask(opening.model, call,
                 [this, call](const UpstreamAccess::Result &pass) { open(call, pass); });
    return call;
}

void HttpsCalls::open(net::EventStreamCall *call, const UpstreamAccess::Result &pass)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end()) // given up while the credential was renewed
        return;
    Entry &entry = found->second;
    if (pass) {
        entry.key = pass->endpoint.key;
        call->start(pass->endpoint, pass->headers, std::exchange(entry.body, {}),
                    std::move(entry.idle));
        return;
    }
    // Later: who asked does not know the call yet.
    QMetaObject::invokeMethod(
        call, [this, call, why = pass.error()] { onWithoutCredential(call, why); },
        Qt::QueuedConnection);
}

void HttpsCalls::onWithoutCredential(net::EventStreamCall *call, const CredentialError &error)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end())
        return;
    const auto tell = std::move(found->second.withoutCredential);
    m_state = "no credential: " + error.text.toStdString();
    if (found->second.isNew)
        end(call, "failed", error.text.toStdString());
    else
        end(call, "closed", "failed_turn", error.text.toStdString());
    if (tell)
        tell(error);
}

void HttpsCalls::wire(net::EventStreamCall *call)
{
    using net::EventStreamCall;
    connect(call, &EventStreamCall::connected, this, [this, call] { onConnected(call); });
    connect(call, &EventStreamCall::accepted, this,
            [this, call](const net::UpgradeReply &reply) { onAnswered(call, reply, true); });
    connect(call, &EventStreamCall::refused, this, [this, call](const net::UpgradeReply &reply) {
        onAnswered(call, reply, false);
        onOver(call);
    });
    connect(call, &EventStreamCall::ended, this, [this, call] { onOver(call); });
    connect(call, &EventStreamCall::failed, this,
            [this, call](net::HttpsExchange::Stage stage, const QString &why) {
                onFailed(call, stage, why);
            });
}

void HttpsCalls::onConnected(net::EventStreamCall *call)
{
    const Entry &entry = m_calls.at(call);
    if (!entry.isNew)
        return;
    m_lives.at(entry.connection).isOpen = true;
    Q_EMIT recorded(entry.turn, describe(entry.connection, "opened"));
}

void HttpsCalls::onAnswered(net::EventStreamCall *call, const net::UpgradeReply &reply,
                            bool accepted)
{
    if (reply.status == 401)
        refuseCredential(call);
    const bool throttles
        = reply.status == 429 || reply.status == 503 || (reply.status == 403 && reply.body.empty());
    if (accepted)
        m_state = "ok";
    else if (throttles || reply.status == 401)
        m_state = "rejecting (" + std::to_string(reply.status) + ")";
    Q_EMIT answered(reply);
}

void HttpsCalls::refuseCredential(net::EventStreamCall *call)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end())
        return;
    const std::string key = found->second.key;
    m_access.refused(key);
    Q_EMIT credentialRejected(m_access.fingerprint(key));
}

// The answer was read to its end.
void HttpsCalls::onOver(net::EventStreamCall *call)
{
    auto connection = call->takeConnection();
    if (!connection) {
        end(call, "closed", "peer_closed");
        return;
    }
    connection->id = m_calls.at(call).connection;
    m_calls.erase(call);
    call->deleteLater();
    m_idle.keep(m_connections.endpoint().url, std::move(connection));
}

void HttpsCalls::onFailed(net::EventStreamCall *call, net::HttpsExchange::Stage stage,
                          const QString &why)
{
    if (stage == net::HttpsExchange::Stage::Connecting) {
        m_state = "unreachable: " + why.toStdString();
        end(call, "failed", why.toStdString());
    } else {
        end(call, "closed", "peer_closed", why.toStdString());
    }
}

void HttpsCalls::end(net::EventStreamCall *call, std::string_view event, std::string reason,
                     std::string detail)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end())
        return;
    const Entry entry = std::move(found->second);
    ledger::Connection record = describe(entry.connection, event);
    record.reason = std::move(reason);
    record.detail = std::move(detail);
    record.bytesUp = call->bytesUp();
    record.bytesDown = call->bytesDown();
    m_calls.erase(found);
    m_lives.erase(entry.connection);
    call->deleteLater();
    Q_EMIT recorded(entry.turn, record);
}

base::ConnectionId HttpsCalls::idOf(net::EventStreamCall *call) const
{
    const auto found = m_calls.find(call);
    return found == m_calls.end() ? base::ConnectionId{}
                                  : base::ConnectionId{found->second.connection};
}

bool HttpsCalls::isOnNewConnection(net::EventStreamCall *call) const
{
    const auto found = m_calls.find(call);
    return found != m_calls.end() && found->second.isNew;
}

bool HttpsCalls::hasIdle() const
{
    return m_idle.count(m_connections.endpoint().url) > 0;
}

void HttpsCalls::drop(net::EventStreamCall *call, std::string_view reason, base::Now)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end())
        return;
    // The dial ends here: the admission's one end.
    const bool opened = m_lives.at(found->second.connection).isOpen;
    call->disconnect(this);
    call->abort();
    end(call, opened ? "closed" : "failed", std::string(reason));
}

void HttpsCalls::release(net::EventStreamCall *call)
{
    if (const auto found = m_calls.find(call); found != m_calls.end())
        found->second.turn = {};
    QTimer::singleShot(longestRest, call,
                       [this, call] { drop(call, "failed_turn", net::readClock()); });
}

void HttpsCalls::closeAll(std::string_view reason, base::Now now)
{
    while (!m_calls.empty())
        drop(m_calls.begin()->first, reason, now);
    m_idle.closeAll(QString::fromUtf8(reason.data(), static_cast<qsizetype>(reason.size())));
}

ledger::Connection HttpsCalls::describe(std::uint64_t connection, std::string_view event) const
{
    ledger::Connection record;
    record.event = std::string(event);
    record.connection = connection;
    if (const auto life = m_lives.find(connection); life != m_lives.end()) {
        record.request = life->second.request;
        record.ageMs = milliseconds(net::readClock().steady - life->second.dialledAt);
        record.turns = life->second.turns;
        record.recovery = life->second.recovery;
    }
    return record;
}

void HttpsCalls::credentialChanged()
{
    if (m_state == "rejecting (401)")
        m_state = "untried";
}

} // namespace headway::engine
