// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/simulator/eventscript.h"
#include "proxy/simulator/faultschedule.h"
#include "proxy/simulator/responder.h"
#include "proxy/simulator/scenario.h"
#include "proxy/simulator/statistics.h"
#include "proxy/simulator/upgradelimiter.h"
#include "proxy/simulator/wireevent.h"

#include <deque>
#include <functional>
#include <unordered_map>

namespace headway::simulator {

// A turn that runs: what was accepted, what will be said, and how fast.
struct RunningTurn
{
    AcceptedTurn accepted;
    EventScript script;
    Responder::Pace pace;
};

// The error that a scenario's ErrorEvent asks for.
[[nodiscard]] ApiError faultError(const Fault &fault);

// What all connections of one provider share: scenario, random draws, limits, faults, statistics,
// and the responses stored with store:true.
class ProviderState final
{
public:
    explicit ProviderState(Scenario scenario);

    [[nodiscard]] const Scenario &scenario() const { return m_scenario; }
    [[nodiscard]] Statistics &statistics() { return m_statistics; }
    [[nodiscard]] const Statistics &statistics() const { return m_statistics; }
    [[nodiscard]] FaultSchedule &faults() { return m_faults; }

    // Who is told what goes over the wire; until then nobody.
    void setObserver(std::function<void(const WireEvent &)> observer)
    {
        m_observer = std::move(observer);
    }
    void tell(std::uint64_t connection, WireEvent::Kind kind, const QByteArray &text = {},
              int code = 0) const
    {
        if (m_observer)
            m_observer({connection, kind, text, code});
    }
    [[nodiscard]] std::uint64_t nextConnection() { return ++m_connections; }

    [[nodiscard]] static base::SteadyTime now();
    [[nodiscard]] base::Milliseconds draw(DurationRange range);

    // Counts the answer too.
    [[nodiscard]] UpgradeVerdict askUpgrade();

    // Judges a create whose fields were checked, meters its tokens and plans the reply (`empty`:
    // one without output).
    [[nodiscard]] tl::expected<RunningTurn, ApiError> begin(const QJsonObject &request,
                                                            const ChainContext *parent,
                                                            bool parentCached,
                                                            const QByteArray &lane, bool empty);

    // Remembers a completed response when the request says store (the default of the public API).
    // Returns its context.
    ChainContext complete(const AcceptedTurn &turn, const EventScript &script);
    [[nodiscard]] const ChainContext *stored(const QString &responseId) const;

    // x-ratelimit-*-tokens, where the scenario has tokens_per_min.
    [[nodiscard]] std::vector<std::pair<QByteArray, QByteArray>> rateHeaders();

private:
    [[nodiscard]] std::optional<ApiError> charge(qsizetype tokens);
    [[nodiscard]] double usedTokens(base::SteadyTime now);

    Scenario m_scenario;
    base::Random m_random;
    Mint m_mint;
    UpgradeLimiter m_limiter;
    FaultSchedule m_faults;
    Statistics m_statistics;
    std::unordered_map<QString, ChainContext> m_stored;
    std::deque<QString> m_storedOrder;
    std::deque<std::pair<base::SteadyTime, double>> m_charges; // of the last minute
    std::function<void(const WireEvent &)> m_observer;
    std::uint64_t m_connections = 0;
};

} // namespace headway::simulator
