// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"

#include "proxy/core/settings/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headway::test {

namespace {

using base::Milliseconds;

constexpr std::array models{"gpt-5.1-codex", "gpt-5.1-codex-mini", "claude-opus-5-5"};
constexpr std::array sessions{"a1f09c33d2e7", "refactor-auth", "77c04be1902f"};

const char *whyOf(live::Phase phase)
{
    switch (phase) {
    case live::Phase::Queued:
        return "The minute's 60 openings are used. It waits for the bucket to refill and takes "
               "over a "
               "head if one becomes free first.";
    case live::Phase::Backoff:
        return "The provider answered the opening with 429; the next try follows its Retry-After.";
    case live::Phase::Dialling:
        return "No head holds this conversation yet, so a new connection is being opened.";
    case live::Phase::Gate:
        return "Few tokens are left until the provider's reset.";
    case live::Phase::FirstByte:
    case live::Phase::Streaming:
        return "Continued on the head that finished its last turn 2.1 s ago: 3 of 118 items were "
               "sent.";
    }
    return "";
}

} // namespace

Scene::Scene(quint32 seed, std::size_t turns)
    : m_random(seed)
    , m_size(turns)
{
    for (const settings::Row &row : settings::table())
        if (row.kind != settings::Kind::Secret)
            set(std::string(row.name), std::string(row.fallback));
    set("policy", "bucket", "file");
    for (std::size_t i = 0; i < m_size; ++i)
        m_turns.push_back(turn());
}

void Scene::set(const std::string &key, const std::string &value, const std::string &source,
                bool locked)
{
    m_settings[key] = {value, source, locked};
}

std::uint32_t Scene::below(std::uint32_t limit)
{
    return m_random.bounded(limit);
}

live::TurnRow Scene::turn()
{
    live::TurnRow row;
    row.turn = base::TurnId(m_nextTurn++);
    row.session = sessions[below(sessions.size())];
    const std::uint32_t agent = below(9);
    row.agent = agent == 0 ? std::string() : "agent " + std::to_string(agent);
    row.model = models[below(models.size())];
    row.dialect = below(3) == 0 ? "responses" : "messages";
    const std::uint32_t dice = below(10);
    row.phase = dice < 2 ? live::Phase::Queued
        : dice == 2      ? live::Phase::Dialling
        : dice == 3      ? live::Phase::FirstByte
        : dice == 4      ? live::Phase::Backoff
                         : live::Phase::Streaming;
    const bool waits = row.phase == live::Phase::Queued || row.phase == live::Phase::Backoff;
    row.age = Milliseconds(below(waits ? 8'000 : 40'000)); // nobody starves here
    row.inPhase = row.age / 3;
    row.lacksOpening = waits;
    row.lackedOpening = waits ? row.age / 2 : Milliseconds(0);
    if (waits)
        row.remaining = Milliseconds(400 + below(4'400));
    if (row.phase == live::Phase::Queued)
        row.queuePlace = 1 + below(6);
    if (row.phase == live::Phase::Streaming) {
        row.decision
            = below(5) == 0 ? heads::Decision::NewPartitionHead : heads::Decision::Continuation;
        row.place = below(6) == 0 ? heads::Place::Lane : heads::Place::Same;
        row.outputEvents = below(900);
        row.outputTokens = row.outputEvents;
        row.bytesOut = row.outputEvents * 57;
    }
    row.attempt = row.phase == live::Phase::Backoff ? 2 : 1;
    row.spent[static_cast<std::size_t>(live::Phase::Queued)] = row.age / 6;
    row.spent[static_cast<std::size_t>(live::Phase::Dialling)] = row.age / 12;
    row.spent[static_cast<std::size_t>(row.phase)] = row.inPhase;
    row.why = whyOf(row.phase);
    return row;
}

live::SecondStats Scene::second(std::int64_t at)
{
    live::SecondStats s;
    s.second = at;
    const double wave = 0.5 + 0.5 * std::sin(static_cast<double>(at) / 23.0);
    s.continued = static_cast<std::uint32_t>(6 * wave) + below(4);
    s.laneOrSpare = below(5) == 0 ? 1 : 0;
    const std::uint32_t wanted = wave > 0.75 ? 1 + below(4) : below(2);
    m_level = std::min(10.0, m_level + 1);
    for (std::uint32_t i = 0; i < wanted; ++i) {
        if (m_level >= 1)
            ++s.openedAtOnce;
        else if (m_level > -3.8)
            ++s.openedAfterWait;
        else {
            ++s.refused;
            continue;
        }
        m_level -= 1;
    }
    s.rejections = wave > 0.95 && below(6) == 0 ? 1 : 0;
    s.completed = s.continued;
    s.queueLength = m_level < 0 ? static_cast<std::uint32_t>(-m_level) + 1 : 0;
    s.bucketLevel = m_level;
    s.waits = s.openedAtOnce + s.openedAfterWait + s.refused;
    if (s.waits > 0) {
        s.waitMaxMs = m_level < 0 ? -m_level * 1'000 + below(300) : below(20);
        s.waitP50Ms = s.waitMaxMs * 0.45;
        s.waitP95Ms = s.waitMaxMs * 0.9;
    }
    s.inputTokens = 20'000ULL * (s.continued + wanted);
    s.cachedTokens = 17'200ULL * s.continued;
    s.warnings = below(70) == 0 ? 1 : 0;
    m_totals.continued += s.continued;
    m_totals.opened += s.openedAtOnce + s.openedAfterWait;
    m_totals.turnsStarted += s.continued + wanted;
    m_totals.turnsCompleted += s.completed;
    return s;
}

std::vector<ledger::Record> Scene::records()
{
    std::vector<ledger::Record> all;
    const live::TurnRow &row = m_turns[below(static_cast<std::uint32_t>(m_turns.size()))];
    const auto add = [&](ledger::Body body) {
        all.push_back({m_now, row.turn, row.session, row.agent, std::move(body)});
    };
    switch (below(7)) {
    case 0:
        add(ledger::TurnStarted{.dialect = row.dialect,
                                .modelAsked = row.model,
                                .model = row.model,
                                .effort = "medium",
                                .bytesIn = below(200'000)});
        break;
    case 1: {
        ledger::TurnEnded ended;
        ended.dialect = row.dialect;
        ended.model = row.model;
        ended.totalMs = 400 + below(20'000);
        ended.inputTokens = 24'000;
        ended.cachedTokens = 21'300;
        ended.outputTokens = below(2'000);
        ended.end = below(8) == 0 ? "failed" : "completed";
        ended.reason = "The provider closed the connection before any output.";
        add(ended);
        break;
    }
    case 2: {
        ledger::HeadDecided decided;
        decided.decision = below(3) == 0 ? "new_partition_head" : "continuation";
        decided.inputItems = 118;
        decided.deltaItems = 3;
        add(decided);
        break;
    }
    case 3: {
        ledger::Admission admission;
        admission.outcome = below(3) == 0 ? "refused" : "queued";
        admission.requiredMs = 400 + below(8'000);
        admission.place = 1 + below(5);
        add(admission);
        break;
    }
    case 4: {
        ledger::Connection connection;
        connection.event = below(4) == 0 ? "rejected" : "opened";
        connection.connection = 100 + below(400);
        if (connection.event == "rejected")
            connection.status = 429;
        add(connection);
        break;
    }
    case 5: {
        ledger::Retry retry;
        retry.attempt = 1;
        retry.cause = "rejected";
        retry.action = "backoff";
        retry.delayMs = 2'000;
        add(retry);
        break;
    }
    default:
        add(ledger::Warning{"cache.miss", "The prompt cache was lost: instructions changed."});
    }
    return all;
}

void Scene::addHeads(live::Snapshot &snapshot) const
{
    for (std::uint64_t i = 0; i < 2 * m_size; ++i) {
        live::HeadRow head;
        // Every fourth connection carries two lanes; two spares stand at the end.
        head.head = 1'000 + i;
        head.connection = base::ConnectionId(100 + i - (i % 4 == 3 ? 1 : 0));
        head.lane = i % 4 == 3 ? "lane-2" : "";
        head.pinned = i == 4;
        head.lastMatch = i % 7 == 0 ? heads::MatchMode::None
            : i % 5 == 0            ? heads::MatchMode::ReasoningOmitted
                                    : heads::MatchMode::Exact;
        head.contextTokens = 1'200 * (i + 1);
        head.tokensSaved = 9'000 * (i % 14);
        head.partition = "9c33d2e7a1f0";
        head.session = sessions[i % sessions.size()];
        head.agent = i % 4 == 0 ? std::string() : "agent " + std::to_string(i % 9);
        head.model = models[i % models.size()];
        head.generation = i % 5 == 0 ? heads::Generation::Nursery
            : i % 11 == 0            ? heads::Generation::Isolated
                                     : heads::Generation::Established;
        head.inFlight = i % 3 == 0;
        head.age = Milliseconds(17'000 * (i + 1));
        head.idle = Milliseconds(900 * i);
        head.turns = 1 + i % 14;
        head.items = 12 + 7 * i;
        head.bytesSaved = 48'000 * (i % 14);
        snapshot.heads.push_back(head);
    }
    for (std::uint64_t i = 0; i < 2; ++i) {
        live::HeadRow spare;
        spare.connection = base::ConnectionId(900 + i);
        spare.spare = true;
        spare.age = spare.idle = Milliseconds(40'000 + 9'000 * i);
        snapshot.heads.push_back(spare);
    }
}

void Scene::fill(live::Snapshot &snapshot)
{
    snapshot.at = m_now;
    snapshot.listening = "127.0.0.1:17421";
    snapshot.upstream = "simulated provider";
    snapshot.upstreamState = "ok";
    snapshot.turns = m_turns;
    snapshot.settings = m_settings;
    snapshot.policy = m_settings["policy"].value;
    snapshot.ledgerState = "ok";
    snapshot.bucketLevel = m_level;
    snapshot.waiting = static_cast<std::uint32_t>(
        std::ranges::count(m_turns, live::Phase::Queued, &live::TurnRow::phase));
    snapshot.totals = m_totals;
    addHeads(snapshot);
}

live::Snapshot Scene::history(int seconds)
{
    live::Snapshot snapshot;
    const std::int64_t end = std::chrono::floor<base::Seconds>(m_now).time_since_epoch().count();
    for (std::int64_t at = end - seconds; at < end; ++at)
        snapshot.seconds.push_back(second(at));
    for (int i = 0; i < 400; ++i)
        for (ledger::Record &record : records()) {
            record.at -= Milliseconds((400 - i) * 700);
            snapshot.records.push_back(std::move(record));
        }
    m_totals.records = 182'304;
    fill(snapshot);
    return snapshot;
}

live::Snapshot Scene::next()
{
    live::Snapshot snapshot;
    m_now += Milliseconds(100);
    for (live::TurnRow &row : m_turns) {
        row.age += Milliseconds(100);
        row.inPhase += Milliseconds(100);
        row.spent[static_cast<std::size_t>(row.phase)] += Milliseconds(100);
        row.remaining = std::max(Milliseconds(0), row.remaining - Milliseconds(100));
        const bool waits = row.phase == live::Phase::Queued || row.phase == live::Phase::Backoff;
        if (waits && row.remaining == Milliseconds(0))
            row.phase = live::Phase::Dialling;
        if (row.phase == live::Phase::Streaming)
            row.bytesOut += below(400);
    }
    if (below(3) == 0 && !m_turns.empty()) {
        m_turns.erase(m_turns.begin() + below(static_cast<std::uint32_t>(m_turns.size())));
        m_turns.push_back(turn());
    }
    if (m_now.time_since_epoch().count() % 1'000 == 0)
        snapshot.seconds.push_back(
            second(std::chrono::floor<base::Seconds>(m_now).time_since_epoch().count() - 1));
    snapshot.records = records();
    m_totals.records += snapshot.records.size();
    fill(snapshot);
    return snapshot;
}

} // namespace headway::test
