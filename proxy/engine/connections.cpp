// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/connections.h"

#include "proxy/engine/connectionentry.h"
#include "proxy/engine/statedwait.h"
#include "proxy/net/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

constexpr int switchingProtocols = 101;
constexpr std::uint16_t closeNormal = 1000;
constexpr std::uint16_t closeAbnormal = 1006;

double milliseconds(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::vector<ConnectionUser *> usersOf(const auto &lanes)
{
    std::vector<ConnectionUser *> users;
    for (const auto &[name, lane] : lanes) {
        if (lane.user)
            users.push_back(lane.user);
    }
    return users;
}

} // namespace

Connections::Connections(net::Endpoint endpoint, UpstreamAccess &access,
                         std::chrono::milliseconds openTimeout, QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_access(access)
    , m_openTimeout(openTimeout)
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
    m_lastDial = now.steady;
    auto entry = std::make_unique<Entry>(now);
    entry->socket = new net::UpstreamSocket(this);
    entry->dialledBy = dial.turn;
    entry->request = dial.request;
    entry->recovery = dial.request == 0;
    entry->ahead = dial.user == nullptr;
    if (dial.user) {
        entry->lanes[dial.lane] = Lane{.user = dial.user, .turn = dial.turn};
        entry->turns = 1;
    }
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
        entry.socket->open(pass->endpoint, headers, m_openTimeout);
        return;
    }
    // Later: whoever dialled may not know the id yet.
    QMetaObject::invokeMethod(
        entry.socket,
        [this, id, why = pass.error()] {
            if (find(id) == nullptr) // closed meanwhile
                return;
            if (why.passing)
                onFailed(id, why.text, net::DialStage::Connecting);
            else
                onWithoutCredential(id, why.text);
        },
        Qt::QueuedConnection);
}

// A dial that came to no connection is recorded, and gone; whoever was to use it.
std::vector<ConnectionUser *> Connections::failDial(base::ConnectionId id, std::string_view state,
                                                    const QString &reason)
{
    const Entry &entry = *find(id);
    ledger::Connection record = describe(id, entry, "failed", net::readClock());
    record.reason = reason.toStdString();
    m_state = std::string(state) + ": " + record.reason;
    auto users = usersOf(entry.lanes);
    const bool ahead = entry.ahead;
    Q_EMIT recorded(entry.dialledBy, record);
    erase(id);
    Q_EMIT lost(id, heads::EvictionReason::FailedTurn);
    if (ahead)
        Q_EMIT aheadEnded(id, {});
    return users;
}

void Connections::onWithoutCredential(base::ConnectionId id, const QString &reason)
{
    for (ConnectionUser *const user : failDial(id, "no credential", reason))
        user->connectionWithoutCredential(reason);
}

void Connections::wire(base::ConnectionId id, Entry &entry)
{
    using net::UpstreamSocket;
    connect(entry.socket, &UpstreamSocket::opened, this,
            [this, id](const net::UpgradeReply &reply) {
                Q_EMIT answered(reply);
                onOpened(id);
            });
    connect(entry.socket, &UpstreamSocket::rejected, this,
            [this, id](const net::UpgradeReply &reply) { onRejected(id, reply); });
    connect(
        entry.socket, &UpstreamSocket::failed, this,
        [this, id](const QString &reason, net::DialStage stage) { onFailed(id, reason, stage); });
    connect(entry.socket, &UpstreamSocket::received, this,
            [this, id](std::string_view message, std::size_t capacity) {
                received(id, message, capacity);
            });
    connect(entry.socket, &UpstreamSocket::seen, this, [this, id] { onSeen(id); });
    connect(entry.socket, &UpstreamSocket::closed, this,
            [this, id](quint16 code, const QString &reason) { onClosed(id, code, reason); });
}

Connections::Entry *Connections::find(base::ConnectionId id)
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : found->second.get();
}

void Connections::onSeen(base::ConnectionId id)
{
    Entry *const entry = find(id);
    entry->liveness.seen(net::readClock());
    if (entry->holds)
        sendHeld(id);
}

void Connections::onOpened(base::ConnectionId id)
{
    Entry &entry = *find(id);
    entry.isOpen = true;
    count(entry, true);
    Q_EMIT levelChanged();
    m_state = "ok";
    Q_EMIT recorded(entry.dialledBy, describe(id, entry, "opened", net::readClock()));
    const auto users = usersOf(entry.lanes);
    if (entry.ahead)
        Q_EMIT aheadEnded(id, {.status = switchingProtocols, .headers = {}, .body = {}});
    for (ConnectionUser *const user : users)
        user->connectionOpened();
}

void Connections::onRejected(base::ConnectionId id, const net::UpgradeReply &reply)
{
    const base::Now now = net::readClock();
    const Entry &entry = *find(id);
    ledger::Connection record = describe(id, entry, "rejected", now);
    record.status = static_cast<std::uint64_t>(reply.status);
    if (const auto after = statedWait(reply, now.wall))
        record.retryAfterMs = static_cast<double>(after->count());
    for (const std::string_view name : {"cf-ray", "x-request-id", "x-oai-request-id"}) {
        if (record.upstreamRequestId.empty())
            record.upstreamRequestId = std::string(reply.header(name));
    }
    m_state = "rejecting (" + std::to_string(reply.status) + ")";
    const auto users = usersOf(entry.lanes);
    const bool ahead = entry.ahead;
    Q_EMIT recorded(entry.dialledBy, record);
    if (reply.status == 401)
        refuseCredential(id);
    Q_EMIT answered(reply);
    Q_EMIT rejectedByProvider();
    erase(id);
    Q_EMIT lost(id, heads::EvictionReason::FailedTurn);
    if (ahead)
        Q_EMIT aheadEnded(id, reply);
    for (ConnectionUser *const user : users)
        user->connectionRejected(reply);
}

void Connections::refuseCredential(base::ConnectionId id)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    const std::string key = found->second->key;
    m_access.refused(key);
    Q_EMIT credentialRejected(m_access.fingerprint(key));
}

void Connections::onFailed(base::ConnectionId id, const QString &reason, net::DialStage stage)
{
    if (stage == net::DialStage::Unanswered)
        Q_EMIT unanswered();
    for (ConnectionUser *const user : failDial(id, "unreachable", reason))
        user->connectionFailed(reason, stage);
}

// A fault of the connection is one of every turn on it: each goes into its own recovery, once none
// of them can be put on it again.
void Connections::onClosed(base::ConnectionId id, std::uint16_t code, const QString &reason)
{
    const Entry &entry = *find(id);
    ledger::Connection record = describe(id, entry, "closed", net::readClock());
    record.closeCode = code;
    record.reason = name(heads::EvictionReason::PeerClosed);
    record.detail = reason.toStdString();
    const auto users = usersOf(entry.lanes);
    const base::TurnId turn = entry.onlyTurn();
    Q_EMIT recorded(turn, record);
    erase(id);
    Q_EMIT lost(id, heads::EvictionReason::PeerClosed);
    for (ConnectionUser *const user : users)
        user->connectionClosed(code, reason);
}

bool Connections::isOpen(base::ConnectionId id) const
{
    const auto found = m_entries.find(id);
    return found != m_entries.end() && found->second->isOpen;
}

std::size_t Connections::users(base::ConnectionId id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? 0 : found->second->lanes.size();
}

void Connections::count(const Entry &entry, bool in)
{
    if (!entry.isOpen)
        return;
    const auto add = [in](std::size_t &number) { in ? ++number : --number; };
    add(m_level.open);
    if (entry.lanes.empty())
        add(m_level.idle);
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
    const bool midTurn = !entry.lanes.empty();
    const base::TurnId turn = entry.isOpen ? entry.onlyTurn() : entry.dialledBy;
    net::UpstreamSocket *const socket = entry.socket;
    socket->disconnect(this);
    if (midTurn || !entry.isOpen)
        socket->abort();
    else
        socket->close(closeNormal);
    Q_EMIT recorded(turn, record);
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
        giveUp(id,
               {.reason = name(heads::EvictionReason::ProbeFailed),
                .eviction = heads::EvictionReason::ProbeFailed,
                .code = closeAbnormal,
                .text = QStringLiteral("no answer to pings")},
               now);
    giveUpDrains(now);
}

// We end it, and its users have lost it.
void Connections::giveUp(base::ConnectionId id, const End &end, base::Now now)
{
    const Entry *const entry = find(id);
    if (!entry)
        return;
    const auto users = usersOf(entry->lanes);
    close(id, end.reason, users.empty(), now);
    Q_EMIT lost(id, end.eviction);
    for (ConnectionUser *const user : users)
        user->connectionClosed(end.code, end.text);
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

void Connections::credentialChanged()
{
    if (m_state == "rejecting (401)")
        m_state = "untried";
}

} // namespace headway::engine
