// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/numbers.h"
#include "proxy/core/lab/openings.h"
#include "proxy/core/lab/replay.h"

#include <algorithm>

namespace headway::lab {

namespace {

void appendCount(std::string &out, std::string_view key, std::size_t value)
{
    out += '"';
    out += key;
    out += "\":";
    out += std::to_string(value);
}

void appendTime(std::string &out, std::string_view key, base::Nanoseconds value)
{
    out += '"';
    out += key;
    out += "\":";
    appendMilliseconds(out, value);
}

void appendArrival(std::string &out, std::size_t index, const ReplayedArrival &arrival)
{
    out += '{';
    appendCount(out, "i", index);
    out += ",\"outcome\":\"";
    out += name(arrival.outcome);
    out += "\",";
    appendTime(out, "at_ms", arrival.at);
    out += ',';
    appendTime(out, "wait_ms", arrival.wait);
    out += ',';
    appendTime(out, "required_ms", arrival.required);
    out += ',';
    appendCount(out, "retry_after_s", static_cast<std::size_t>(arrival.retryAfter.count()));
    out += "}\n";
}

void appendSummary(std::string &out, const ReplaySummary &summary)
{
    out += "{\"summary\":{";
    appendCount(out, "arrivals", summary.arrivals);
    out += ',';
    appendCount(out, "admitted", summary.admitted);
    out += ',';
    appendCount(out, "waited", summary.waited);
    out += ',';
    appendCount(out, "refused", summary.refused);
    out += ',';
    appendCount(out, "cancelled", summary.cancelled);
    out += ',';
    appendTime(out, "wait_p50_ms", summary.waitP50);
    out += ',';
    appendTime(out, "wait_p95_ms", summary.waitP95);
    out += ',';
    appendTime(out, "wait_max_ms", summary.waitMax);
    out += ',';
    appendCount(out, "max_per_min", summary.maxPerMinute);
    out += "}}\n";
}

} // namespace

std::string_view name(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Admitted:
        return "admitted";
    case Outcome::Refused:
        return "refused";
    case Outcome::Cancelled:
        return "cancelled";
    }
    return {};
}

ReplaySummary summarize(const std::vector<ReplayedArrival> &arrivals)
{
    ReplaySummary summary;
    summary.arrivals = arrivals.size();
    std::vector<base::Nanoseconds> waits;
    std::vector<base::Nanoseconds> openings;
    for (const ReplayedArrival &arrival : arrivals) {
        summary.refused += arrival.outcome == Outcome::Refused ? 1U : 0U;
        summary.cancelled += arrival.outcome == Outcome::Cancelled ? 1U : 0U;
        if (arrival.outcome != Outcome::Admitted)
            continue;
        waits.push_back(arrival.wait);
        openings.push_back(arrival.at);
        summary.waited += arrival.wait.count() > 0 ? 1U : 0U;
    }
    summary.admitted = waits.size();
    std::sort(waits.begin(), waits.end());
    summary.waitP50 = percentile(waits, 50);
    summary.waitP95 = percentile(waits, 95);
    summary.waitMax = waits.empty() ? base::Nanoseconds{0} : waits.back();
    std::sort(openings.begin(), openings.end());
    summary.maxPerMinute = mostInAMinute(openings);
    return summary;
}

std::string replayText(const std::vector<ReplayedArrival> &arrivals)
{
    constexpr std::size_t bytesPerLine = 96;
    std::string out;
    out.reserve((arrivals.size() + 4) * bytesPerLine);
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        appendArrival(out, i, arrivals[i]);
    appendSummary(out, summarize(arrivals));
    return out;
}

} // namespace headway::lab
