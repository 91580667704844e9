// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/dialects/modeltable.h"
#include "proxy/core/dialects/shaping.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/engine/turnchain.h"
#include "proxy/engine/turns.h"
#include "proxy/net/listener/listener.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace headway::engine {

class AnthropicRelay;

// The front doors: what clients ask becomes a turn, an answer of our own, or an error in their
// dialect.
class Doors final : public QObject
{
    Q_OBJECT

public:
    struct Rules
    {
        std::function<pacing::RequestBudget()> budget; // as set at this moment
        dialects::ModelTable models;
        std::optional<net::Endpoint> anthropic; // claude-* models are passed through to it
        dialects::UpstreamKind upstream = dialects::UpstreamKind::Other;
        bool cacheKeyPerAgent = false;
        std::function<dialects::ShapingRules()> shaping; // as set at this moment
        std::function<std::string()> state; // JSON of GET /headway/v1/state
        std::function<std::string()> metrics; // of GET /metrics
        std::function<void(net::ClientSocket *)> feed; // takes a reader of the feed
    };

    Doors(Services &services, Turns &turns, Rules rules, QObject *parent = nullptr);

    void requested(net::Exchange *exchange);
    void upgraded(net::ClientSocket *socket);
    void upgradeRefused();
    void setDraining(bool draining) { m_draining = draining; }
    // Requests that are passed through, as turns in flight; the second ends them honestly.
    [[nodiscard]] std::size_t relays() const { return m_relays.size(); }
    void abandonRelays();

    // Runs one response.create of a client's socket; nothing when it was refused at once (the
    // client has the error frame).
    [[nodiscard]] TurnRun *create(net::ClientSocket *socket, TurnChain &chain,
                                  const std::string &text);

Q_SIGNALS:
    void relayEnded();

private:
    void turnRequested(net::Exchange *exchange, dialects::Door door);
    [[nodiscard]] tl::expected<void, dialects::TurnError>
    route(dialects::TurnRequest &request) const;
    void models(net::Exchange *exchange);
    void countTokens(net::Exchange *exchange);
    [[nodiscard]] bool passedThrough(net::Exchange *exchange, std::string_view path,
                                     std::string &body);
    [[nodiscard]] base::TurnId nextTurn() { return base::TurnId{m_nextTurn++}; }

    Services &m_services;
    Turns &m_turns;
    Rules m_rules;
    std::unordered_set<AnthropicRelay *> m_relays;
    std::uint64_t m_nextTurn;
    std::optional<base::SteadyTime> m_upgradeRefusedAt; // and recorded
    bool m_draining = false;
};

} // namespace headway::engine
