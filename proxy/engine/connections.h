// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/admission.h"
#include "proxy/engine/upstreamaccess.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/upstreamsocket.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::engine {

// The turn that runs on a connection. One at a time per connection.
class ConnectionUser
{
public:
    virtual void connectionOpened() = 0;
    virtual void connectionRejected(const net::UpgradeReply &reply) = 0;
    virtual void connectionFailed(const QString &reason) = 0;
    // There is none to present, and only the user can help; `reason` says how.
    virtual void connectionWithoutCredential(const QString &reason) = 0;
    virtual void connectionReceived(std::string_view message, std::size_t capacity) = 0;
    virtual void connectionClosed(std::uint16_t code, const QString &reason) = 0;

protected:
    ~ConnectionUser() = default;
};

// All upstream sockets of the proxy: who uses which, whether they live, and the connection records.
class Connections final : public QObject
{
    Q_OBJECT

public:
    struct Dial
    {
        ConnectionUser *user = nullptr;
        base::TurnId turn;
        std::uint64_t request = 0; // admission; 0 = recovery
        std::string model = {}; // it may need headers of its own
    };

    // `access` outlives it.
    Connections(net::Endpoint endpoint, UpstreamAccess &access, QObject *parent = nullptr);
    ~Connections() override;

    [[nodiscard]] base::ConnectionId dial(const Dial &dial, base::Now now);
    void send(base::ConnectionId id, std::string_view frame);
    // The turn on it has changed (or, with nullptr, is over: the connection idles).
    void setUser(base::ConnectionId id, ConnectionUser *user, base::TurnId turn);
    void setPaused(base::ConnectionId id, bool paused);
    // Ends it without telling its user. A socket in the middle of a response is reset.
    void close(base::ConnectionId id, std::string_view reason, bool evicted, base::Now now);
    void closeAll(std::string_view reason, base::Now now);

    // Liveness (spec/heads.md section 2): ping after 15 s of silence, 10 s for the pong, two misses
    // are dead. Called once a second.
    void tick(base::Now now);

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    // Open ones, and those of them without a turn.
    [[nodiscard]] pacing::SocketLevel level() const { return m_level; }
    [[nodiscard]] const net::Endpoint &endpoint() const { return m_endpoint; }
    [[nodiscard]] const std::string &state() const { return m_state; }

Q_SIGNALS:
    void recorded(headway::base::TurnId turn, const headway::ledger::Connection &record);
    void rejectedByProvider();
    void levelChanged(); // level() is another
    // The answer to an upgrade, of whatever status.
    void answered(const headway::net::UpgradeReply &reply);
    // The provider does not accept it (401): what was opened with it is not continued any more.
    void credentialRejected(headway::base::Fingerprint credential);
    // An idle connection went away; its heads are lost.
    void idleLost(headway::base::ConnectionId id, headway::heads::EvictionReason reason);

private:
    struct Entry;

    void wire(base::ConnectionId id, Entry &entry);
    void open(base::ConnectionId id, const UpstreamAccess::Result &pass);
    void onOpened(base::ConnectionId id);
    void onRejected(base::ConnectionId id, const net::UpgradeReply &reply);
    void onFailed(base::ConnectionId id, const QString &reason);
    void onWithoutCredential(base::ConnectionId id, const QString &reason);
    void onClosed(base::ConnectionId id, std::uint16_t code, const QString &reason);
    void declareDead(base::ConnectionId id, base::Now now);
    [[nodiscard]] ledger::Connection describe(base::ConnectionId id, const Entry &entry,
                                              std::string_view event, base::Now now) const;
    void erase(base::ConnectionId id);
    void count(const Entry &entry, bool in);

    net::Endpoint m_endpoint;
    UpstreamAccess &m_access;
    std::unordered_map<base::ConnectionId, std::unique_ptr<Entry>> m_entries;
    std::uint64_t m_nextId = 1;
    pacing::SocketLevel m_level;
    std::string m_state = "untried";
};

} // namespace headway::engine
