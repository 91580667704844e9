// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/lab/fields.h"
#include "proxy/core/lab/laberror.h"
#include "proxy/core/settings/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace headway::lab {

// One limit of the provider on new connections; all of them must agree to an upgrade.
struct UpgradeLimit
{
    enum class Kind : std::uint8_t { SlidingWindow, TokenBucket, Concurrent, Random, AfterTotal };

    Kind kind = Kind::SlidingWindow;
    std::vector<double> max{}; // one value per `every`, the last one stays
    base::Nanoseconds every{0};
    base::Nanoseconds window = base::Seconds{60}; // SlidingWindow
    base::Nanoseconds block = base::Seconds{20}; // SlidingWindow: closed that long by a rejection
    double ratePerMinute = 60; // TokenBucket
    double burst = 1; // TokenBucket
    double probability = 0; // Random
    std::optional<base::Nanoseconds> reset{}; // AfterTotal: none, closed for good
    std::optional<base::Milliseconds> retryAfter{}; // stated with a rejection
};

// Every upgrade is rejected for a while, or the next `count` ones.
struct Outage
{
    base::Nanoseconds from{0};
    std::optional<base::Nanoseconds> length{}; // none: until `count` are used up
    std::optional<std::int64_t> count{};
    int status = 403;
    std::optional<base::Milliseconds> retryAfter{};
};

struct ProviderPlan
{
    std::vector<UpgradeLimit> upgradeLimits{};
    double othersPerMinute = 0;
    DurationRange connect{base::Milliseconds{80}, base::Milliseconds{250}};
    DurationRange firstToken{base::Milliseconds{200}, base::Milliseconds{800}};
    DurationRange turn{base::Milliseconds{2'000}, base::Milliseconds{15'000}};
    std::optional<double> tokensPerMinute{};
    bool lanes = false;
    base::Nanoseconds connectionMaxAge = base::Seconds{3'600};
    std::vector<Outage> outages{};
};

struct SessionPlan
{
    std::size_t agents = 0;
    DurationRange start{base::Seconds{0}, base::Seconds{2}};
    std::size_t turns = 0;
    DurationRange think{base::Milliseconds{500}, base::Milliseconds{4'000}};
    std::optional<double> newRatio{}; // none: the head pool decides
    bool interactive = false;
    NumberRange inputTokens{20'000, 60'000};
};

// A scenario file (spec/lab.md). What it leaves out has the value of the specification's example.
struct Scenario
{
    std::string name = "fan-out 50, sliding window 70";
    std::uint64_t seed = 1;
    base::Nanoseconds duration = base::Seconds{900};
    ProviderPlan provider{};
    std::vector<SessionPlan> sessions{};
    int clientRetries = 10;
    settings::Settings settings{};
    std::vector<std::string> notices{}; // settings that were clamped

    [[nodiscard]] std::size_t offered() const; // turns of all agents
};

[[nodiscard]] tl::expected<Scenario, LabError> readScenario(std::string_view text);

} // namespace headway::lab
