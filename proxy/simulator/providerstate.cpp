// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/providerstate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway::simulator {

namespace {

constexpr std::size_t maxStored = 4096;
constexpr std::size_t maxInstants = 100'000;
constexpr base::Seconds meterWindow{60};

base::WallTime wallNow()
{
    return std::chrono::floor<base::Milliseconds>(std::chrono::system_clock::now());
}

} // namespace

ApiError faultError(const Fault &fault)
{
    ApiError error;
    error.status = fault.status;
    error.type = fault.status >= 500 ? "server_error"
        : fault.status == 429        ? "rate_limit_error"
                                     : "invalid_request_error";
    error.code = fault.code;
    error.message = fault.message.isEmpty()
        ? "The scenario asked for this error (" + fault.code + ")."
        : fault.message;
    if (fault.retryAfter)
        error.retryAfterSeconds
            = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(*fault.retryAfter).count());
    return error;
}

ProviderState::ProviderState(Scenario scenario)
    : m_scenario(std::move(scenario))
    , m_random(m_scenario.seed)
    , m_mint(m_random.next())
    , m_limiter(m_scenario.upgradeLimits, m_scenario.othersPerMinute, m_random.next(), now())
    , m_faults(m_scenario.faults, now())
{
}

base::SteadyTime ProviderState::now()
{
    return std::chrono::steady_clock::now();
}

base::Milliseconds ProviderState::draw(DurationRange range)
{
    const auto low = static_cast<double>(range.first.count());
    const auto high = static_cast<double>(range.second.count());
    return base::Milliseconds{std::llround(m_random.uniform(low, high))};
}

UpgradeVerdict ProviderState::askUpgrade()
{
    UpgradeVerdict verdict = m_limiter.ask(now(), m_statistics.openSockets);
    if (!verdict.accepted) {
        ++m_statistics.upgradesRejected;
        return verdict;
    }
    ++m_statistics.upgradesAccepted;
    if (m_statistics.acceptedAt.size() < maxInstants)
        m_statistics.acceptedAt.push_back(now());
    ++m_statistics.openSockets;
    m_statistics.largestOpenSockets
        = std::max(m_statistics.largestOpenSockets, m_statistics.openSockets);
    return verdict;
}

tl::expected<RunningTurn, ApiError> ProviderState::begin(const QJsonObject &request,
                                                         const ChainContext *parent,
                                                         bool parentCached, const QByteArray &lane,
                                                         bool empty)
{
    auto accepted = acceptTurn(request, parent, parentCached, m_mint);
    if (!accepted)
        return tl::unexpected(accepted.error());
    if (auto error = charge(accepted->inputTokens))
        return tl::unexpected(*error);
    const PlannedReply plan
        = empty ? PlannedReply{} : planReply(*accepted, m_scenario.replies, m_mint, m_random);
    RunningTurn turn{.accepted = std::move(*accepted),
                     .script = {},
                     .pace
                     = {.firstToken = draw(m_scenario.firstToken), .total = draw(m_scenario.turn)}};
    turn.script = buildScript(turn.accepted, plan, lane, wallNow(), m_mint);
    if (!turn.accepted.generate)
        turn.pace = {};
    return turn;
}

ChainContext ProviderState::complete(const AcceptedTurn &turn, const EventScript &script)
{
    ++m_statistics.turns;
    if (!turn.generate)
        ++m_statistics.warmUps;
    if (turn.request.contains(QLatin1String("previous_response_id")))
        ++m_statistics.continuations;
    m_statistics.inputTokens += static_cast<std::uint64_t>(turn.inputTokens);
    m_statistics.cachedTokens += static_cast<std::uint64_t>(turn.cachedTokens);
    ChainContext context = turn.context;
    appendOutput(context, script.output);
    if (turn.request.value(QLatin1String("store")).toBool(true)) {
        m_stored.insert_or_assign(script.responseId, context);
        m_storedOrder.push_back(script.responseId);
        if (m_storedOrder.size() > maxStored) {
            m_stored.erase(m_storedOrder.front());
            m_storedOrder.pop_front();
        }
    }
    return context;
}

const ChainContext *ProviderState::stored(const QString &responseId) const
{
    const auto found = m_stored.find(responseId);
    return found == m_stored.end() ? nullptr : &found->second;
}

double ProviderState::usedTokens(base::SteadyTime now)
{
    while (!m_charges.empty() && m_charges.front().first + meterWindow <= now)
        m_charges.pop_front();
    double used = 0;
    for (const auto &[at, tokens] : m_charges)
        used += tokens;
    return used;
}

std::optional<ApiError> ProviderState::charge(qsizetype tokens)
{
    if (!m_scenario.tokensPerMinute)
        return std::nullopt;
    const auto wanted = static_cast<double>(tokens);
    const base::SteadyTime at = now();
    const double used = usedTokens(at);
    if (used + wanted <= *m_scenario.tokensPerMinute) {
        m_charges.emplace_back(at, wanted);
        return std::nullopt;
    }
    const auto oldest = m_charges.empty() ? at : m_charges.front().first;
    const std::chrono::duration<double> wait = oldest + meterWindow - at;
    const int seconds = std::max(1, static_cast<int>(std::ceil(wait.count())));
    ApiError error;
    error.status = 429;
    error.type = "tokens";
    error.code = "rate_limit_exceeded";
    error.message = "Rate limit reached on tokens per min (TPM): Limit "
        + QByteArray::number(*m_scenario.tokensPerMinute, 'f', 0) + ", Used "
        + QByteArray::number(used, 'f', 0) + ", Requested " + QByteArray::number(wanted, 'f', 0)
        + ". Please try again in " + QByteArray::number(seconds) + "s.";
    error.retryAfterSeconds = seconds;
    return error;
}

std::vector<std::pair<QByteArray, QByteArray>> ProviderState::rateHeaders()
{
    if (!m_scenario.tokensPerMinute)
        return {};
    const base::SteadyTime at = now();
    const double limit = *m_scenario.tokensPerMinute;
    const double left = std::max(0.0, limit - usedTokens(at));
    const auto wait = m_charges.empty() ? base::Milliseconds{0}
                                        : std::chrono::duration_cast<base::Milliseconds>(
                                            m_charges.front().first + meterWindow - at);
    return {{"x-ratelimit-limit-tokens", QByteArray::number(limit, 'f', 0)},
            {"x-ratelimit-remaining-tokens", QByteArray::number(left, 'f', 0)},
            {"x-ratelimit-reset-tokens",
             QByteArray::number(static_cast<qlonglong>(wait.count())) + "ms"}};
}

} // namespace headway::simulator
