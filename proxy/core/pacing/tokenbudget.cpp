// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/tokenbudget.h"

#include "proxy/core/pacing/backoff.h"
#include "proxy/core/pacing/bucketrules.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Milliseconds;
using base::Nanoseconds;
using base::SteadyTime;

constexpr std::array<std::string_view, 3> familyNames{"tokens", "requests", "project-tokens"};
constexpr Nanoseconds furthestReset = 75s;
constexpr Nanoseconds placeStep = 50ms;
constexpr Nanoseconds jitter = 1s;
constexpr Nanoseconds interactiveWait = 5s;
constexpr Nanoseconds batchWait = 65s;

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

struct Unit
{
    std::string_view name;
    double ms;
};
// In the order in which they may follow each other.
constexpr std::array<Unit, 4> units{{{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

} // namespace

std::optional<Milliseconds> parseReset(std::string_view text)
{
    if (text.find_first_not_of("0123456789.") == std::string_view::npos)
        return parseRetryAfter(text, base::WallTime{});
    double total = 0;
    std::size_t unit = 0;
    while (!text.empty()) {
        const std::size_t digits = std::min(text.size(), text.find_first_not_of("0123456789."));
        const std::size_t end = std::min(text.size(), text.find_first_of("0123456789.", digits));
        const std::string_view name = text.substr(digits, end - digits);
        while (unit < units.size() && units[unit].name != name)
            ++unit;
        double value = 0;
        const auto [stop, error]
            = std::from_chars(text.data(), text.data() + digits, value, std::chars_format::fixed);
        if (unit == units.size() || error != std::errc{} || stop != text.data() + digits
            || value > 1e9)
            return std::nullopt;
        total += value * units[unit++].ms;
        text.remove_prefix(end);
    }
    if (unit == 0)
        return std::nullopt;
    return Milliseconds(static_cast<std::int64_t>(std::ceil(total - 1e-6)));
}

TokenBudget::TokenBudget(std::uint64_t seed, std::uint64_t tokenFloor)
    : m_tokenFloor(tokenFloor)
    , m_random(seed)
{
}

bool TokenBudget::read(std::string_view name, std::string_view value, base::Now now)
{
    constexpr std::string_view prefix = "x-ratelimit-";
    const std::string lower = lowered(name);
    std::string_view rest(lower);
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    const std::size_t dash = rest.find('-');
    if (dash == std::string_view::npos)
        return false;
    const std::string_view what = rest.substr(0, dash);
    const auto *const found
        = std::find(familyNames.begin(), familyNames.end(), rest.substr(dash + 1));
    if (found == familyNames.end())
        return false;
    Family &family = m_families[static_cast<std::size_t>(found - familyNames.begin())];
    if (what == "reset") {
        const auto reset = parseReset(value);
        if (reset)
            family.resetAt = now.steady + *reset;
        return reset.has_value();
    }
    const auto number = wholeNumber(value);
    if (!number || (what != "limit" && what != "remaining"))
        return false;
    if (what == "limit") {
        family.limit = number;
    } else {
        family.remaining = number;
        family.sent = 0;
    }
    return true;
}

void TokenBudget::sent(std::uint64_t estimatedInputTokens)
{
    for (std::size_t i = 0; i < m_families.size(); ++i)
        m_families[i].sent += i == requests ? 1 : estimatedInputTokens;
}

std::uint64_t TokenBudget::floorOf(std::size_t family) const
{
    if (family == requests)
        return 1;
    const auto &limit = m_families[family].limit;
    return std::min(m_tokenFloor, limit ? *limit / 4 : m_tokenFloor);
}

std::uint64_t TokenBudget::Family::left() const
{
    return remaining ? *remaining - std::min(*remaining, sent) : 0;
}

std::optional<Nanoseconds> TokenBudget::untilReset(std::size_t index, SteadyTime now) const
{
    const Family &family = m_families[index];
    if (!family.remaining || !family.resetAt)
        return std::nullopt;
    const Nanoseconds until = *family.resetAt - now;
    if (until <= timeTolerance || until > furthestReset + timeTolerance)
        return std::nullopt;
    return family.left() < floorOf(index) ? std::optional(until) : std::nullopt;
}

TokenBudget::Gate TokenBudget::ask(std::size_t place, bool interactive, base::Now now)
{
    std::optional<Nanoseconds> longest;
    for (std::size_t i = 0; i < m_families.size(); ++i) {
        const auto until = untilReset(i, now.steady);
        if (until)
            longest = std::max(longest.value_or(*until), *until);
    }
    if (!longest)
        return {};
    const auto drawn = std::llround(m_random.uniform(0, static_cast<double>(jitter.count())));
    const Nanoseconds total = *longest + Nanoseconds(drawn)
        + placeStep * static_cast<std::int64_t>(std::min<std::size_t>(place, 1'000'000));
    const Nanoseconds wait = std::min(total, interactive ? interactiveWait : batchWait);
    return {wait, total - wait};
}

std::vector<TokenBudget::Level> TokenBudget::levels(SteadyTime now) const
{
    std::vector<Level> levels;
    for (std::size_t i = 0; i < m_families.size(); ++i) {
        const Family &family = m_families[i];
        if (!family.remaining)
            continue;
        Level level{.family = familyNames[i],
                    .limit = family.limit,
                    .remaining = *family.remaining,
                    .left = family.left(),
                    .floor = floorOf(i)};
        if (family.resetAt && *family.resetAt > now)
            level.untilReset = *family.resetAt - now;
        level.isHolding = untilReset(i, now).has_value();
        levels.push_back(level);
    }
    return levels;
}

} // namespace headway::pacing
