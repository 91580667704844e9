// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/admission.h"
#include "proxy/engine/upstreamaccess.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/upstreamsocket.h"

#include <QObject>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headway::engine {

// A turn that runs on a connection, alone or on a lane of it.
class ConnectionUser
{
public:
    virtual void connectionOpened() = 0;
    virtual void connectionRejected(const net::UpgradeReply &reply) = 0;
    virtual void connectionFailed(const QString &reason, net::DialStage stage) = 0;
    // There is none to present, and only the user can help; `reason` says how.
    virtual void connectionWithoutCredential(const QString &reason) = 0;
    virtual void connectionReceived(std::string_view message, std::size_t capacity) = 0;
    // The same on a connection with lanes, where it was read to see whose it is.
    virtual void connectionEvent(const dialects::UpstreamEvent &event) = 0;
    virtual void connectionClosed(std::uint16_t code, const QString &reason) = 0;

    // The provider knows no lanes: the turn goes on without a name.
    virtual void laneLost() = 0;
    // Nothing of it went up yet, and nothing will on this connection: it must go elsewhere.
    virtual void laneUnavailable() = 0;
    // Its client reads so slowly that the lane's queue is full.
    virtual void laneOverflowed() = 0;

protected:
    ~ConnectionUser() = default;
};

// All upstream sockets of the proxy: who uses which lane of which, whether they live, and the
// connection records. A connection carries one turn without a lane, or several on one each.
class Connections final : public QObject
{
    Q_OBJECT

public:
    struct Dial
    {
        ConnectionUser *user = nullptr; // none: opened ahead
        base::TurnId turn;
        std::uint64_t request = 0; // admission; 0 = recovery
        std::string lane = {};
        std::string model = {}; // it may need headers of its own
    };

    // `access` outlives it. A dial may take `openTimeout` from the name to the answered upgrade.
    Connections(net::Endpoint endpoint, UpstreamAccess &access,
                std::chrono::milliseconds openTimeout, QObject *parent = nullptr);
    ~Connections() override;

    [[nodiscard]] base::ConnectionId dial(const Dial &dial, base::Now now);
    // A turn joins, on a lane that nobody uses; the connection may still be opening.
    void attach(base::ConnectionId id, std::string_view lane, ConnectionUser *user,
                base::TurnId turn);
    // Its turn is over, and upstream is done with it; without any turn the connection idles.
    void release(base::ConnectionId id, std::string_view lane);
    // Its turn has gone but upstream goes on: what comes is discarded until laneDrained().
    void drain(base::ConnectionId id, std::string_view lane, base::Now now);
    // The turn on the lane goes on without a name. False: another one does so already.
    [[nodiscard]] bool forgetName(base::ConnectionId id, std::string_view lane);

    // One create. It may be held back: for a sign of life of a connection unseen for long, or until
    // it is known that there are lanes.
    void send(base::ConnectionId id, std::string_view lane, std::string frame);
    // The turn's client does not keep up. Alone on its connection it stops the reading; else what
    // comes is queued, up to 1 MiB.
    void setPaused(base::ConnectionId id, std::string_view lane, bool paused);
    // Ends it without telling its users. A socket in the middle of a response is reset.
    void close(base::ConnectionId id, std::string_view reason, bool evicted, base::Now now);
    // The head of one lane went, the connection stays: for the record.
    void noteEvicted(base::ConnectionId id, std::string_view lane, std::string_view reason,
                     base::Now now);
    void closeAll(std::string_view reason, base::Now now);

    // Liveness (spec/heads.md section 2): ping after 15 s of silence, 10 s for the pong, two misses
    // are dead. Called once a second.
    void tick(base::Now now);

    // The provider refused, with the answer to a turn, what this connection was opened with: as an
    // upgrade that is answered 401.
    void refuseCredential(base::ConnectionId id);

    // A number no connection has had, for one that is not a WebSocket.
    [[nodiscard]] base::ConnectionId freshId() { return base::ConnectionId{m_nextId++}; }

    [[nodiscard]] bool isOpen(base::ConnectionId id) const;
    [[nodiscard]] bool contains(base::ConnectionId id) const { return m_entries.contains(id); }
    // Whether its create went up, or is still held.
    [[nodiscard]] bool hasSent(base::ConnectionId id, std::string_view lane) const;
    // A response ended there. One that comes again under its id is nobody's answer.
    void noteAnswer(base::ConnectionId id, std::string_view lane, std::string_view response);
    [[nodiscard]] bool isAnswered(base::ConnectionId id, std::string_view lane,
                                  std::string_view response) const;
    // Whether this turn is the one that finds out whether there are lanes.
    [[nodiscard]] bool isAsking(base::ConnectionId id, std::string_view lane) const;
    [[nodiscard]] std::size_t users(base::ConnectionId id) const; // draining ones included
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    // Open ones, and those of them without a turn.
    [[nodiscard]] pacing::SocketLevel level() const { return m_level; }
    [[nodiscard]] std::optional<base::SteadyTime> lastDial() const { return m_lastDial; }
    [[nodiscard]] const net::Endpoint &endpoint() const { return m_endpoint; }
    [[nodiscard]] const std::string &state() const { return m_state; }
    void credentialChanged(); // what was said of the one before counts no more

Q_SIGNALS:
    void recorded(headway::base::TurnId turn, const headway::ledger::Connection &record);
    void rejectedByProvider();
    void unanswered(); // an upgrade, though the connection stood; before its users are told
    void levelChanged(); // level() is another
    // The answer to an upgrade, of whatever status.
    void answered(const headway::net::UpgradeReply &reply);
    // The provider does not accept it: what was opened with it is not continued any more.
    void credentialRejected(headway::base::Fingerprint credential);
    // It is gone, or the provider says it is too old: nobody new goes there. Comes before its users
    // are told.
    void lost(headway::base::ConnectionId id, headway::heads::EvictionReason reason);
    // The first create with a stream_id was answered: with it, or without.
    void laneEchoed(headway::base::ConnectionId id);
    void laneRefused(headway::base::ConnectionId id);
    void laneDrained(headway::base::ConnectionId id, const std::string &lane);
    // It did not end within longestDrain, or not well; what still comes is nobody's.
    void drainFailed(headway::base::ConnectionId id, const std::string &lane);
    // How the dial of a connection opened ahead ended; status 0: it never came to an answer.
    void aheadEnded(headway::base::ConnectionId id, const headway::net::UpgradeReply &reply);

private:
    struct Entry;
    struct Lane;

    [[nodiscard]] Entry *find(base::ConnectionId id);
    [[nodiscard]] Lane *find(base::ConnectionId id, std::string_view lane);
    void wire(base::ConnectionId id, Entry &entry);
    void open(base::ConnectionId id, const UpstreamAccess::Result &pass);
    void onOpened(base::ConnectionId id);
    void onRejected(base::ConnectionId id, const net::UpgradeReply &reply);
    void onFailed(base::ConnectionId id, const QString &reason, net::DialStage stage);
    void onWithoutCredential(base::ConnectionId id, const QString &reason);
    [[nodiscard]] std::vector<ConnectionUser *>
    failDial(base::ConnectionId id, std::string_view state, const QString &reason);
    void onClosed(base::ConnectionId id, std::uint16_t code, const QString &reason);
    void onSeen(base::ConnectionId id);
    struct End
    {
        std::string_view reason; // for the record
        heads::EvictionReason eviction;
        std::uint16_t code;
        QString text; // for its users
    };
    void giveUp(base::ConnectionId id, const End &end, base::Now now);
    [[nodiscard]] ledger::Connection describe(base::ConnectionId id, const Entry &entry,
                                              std::string_view event, base::Now now) const;
    void erase(base::ConnectionId id);
    void count(const Entry &entry, bool in);

    // connectionlanes.cpp
    void received(base::ConnectionId id, std::string_view message, std::size_t capacity);
    void deliver(base::ConnectionId id, std::string_view lane,
                 const dialects::UpstreamEvent &event);
    void deliverQueued(base::ConnectionId id, std::string_view lane);
    [[nodiscard]] bool learn(base::ConnectionId id, std::string_view lane,
                             const dialects::UpstreamEvent &event);
    void takeEcho(base::ConnectionId id);
    void takeRefusal(base::ConnectionId id, std::string_view lane);
    void takeStray(base::ConnectionId id);
    void enqueue(base::ConnectionId id, std::string_view lane,
                 const dialects::UpstreamEvent &event);
    void drained(base::ConnectionId id, const std::string &lane,
                 const dialects::UpstreamEvent &event);
    void endDrain(base::ConnectionId id, std::string_view lane);
    void giveUpDrains(base::Now now);
    void sendHeld(base::ConnectionId id);
    void applyPause(Entry &entry);
    [[nodiscard]] bool mustWait(const Entry &entry, std::string_view lane) const;

    net::Endpoint m_endpoint;
    UpstreamAccess &m_access;
    std::chrono::milliseconds m_openTimeout;
    std::unordered_map<base::ConnectionId, std::unique_ptr<Entry>> m_entries;
    dialects::EventReader m_reader; // of what arrives
    dialects::EventReader m_queueReader; // of what was queued
    std::uint64_t m_nextId = 1;
    pacing::SocketLevel m_level;
    std::string m_state = "untried";
    std::optional<base::SteadyTime> m_lastDial;
    bool m_hasLanes = false; // an echo was seen
};

} // namespace headway::engine
