// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headway::lab {

// What a run is judged by (spec/lab.md); means where several runs are put together.
struct RunResult
{
    double offered = 0; // turns of all agents
    double completed = 0;
    double lost = 0; // the client gave up
    double refusals = 0; // by the pacer, whoever saw them
    double refusedToClient = 0; // answers to a client that say so
    double rejections = 0; // upgrades the provider turned away
    double opened = 0;
    double waitP50 = 0; // s; added wait of completed turns, nearest rank
    double waitP95 = 0;
    double waitMax = 0;
    double turnP50 = 0; // s; from the client's first request to the end of its turn
    double turnP95 = 0;
    double maxOpeningsPerMinute = 0; // in any 60 s
    double finish = 0; // s; when the last turn ended, the duration if one had not
    double reuseRatio = 0; // completed turns that continued a head
    double cachedRatio = 0; // cached of the input tokens of completed turns
    double cost
        = 0; // (sum of added waits in s + 60 * turns not completed + 2 * rejections) / offered

    friend bool operator==(const RunResult &, const RunResult &) = default;
};

[[nodiscard]] RunResult meanOf(std::span<const RunResult> runs);

struct CompletedTurn
{
    base::Nanoseconds wait{
        0}; // from the client's first request to the dial or claim that served it
    base::Nanoseconds length{0}; // from there on, the wait included
    bool continued = false;
    double inputTokens = 0;
    double cachedTokens = 0;
};

// Collects what happens in one run.
class Measure final
{
public:
    void completed(const CompletedTurn &turn, base::SteadyTime now);
    void lost(base::SteadyTime now);
    void refused() { ++m_refusals; }
    void refusedToClient() { ++m_refusedToClient; }
    void rejected() { ++m_rejections; }
    void opened(base::SteadyTime now) { m_openings.push_back(now.time_since_epoch()); }

    [[nodiscard]] RunResult result(std::size_t offered, base::Nanoseconds duration) const;

private:
    std::vector<base::Nanoseconds> m_waits;
    std::vector<base::Nanoseconds> m_lengths;
    std::vector<base::Nanoseconds> m_openings;
    base::SteadyTime m_lastEnd{};
    std::size_t m_lost = 0;
    std::size_t m_refusals = 0;
    std::size_t m_refusedToClient = 0;
    std::size_t m_rejections = 0;
    std::size_t m_continued = 0;
    double m_inputTokens = 0;
    double m_cachedTokens = 0;
};

} // namespace headway::lab
