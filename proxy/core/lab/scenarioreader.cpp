// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/document.h"
#include "proxy/core/lab/providerreader.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/lab/tuning.h"

namespace headway::lab {

namespace {

constexpr std::int64_t mostAgents = 100'000;
constexpr std::int64_t mostTurns = 2'000'000; // of all agents together
constexpr double mostTokens = 1e9;
constexpr std::int64_t largestExactInteger = 9'007'199'254'740'991;

// It is printed as it is, and a terminal obeys control characters (C0, DEL and C1, in UTF-8).
bool hasControlCharacter(std::string_view text)
{
    unsigned char before = 0;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0))
            return true;
        before = byte;
    }
    return false;
}

SessionPlan readSession(json::Value value, const std::string &path, Problem &problem)
{
    SessionPlan session;
    Fields fields(value, path, problem);
    fields.require("agents");
    fields.require("turns");
    session.agents = static_cast<std::size_t>(fields.integer("agents", 1, 1, mostAgents));
    session.turns = static_cast<std::size_t>(fields.integer("turns", 1, 1, mostTurns));
    session.start = fields.times("start_s", base::Seconds{1}, session.start);
    session.think = fields.times("think_ms", base::Milliseconds{1}, session.think);
    if (!fields.any("new_ratio").isNull() && fields.has("new_ratio"))
        session.newRatio = fields.number("new_ratio", 0, 0, 1);
    session.interactive = fields.flag("interactive", session.interactive);
    session.inputTokens = fields.range("input_tokens", session.inputTokens, mostTokens);
    fields.finish();
    return session;
}

void readWorkload(json::Value value, Scenario &scenario, Problem &problem)
{
    Fields fields(value, "workload", problem);
    fields.require("sessions");
    std::size_t index = 0;
    for (const json::Value session : fields.array("sessions")) {
        const std::string path = "workload.sessions[" + std::to_string(index++) + ']';
        scenario.sessions.push_back(readSession(session, path, problem));
    }
    if (scenario.sessions.empty())
        fields.refuse("sessions", "needs at least one session");
    else if (scenario.offered() > static_cast<std::size_t>(mostTurns))
        fields.refuse("sessions", "more than " + std::to_string(mostTurns) + " turns in all");
    if (const json::Value client = fields.any("client"); client.exists()) {
        Fields clientFields(client, "workload.client", problem);
        scenario.clientRetries = static_cast<int>(
            clientFields.integer("max_retries", scenario.clientRetries, 0, 1'000));
        clientFields.finish();
    }
    fields.finish();
}

} // namespace

std::size_t Scenario::offered() const
{
    std::size_t turns = 0;
    for (const SessionPlan &session : sessions)
        turns += session.agents * session.turns;
    return turns;
}

tl::expected<Scenario, LabError> readScenario(std::string_view text)
{
    Problem problem(text);
    json::Document document;
    if (const auto fault = document.read(text))
        problem.report(fault->offset, {}, "is no JSON: " + std::string(fault->what));
    Scenario scenario;
    if (!problem.error()) {
        Fields fields(document.root(), {}, problem);
        scenario.name = fields.text("name", scenario.name);
        if (hasControlCharacter(scenario.name))
            fields.refuse("name", "must not hold a line break or another control character");
        scenario.seed = static_cast<std::uint64_t>(fields.integer(
            "seed", static_cast<std::int64_t>(scenario.seed), 0, largestExactInteger));
        scenario.duration = fields.time("duration_s", base::Seconds{1}, scenario.duration);
        fields.require("provider");
        fields.require("workload");
        if (const json::Value provider = fields.any("provider"); provider.exists())
            scenario.provider = readProvider(provider, problem);
        if (const json::Value workload = fields.any("workload"); workload.exists())
            readWorkload(workload, scenario, problem);
        readSettings(fields.any("settings"), "settings", settings::Source::File, scenario.settings,
                     scenario.notices, problem);
        fields.finish();
    }
    if (problem.error())
        return tl::unexpected(*problem.error());
    return scenario;
}

} // namespace headway::lab
