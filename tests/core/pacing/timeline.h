// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/pacer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headway::pacing::test {

using base::Milliseconds;
using base::Nanoseconds;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ns;

// An instant of the test's own clock, which starts nowhere near zero.
inline base::Now at(Nanoseconds sinceStart)
{
    const base::SteadyTime start{std::chrono::hours(1'000)};
    return {start + sinceStart, base::WallTime(std::chrono::floor<Milliseconds>(sinceStart))};
}

inline Nanoseconds sinceStart(base::SteadyTime instant)
{
    return instant - at(0ms).steady;
}

inline PacerSettings bucket(double rate = 60, double burst = 10)
{
    return {Policy::Bucket, rate, burst, 0ms};
}

inline RequestBudget idleOf(Milliseconds idle)
{
    return resolveBudget({idle, std::nullopt, std::nullopt});
}

inline RequestBudget retriesOf(int retries)
{
    return resolveBudget({std::nullopt, std::nullopt, retries});
}

// One pacer with ids handed out in order of arrival, from 1.
class Timeline
{
public:
    explicit Timeline(const PacerSettings &settings = bucket(), RequestBudget ofEach = {})
        : pacer(makePacer(settings, at(0ms)))
        , budget(std::move(ofEach))
    {
    }

    // "go", "queue", "refuse".
    std::string arrive(Nanoseconds when)
    {
        last = pacer->request({WaiterId(++ids), budget}, at(when));
        constexpr const char *words[] = {"go", "queue", "refuse"};
        return words[last.index()];
    }

    std::string arrive(Nanoseconds when, int count)
    {
        std::string all;
        for (int i = 0; i < count; ++i)
            all += arrive(when).substr(0, 1);
        return all;
    }

    // "1" for a departure that may dial, "!1" for one that is sent back.
    std::string leave(Nanoseconds when)
    {
        departures = pacer->due(at(when));
        std::string all;
        for (const Departure &departure : departures) {
            all += all.empty() ? "" : " ";
            all += std::holds_alternative<Refused>(departure.outcome) ? "!" : "";
            all += std::to_string(departure.id.value());
        }
        return all;
    }

    // Follows nextDue() until the queue is empty: "id@ms" for each departure.
    std::string run()
    {
        std::string all;
        while (const auto next = pacer->nextDue()) {
            const Nanoseconds when = std::max(sinceStart(*next), latest);
            latest = when;
            const std::string left = leave(when);
            if (left.empty())
                return all + " stuck";
            all += all.empty() ? "" : " ";
            all += left + "@" + std::to_string(std::chrono::round<Milliseconds>(when).count());
        }
        return all;
    }

    [[nodiscard]] Nanoseconds promisedAt() const
    {
        return sinceStart(std::get<Queued>(last).departsAt);
    }
    [[nodiscard]] double tokens(Nanoseconds when) const { return pacer->level(at(when)).tokens; }

    std::unique_ptr<Pacer> pacer;
    RequestBudget budget;
    AdmissionDecision last;
    std::vector<Departure> departures;
    std::uint64_t ids = 0;
    Nanoseconds latest{0};
};

inline bool near(double value, double expected)
{
    const double difference = value - expected;
    return difference < 1e-6 && difference > -1e-6;
}

} // namespace headway::pacing::test
