// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/quotaheaders.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace headway::dialects {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view family = "anthropic-ratelimit-unified-";
constexpr std::string_view planMeter = "codex"; // others are allowances of single features

struct Word
{
    base::Seconds length;
    std::string_view shortName;
    std::string_view claim;
};

constexpr std::array words{Word{5h, "5h", "five_hour"}, Word{24h * 7, "7d", "seven_day"}};

std::string unixSeconds(base::WallTime at)
{
    return std::to_string(at.time_since_epoch().count() / 1000);
}

// 0.62 for 62 %.
std::string share(double percent)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", percent / 100);
    return text.data();
}

} // namespace

std::vector<std::pair<std::string, std::string>>
quotaHeaders(Door door, const std::vector<pacing::QuotaWindow> &windows, bool rejected)
{
    std::vector<std::pair<std::string, std::string>> headers;
    if (door != Door::Messages)
        return headers;
    const auto add = [&headers](const std::string &name, std::string value) {
        headers.emplace_back(std::string(family) + name, std::move(value));
    };
    const pacing::QuotaWindow *fullest = nullptr;
    std::string_view claim;
    for (const pacing::QuotaWindow &window : windows) {
        for (const Word &word : words) {
            if (window.meter != planMeter || window.length != word.length)
                continue;
            const std::string name(word.shortName);
            add(name + "-utilization", share(window.usedPercent));
            if (window.resetsAt)
                add(name + "-reset", unixSeconds(*window.resetsAt));
            if (fullest == nullptr || window.usedPercent > fullest->usedPercent) {
                fullest = &window;
                claim = word.claim;
            }
        }
    }
    if (fullest == nullptr)
        return headers;
    add("representative-claim", std::string(claim));
    if (rejected)
        return headers;
    add("status", "allowed");
    if (fullest->resetsAt)
        add("reset", unixSeconds(*fullest->resetsAt));
    return headers;
}

} // namespace headway::dialects
