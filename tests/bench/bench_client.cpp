// SPDX-License-Identifier: GPL-3.0-or-later
// bench_client --port N [--path P] [--header LINE]… [--streams N] [--turns N] [--session-turns N]
//              [--history-bytes N] [--deltas N] [--pace-ms N]
// Streams turns from 127.0.0.1:PORT and prints what it saw as one JSON line. Exit 1: a turn was
// lost.
#include "tests/bench/streamload.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

using headway::bench::LoadPlan;
using headway::bench::LoadResult;

// Nearest rank.
double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

bool readPlan(LoadPlan &plan, int argc, char *argv[])
{
    const std::map<std::string, int *> numbers{{"--streams", &plan.streams},
                                               {"--turns", &plan.turns},
                                               {"--session-turns", &plan.sessionTurns},
                                               {"--deltas", &plan.shape.deltas},
                                               {"--pace-ms", &plan.shape.paceMs}};
    if (argc % 2 == 0)
        return false;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const char *value = argv[i + 1];
        if (name == "--port")
            plan.port = static_cast<std::uint16_t>(std::atoi(value));
        else if (name == "--path")
            plan.path = value;
        else if (name == "--header")
            plan.headers.emplace_back(value);
        else if (name == "--history-bytes")
            plan.historyBytes = std::strtoul(value, nullptr, 10);
        else if (const auto found = numbers.find(name); found != numbers.end())
            *found->second = std::atoi(value);
        else
            return false;
    }
    plan.streams = std::min(plan.streams, plan.turns);
    return plan.port != 0 && plan.streams > 0 && plan.sessionTurns > 0;
}

void print(const LoadResult &result)
{
    std::printf("{\"turns\":%llu,\"lost\":%llu,\"deltas\":%llu,\"bytes\":%llu,\"seconds\":%.3f,"
                "\"first_event_ms_p50\":%.3f,\"first_event_ms_p99\":%.3f}\n",
                static_cast<unsigned long long>(result.turns),
                static_cast<unsigned long long>(result.lost),
                static_cast<unsigned long long>(result.deltas),
                static_cast<unsigned long long>(result.bytes), result.seconds,
                percentile(result.firstEventMs, 0.5), percentile(result.firstEventMs, 0.99));
}

} // namespace

int main(int argc, char *argv[])
{
    LoadPlan plan;
    if (!readPlan(plan, argc, argv)) {
        std::fputs("bench_client: the call was wrong; see the head of bench_client.cpp\n", stderr);
        return 2;
    }
    const LoadResult result = headway::bench::runLoad(plan);
    print(result);
    if (result.lost == 0)
        return 0;
    std::fprintf(stderr, "bench_client: the first lost turn got: %s\n", result.firstLoss.c_str());
    return 1;
}
