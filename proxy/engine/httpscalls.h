// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/ledger/record.h"
#include "proxy/engine/upstreamaccess.h"
#include "proxy/net/upstream/eventstreamcall.h"
#include "proxy/net/upstream/idleconnections.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headway::engine {

class Connections;

// The calls of an endpoint over HTTPS: one turn each, their kept-alive connections, and the
// connection records. Ids are those of Connections, so that the ledger counts both as one.
class HttpsCalls final : public QObject
{
    Q_OBJECT

public:
    enum class On : std::uint8_t { NewConnection, IdleConnection };
    struct Opening
    {
        base::TurnId turn;
        std::uint64_t request = 0; // admission of a new connection; 0 = recovery
        std::string model = {}; // it may need headers of its own
        // There is no credential to present: instead of the call's signals, and never from within
        // start().
        std::function<void(const CredentialError &error)> withoutCredential = {};
    };

    // `access` outlives it.
    HttpsCalls(Connections &connections, UpstreamAccess &access, QObject *parent = nullptr);
    ~HttpsCalls() override;

    // Without an idle connection a new one is opened whatever `on` says. The call's signals are the
    // turn's to connect; it belongs to this object, and after refused(), ended(), failed() and
    // withoutCredential it is gone.
    [[nodiscard]] net::EventStreamCall *start(const Opening &opening, std::string body, On on,
                                              base::Now now);
    [[nodiscard]] base::ConnectionId idOf(net::EventStreamCall *call) const;
    [[nodiscard]] bool isOnNewConnection(net::EventStreamCall *call) const;
    [[nodiscard]] bool hasIdle() const;
    // As Connections::refuseCredential(), by an event of the reply.
    void refuseCredential(net::EventStreamCall *call);
    // The turn gives it up: TCP at once.
    void drop(net::EventStreamCall *call, std::string_view reason, base::Now now);
    // The turn is complete: the rest of the stream is read, so that the connection can be kept.
    void release(net::EventStreamCall *call);
    void closeAll(std::string_view reason, base::Now now);

    // As Snapshot::upstreamState says.
    [[nodiscard]] const std::string &state() const { return m_state; }
    void credentialChanged(); // what was said of the one before counts no more

Q_SIGNALS:
    void recorded(headway::base::TurnId turn, const headway::ledger::Connection &record);
    void answered(const headway::net::UpgradeReply &reply); // of whatever status
    // As Connections::credentialRejected().
    void credentialRejected(headway::base::Fingerprint credential);

private:
    struct Life // of a connection
    {
        base::SteadyTime dialledAt;
        std::uint64_t request = 0;
        std::uint64_t turns = 0;
        bool recovery = false;
        bool isOpen = false;
    };
    struct Entry
    {
        std::uint64_t connection = 0;
        base::TurnId turn;
        bool isNew = false;
        std::string key = {}; // that it presents
        std::function<void(const CredentialError &error)> withoutCredential = {};
        std::string body = {}; // until there is a credential, and so is:
        std::unique_ptr<net::HttpsConnection> idle = {};
    };

    void wire(net::EventStreamCall *call);
    void open(net::EventStreamCall *call, const UpstreamAccess::Result &pass);
    void onWithoutCredential(net::EventStreamCall *call, const CredentialError &error);
    void onConnected(net::EventStreamCall *call);
    void onAnswered(net::EventStreamCall *call, const net::UpgradeReply &reply, bool accepted);
    void onOver(net::EventStreamCall *call);
    void onFailed(net::EventStreamCall *call, net::HttpsExchange::Stage stage, const QString &why);
    void end(net::EventStreamCall *call, std::string_view event, std::string reason,
             std::string detail = {});
    [[nodiscard]] ledger::Connection describe(std::uint64_t connection,
                                              std::string_view event) const;

    Connections &m_connections;
    UpstreamAccess &m_access;
    net::IdleConnections m_idle;
    std::unordered_map<net::EventStreamCall *, Entry> m_calls;
    std::unordered_map<std::uint64_t, Life> m_lives; // by connection
    std::string m_state = "untried";
};

} // namespace headway::engine
