// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/connections.h"

#include "proxy/core/heads/liveness.h"
#include "proxy/core/pacing/backoff.h"
#include "proxy/net/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

constexpr std::uint16_t closeNormal = 1000;

double milliseconds(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

struct Connections::Entry
{
    explicit Entry(base::Now now)
        : dialledAt(now.steady)
        , liveness(now)
    {
    }

    net::UpstreamSocket *socket = nullptr;
    std::string key; // it was opened with
    ConnectionUser *user = nullptr;
    base::TurnId turn;
    std::uint64_t request = 0;
    bool recovery = false;
    bool isOpen = false;
    base::SteadyTime dialledAt;
    heads::Liveness liveness;
    std::string held; // a frame that waits for a sign of life
    std::uint64_t turns = 0;
};

Connections::Connections(net::Endpoint endpoint, UpstreamAccess &access, QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_access(access)
{
}

Connections::~Connections()
{
    for (auto &[id, entry] : m_entries)
        entry->socket->disconnect(this);
}

base::ConnectionId Connections::dial(const Dial &dial, base::Now now)
{
    const base::ConnectionId id{m_nextId++};
    auto entry = std::make_unique<Entry>(now);
    entry->socket = new net::UpstreamSocket(this);
    entry->user = dial.user;
    entry->turn = dial.turn;
    entry->request = dial.request;
    entry->recovery = dial.request == 0;
    entry->turns = 1;
    wire(id, *entry);
    Q_EMIT recorded(dial.turn, describe(id, *entry, "dialled", now));
    net::UpstreamSocket *socket = entry->socket;
    m_entries.emplace(id, std::move(entry));
    m_access.ask(dial.model, socket,
                 [this, id](const UpstreamAccess::Result &pass) { open(id, pass); });
    return id;
}

void Connections::open(base::ConnectionId id, const UpstreamAccess::Result &pass)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end()) // closed while the credential was renewed
        return;
    Entry &entry = *found->second;
    if (pass) {
        net::RequestHeaders headers = pass->headers;
        if (std::ranges::none_of(headers, [](const auto &h) { return h.first == "openai-beta"; }))
            headers.emplace_back("openai-beta", "responses_websockets=2026-02-06");
        entry.key = pass->endpoint.key;
        entry.socket->open(pass->endpoint, headers);
        return;
    }
    // Later: whoever dialled may not know the id yet.
    QMetaObject::invokeMethod(
        entry.socket,
        [this, id, why = pass.error()] {
            if (why.passing)
                onFailed(id, why.text);
            else
                onWithoutCredential(id, why.text);
        },
        Qt::QueuedConnection);
}

void Connections::onWithoutCredential(base::ConnectionId id, const QString &reason)
{
    const Entry &entry = *m_entries.at(id);
    ledger::Connection record = describe(id, entry, "failed", net::readClock());
    record.reason = reason.toStdString();
    m_state = "no credential: " + record.reason;
    ConnectionUser *const user = entry.user;
    Q_EMIT recorded(entry.turn, record);
    erase(id);
    if (user)
        user->connectionWithoutCredential(reason);
}

void Connections::wire(base::ConnectionId id, Entry &entry)
{
    using net::UpstreamSocket;
    Entry *const e = &entry; // lives as long as the socket is wired
    connect(entry.socket, &UpstreamSocket::opened, this,
            [this, id](const net::UpgradeReply &reply) {
                Q_EMIT answered(reply);
                onOpened(id);
            });
    connect(entry.socket, &UpstreamSocket::rejected, this,
            [this, id](const net::UpgradeReply &reply) { onRejected(id, reply); });
    connect(entry.socket, &UpstreamSocket::failed, this,
            [this, id](const QString &reason) { onFailed(id, reason); });
    connect(entry.socket, &UpstreamSocket::received, this,
            [e](std::string_view message, std::size_t capacity) {
                if (e->user)
                    e->user->connectionReceived(message, capacity);
            });
    connect(entry.socket, &UpstreamSocket::seen, this, [e] {
        e->liveness.seen(net::readClock());
        if (!e->held.empty())
            e->socket->sendText(std::exchange(e->held, {}));
    });
    connect(entry.socket, &UpstreamSocket::closed, this,
            [this, id](quint16 code, const QString &reason) { onClosed(id, code, reason); });
}

void Connections::onOpened(base::ConnectionId id)
{
    Entry &entry = *m_entries.at(id);
    entry.isOpen = true;
    count(entry, true);
    Q_EMIT levelChanged();
    m_state = "ok";
    Q_EMIT recorded(entry.turn, describe(id, entry, "opened", net::readClock()));
    if (entry.user)
        entry.user->connectionOpened();
}

void Connections::onRejected(base::ConnectionId id, const net::UpgradeReply &reply)
{
    const base::Now now = net::readClock();
    const Entry &entry = *m_entries.at(id);
    ledger::Connection record = describe(id, entry, "rejected", now);
    record.status = static_cast<std::uint64_t>(reply.status);
    if (const auto after = pacing::parseRetryAfter(reply.header("retry-after"), now.wall))
        record.retryAfterMs = static_cast<double>(after->count());
    for (const std::string_view name : {"cf-ray", "x-request-id", "x-oai-request-id"}) {
        if (record.upstreamRequestId.empty())
            record.upstreamRequestId = std::string(reply.header(name));
    }
    m_state = "rejecting (" + std::to_string(reply.status) + ")";
    ConnectionUser *const user = entry.user;
    const std::string key = entry.key;
    Q_EMIT recorded(entry.turn, record);
    if (reply.status == 401) {
        m_access.refused(key);
        Q_EMIT credentialRejected(m_access.fingerprint(key));
    }
    Q_EMIT answered(reply);
    Q_EMIT rejectedByProvider();
    erase(id);
    if (user)
        user->connectionRejected(reply);
}

void Connections::onFailed(base::ConnectionId id, const QString &reason)
{
    const Entry &entry = *m_entries.at(id);
    ledger::Connection record = describe(id, entry, "failed", net::readClock());
    record.reason = reason.toStdString();
    m_state = "unreachable: " + record.reason;
    ConnectionUser *const user = entry.user;
    Q_EMIT recorded(entry.turn, record);
    erase(id);
    if (user)
        user->connectionFailed(reason);
}

void Connections::onClosed(base::ConnectionId id, std::uint16_t code, const QString &reason)
{
    const Entry &entry = *m_entries.at(id);
    ledger::Connection record = describe(id, entry, "closed", net::readClock());
    record.closeCode = code;
    record.reason = reason.isEmpty() ? "peer_closed" : reason.toStdString();
    ConnectionUser *const user = entry.user;
    Q_EMIT recorded(entry.turn, record);
    erase(id);
    if (user)
        user->connectionClosed(code, reason);
    else
        Q_EMIT idleLost(id, heads::EvictionReason::PeerClosed);
}

void Connections::send(base::ConnectionId id, std::string_view frame)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    Entry &entry = *found->second;
    const base::Now now = net::readClock();
    if (!entry.liveness.mustProbe(now)) {
        entry.socket->sendText(frame);
        return;
    }
    // Unseen for so long (the machine slept), it may be dead: the turn follows the sign of life.
    entry.liveness.probe(now);
    entry.socket->ping();
    entry.held = frame;
}

void Connections::setUser(base::ConnectionId id, ConnectionUser *user, base::TurnId turn)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    Entry &entry = *found->second;
    if (user && user != entry.user)
        ++entry.turns;
    count(entry, false);
    entry.user = user;
    entry.turn = user ? turn : base::TurnId{};
    count(entry, true);
    Q_EMIT levelChanged();
}

void Connections::count(const Entry &entry, bool in)
{
    if (!entry.isOpen)
        return;
    const auto add = [in](std::size_t &number) { in ? ++number : --number; };
    add(m_level.open);
    if (!entry.user)
        add(m_level.idle);
}

void Connections::setPaused(base::ConnectionId id, bool paused)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    if (paused)
        found->second->liveness.paused();
    else
        found->second->liveness.resumed(net::readClock());
    found->second->socket->setReadingPaused(paused);
}

void Connections::close(base::ConnectionId id, std::string_view reason, bool evicted, base::Now now)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    Entry &entry = *found->second;
    ledger::Connection record = describe(id, entry, evicted ? "evicted" : "closed", now);
    record.reason = std::string(reason);
    if (!entry.isOpen)
        record.event = "failed"; // the dial ends here: the admission's one end
    const bool midTurn = entry.user != nullptr;
    net::UpstreamSocket *const socket = entry.socket;
    socket->disconnect(this);
    if (midTurn || !entry.isOpen)
        socket->abort();
    else
        socket->close(closeNormal);
    Q_EMIT recorded(entry.turn, record);
    count(entry, false);
    m_entries.erase(found);
    Q_EMIT levelChanged();
    // A graceful close still has to get its frame out; the socket goes once the peer has answered.
    if (socket->isOpen())
        connect(socket, &net::UpstreamSocket::closed, socket, &QObject::deleteLater);
    else
        socket->deleteLater();
}

void Connections::closeAll(std::string_view reason, base::Now now)
{
    while (!m_entries.empty())
        close(m_entries.begin()->first, reason, false, now);
}

void Connections::tick(base::Now now)
{
    std::vector<base::ConnectionId> dead;
    for (auto &[id, entry] : m_entries) {
        if (!entry->isOpen)
            continue;
        switch (entry->liveness.due(now)) {
        case heads::Liveness::Action::Nothing:
            break;
        case heads::Liveness::Action::Ping:
            entry->socket->ping();
            break;
        case heads::Liveness::Action::Dead:
            dead.push_back(id);
            break;
        }
    }
    for (const base::ConnectionId id : dead)
        declareDead(id, now);
}

void Connections::declareDead(base::ConnectionId id, base::Now now)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    ConnectionUser *const user = found->second->user;
    close(id, name(heads::EvictionReason::ProbeFailed), user == nullptr, now);
    if (user)
        user->connectionClosed(1006, QStringLiteral("no answer to pings"));
    else
        Q_EMIT idleLost(id, heads::EvictionReason::ProbeFailed);
}

ledger::Connection Connections::describe(base::ConnectionId id, const Entry &entry,
                                         std::string_view event, base::Now now) const
{
    ledger::Connection record;
    record.event = std::string(event);
    record.connection = id.value();
    record.request = entry.request;
    record.ageMs = milliseconds(now.steady - entry.dialledAt);
    record.turns = entry.turns;
    record.bytesUp = entry.socket->bytesUp();
    record.bytesDown = entry.socket->bytesDown();
    record.recovery = entry.recovery;
    return record;
}

void Connections::erase(base::ConnectionId id)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    found->second->socket->disconnect(this);
    found->second->socket->deleteLater();
    count(*found->second, false);
    m_entries.erase(found);
    Q_EMIT levelChanged();
}

} // namespace headway::engine
