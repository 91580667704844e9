// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/measure.h"

#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/openings.h"
#include "proxy/core/lab/resultfields.h"

#include <algorithm>

namespace headway::lab {

namespace {

// spec/pacing.md section 7.
constexpr double secondsPerLostTurn = 60;
constexpr double secondsPerRejection = 2;

double inSeconds(base::Nanoseconds time)
{
    return static_cast<double>(time.count()) / 1e9;
}

double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

} // namespace

void Measure::completed(const CompletedTurn &turn, base::SteadyTime now)
{
    m_waits.push_back(turn.wait);
    m_lengths.push_back(turn.length);
    m_continued += turn.continued ? 1U : 0U;
    m_inputTokens += turn.inputTokens;
    m_cachedTokens += turn.cachedTokens;
    m_lastEnd = std::max(m_lastEnd, now);
}

void Measure::lost(base::SteadyTime now)
{
    ++m_lost;
    m_lastEnd = std::max(m_lastEnd, now);
}

RunResult Measure::result(std::size_t offered, base::Nanoseconds duration) const
{
    std::vector<base::Nanoseconds> waits = m_waits;
    std::vector<base::Nanoseconds> lengths = m_lengths;
    std::sort(waits.begin(), waits.end());
    std::sort(lengths.begin(), lengths.end());
    base::Nanoseconds waited{0};
    for (const base::Nanoseconds wait : waits)
        waited += wait;
    RunResult result;
    result.offered = static_cast<double>(offered);
    result.completed = static_cast<double>(waits.size());
    result.lost = static_cast<double>(m_lost);
    result.refusals = static_cast<double>(m_refusals);
    result.refusedToClient = static_cast<double>(m_refusedToClient);
    result.rejections = static_cast<double>(m_rejections);
    result.opened = static_cast<double>(m_openings.size());
    result.waitP50 = inSeconds(percentile(waits, 50));
    result.waitP95 = inSeconds(percentile(waits, 95));
    result.waitMax = inSeconds(percentile(waits, 100));
    result.turnP50 = inSeconds(percentile(lengths, 50));
    result.turnP95 = inSeconds(percentile(lengths, 95));
    result.maxOpeningsPerMinute = static_cast<double>(mostInAMinute(m_openings));
    const bool allEnded = waits.size() + m_lost >= offered;
    result.finish = inSeconds(allEnded ? m_lastEnd - startOfRun : duration);
    result.reuseRatio = share(static_cast<double>(m_continued), result.completed);
    result.cachedRatio = share(m_cachedTokens, m_inputTokens);
    const double penalty = secondsPerLostTurn * (result.offered - result.completed)
        + secondsPerRejection * result.rejections;
    result.cost = share(inSeconds(waited) + penalty, result.offered);
    return result;
}

RunResult meanOf(std::span<const RunResult> runs)
{
    RunResult mean;
    if (runs.empty())
        return mean;
    for (const ResultField &field : resultFields) {
        double sum = 0;
        for (const RunResult &run : runs)
            sum += run.*field.member;
        mean.*field.member = sum / static_cast<double>(runs.size());
    }
    return mean;
}

} // namespace headway::lab
