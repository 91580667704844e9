// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/snapshotbuilder.h"

#include "proxy/core/json/quote.h"
#include "proxy/core/ledger/text.h"
#include "proxy/engine/tuning.h"

#include <algorithm>
#include <chrono>

namespace headway::engine {

namespace {

base::Milliseconds toMs(base::Nanoseconds duration)
{
    return std::chrono::duration_cast<base::Milliseconds>(duration);
}

void member(std::string &json, std::string_view key, std::uint64_t value)
{
    if (json.back() != '{')
        json += ',';
    json::appendQuoted(json, key);
    json += ':';
    json += std::to_string(value);
}

void member(std::string &json, std::string_view key, std::string_view value)
{
    if (json.back() != '{')
        json += ',';
    json::appendQuoted(json, key);
    json += ':';
    json::appendQuoted(json, value);
}

} // namespace

SnapshotBuilder::SnapshotBuilder(Services &services, const Turns &turns,
                                 const settings::Settings &settings)
    : m_services(services)
    , m_turns(turns)
    , m_settings(settings)
{
}

std::vector<live::HeadRow> SnapshotBuilder::headRows(base::Now now) const
{
    std::vector<live::HeadRow> rows;
    for (const heads::HeadView &view : m_services.pool.views(now)) {
        live::HeadRow row;
        row.head = view.head.value();
        row.connection = view.connection;
        row.lane = view.lane;
        row.partition = m_services.installKey.tag(view.partition);
        row.generation = view.generation;
        row.inFlight = view.inFlight;
        row.pinned = view.pinned;
        row.spare = view.spare;
        row.lastMatch = view.lastMatch;
        row.age = toMs(view.age);
        row.idle = toMs(view.idle);
        row.turns = view.turns;
        row.items = view.items;
        row.contextTokens = view.contextTokens;
        if (const auto facts = m_services.headFacts.find(view.head);
            facts != m_services.headFacts.end()) {
            row.session = facts->second.session;
            row.agent = facts->second.agent;
            row.model = facts->second.model;
            row.bytesSaved = facts->second.bytesSaved;
            row.tokensSaved = facts->second.tokensSaved;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

// Of the way the endpoint is called. That no turn can go there is known before one has tried, and
// that one can before the next has.
std::string SnapshotBuilder::upstreamState(const live::SignIn &signIn) const
{
    constexpr std::string_view lacking = "no credential: ";
    if (signIn.state == live::SignInState::Lacking)
        return std::string(lacking) + signIn.trouble;
    const std::string &state
        = m_services.transport.cause() ? m_services.https.state() : m_services.connections.state();
    const bool isOver = signIn.state == live::SignInState::SignedIn && state.starts_with(lacking);
    return isOver ? "untried" : state;
}

live::SnapshotPointer SnapshotBuilder::build(const Facts &facts, base::Now now)
{
    auto snapshot = std::make_shared<live::Snapshot>();
    const pacing::PacerLevel level = m_services.pacer.level(now);
    Recorder &recorder = m_services.recorder;
    recorder.seconds().level(level.tokens, static_cast<std::uint32_t>(level.waiting), now.wall);

    snapshot->at = now.wall;
    snapshot->listening = facts.listening;
    snapshot->upstream = m_services.connections.endpoint().name;
    snapshot->upstreamState = upstreamState(facts.signIn);
    snapshot->turns = m_turns.rows(now);
    snapshot->heads = headRows(now);
    snapshot->seconds = recorder.seconds().take();
    snapshot->changes = recorder.takeChanges();
    snapshot->records = recorder.takeForWindow();
    snapshot->settings = settingValues(m_settings);
    const pacing::RequestBudget budget = pacing::resolveBudget(m_settings.budget());
    snapshot->waitBound = budget.bound;
    snapshot->ladder = pacing::ladder(budget.retries);
    snapshot->hintCap = budget.hintCap;
    snapshot->unpaced = facts.unpaced;
    snapshot->effectiveRetries = budget.retries;
    snapshot->effectiveIdle = budget.idle;
    snapshot->notices = facts.notices;
    snapshot->overrides = facts.overrides;
    snapshot->signIn = facts.signIn;
    snapshot->totals = recorder.totals();
    snapshot->ledgerState = facts.ledgerState;
    snapshot->policy = m_services.policyName;
    snapshot->bucketLevel = level.tokens;
    snapshot->waiting = static_cast<std::uint32_t>(level.waiting + m_services.holds.size());
    snapshot->gated = static_cast<std::uint32_t>(m_services.throttles.gated);
    snapshot->door = level.state;
    snapshot->spacing = toMs(level.spacing);
    snapshot->estimate = level.estimate;
    snapshot->quota = m_services.throttles.quota.windows(now.wall);
    if (level.until)
        snapshot->doorFor = toMs(std::max(*level.until - now.steady, base::Nanoseconds::zero()));
    if (const auto cooling = m_services.throttles.schedule.coolingUntil(now)) {
        snapshot->door = pacing::DoorState::CoolingDown;
        snapshot->doorFor = toMs(*cooling - now.steady);
    }
    return snapshot;
}

std::string SnapshotBuilder::stateJson(const Facts &facts, base::Now now) const
{
    const pacing::PacerLevel level = m_services.pacer.level(now);
    const live::Totals &totals = m_services.recorder.totals();
    std::string json = "{";
    member(json, "listening", facts.listening);
    member(json, "upstream", m_services.connections.endpoint().name);
    member(json, "upstream_state", upstreamState(facts.signIn));
    member(json, "ledger_state", facts.ledgerState);
    member(json, "policy", m_services.policyName);
    member(json, "turns_in_flight", m_turns.size());
    member(json, "waiting", level.waiting);
    member(json, "connections", m_services.connections.size());
    member(json, "heads", m_services.pool.size());
    member(json, "lanes", name(m_services.pool.laneVerdict(m_services.endpointUrl)));
    member(json, "spares", m_services.pool.spares(m_services.endpointUrl));
    member(json, "turns_started", totals.turnsStarted);
    member(json, "turns_completed", totals.turnsCompleted);
    member(json, "turns_failed", totals.turnsFailed);
    member(json, "turns_refused", totals.turnsRefused);
    member(json, "client_gone", totals.clientGone);
    member(json, "continued", totals.continued);
    member(json, "opened", totals.opened);
    member(json, "rejections", totals.rejections);
    member(json, "gated", m_services.throttles.gated);
    member(json, "door", name(level.state));
    member(json, "estimate", name(level.estimate.shape));
    member(json, "estimate_per_min", static_cast<std::uint64_t>(level.estimate.perMinute));
    member(json, "estimate_confidence_percent",
           static_cast<std::uint64_t>(level.estimate.confidence * 100));
    member(json, "records", totals.records);
    json += ",\"quota\":[";
    for (const pacing::QuotaWindow &window : m_services.throttles.quota.windows(now.wall)) {
        json += json.back() == '[' ? "{" : ",{";
        member(json, "meter", window.meter);
        member(json, "window", window.name);
        member(json, "used_percent", static_cast<std::uint64_t>(window.usedPercent));
        if (window.resetsAt)
            member(json, "resets_at", ledger::timeText(*window.resetsAt));
        json += '}';
    }
    json += "],\"settings\":{";
    for (const auto &[key, value] : settingValues(m_settings))
        member(json, key, value.value);
    json += "}}";
    return json;
}

} // namespace headway::engine
