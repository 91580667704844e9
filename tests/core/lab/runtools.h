// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/comparison.h"
#include "proxy/core/lab/scenario.h"

#include <QtGlobal>

#include <array>
#include <string>

namespace headway::lab::test {

// A scenario whose every length is fixed: connecting 100 ms, first token 50 ms, turns of 1 s,
// thinking 2 s, everybody at second 0.
inline std::string exact(const std::string &limits, const std::string &sessions,
                         const std::string &moreOfProvider = {}, const std::string &more = {})
{
    return R"({"name":"t","duration_s":600,"provider":{"upgrade_limits":[)" + limits
        + R"(],"connect_ms":[100,100],"first_token_ms":[50,50],"turn_ms":[1000,1000])"
        + moreOfProvider + R"(},"workload":{"sessions":[)" + sessions + "]" + more + "}}";
}

inline std::string session(int agents, int turns, const std::string &more = {})
{
    return R"({"agents":)" + std::to_string(agents) + R"(,"turns":)" + std::to_string(turns)
        + R"(,"start_s":[0,0],"think_ms":[2000,2000])" + more + "}";
}

inline Scenario scenarioOf(const std::string &text)
{
    auto scenario = readScenario(text);
    if (!scenario)
        qFatal("%s", scenario.error().text("scenario").c_str());
    return *std::move(scenario);
}

inline Comparison compared(const std::string &text, pacing::Policy policy = pacing::Policy::Off,
                           std::size_t seeds = 1)
{
    const Scenario scenario = scenarioOf(text);
    const std::array policies{policy};
    return compare(scenario, scenario.settings, policies, seeds);
}

inline RunResult ran(const std::string &text, pacing::Policy policy = pacing::Policy::Off)
{
    return compared(text, policy).policies.front().second;
}

} // namespace headway::lab::test
