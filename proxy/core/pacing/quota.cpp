// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/quota.h"

#include "proxy/core/json/document.h"

#include <charconv>
#include <chrono>
#include <cmath>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;

constexpr double mostMinutes = 366.0 * 24 * 60;
constexpr double lastSecond = 253'402'300'799.0; // of the year 9999
constexpr std::size_t longestMeter = 40;
constexpr std::size_t mostWindows = 32; // meters are named by the provider

std::optional<double> numberOf(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()
        || !std::isfinite(number))
        return std::nullopt;
    return number;
}

// The field's meter, slot and what it says: "x-" METER "-primary-" WHAT.
struct FieldName
{
    std::string meter;
    std::string slot;
    std::string_view what;
};

std::optional<FieldName> partsOf(std::string_view name)
{
    for (const std::string_view slot : {"-primary-", "-secondary-"}) {
        const std::size_t at = name.find(slot);
        if (!name.starts_with("x-") || at == std::string_view::npos || at <= 2
            || at - 2 > longestMeter)
            continue;
        return FieldName{std::string(name.substr(2, at - 2)), std::string(slot),
                         name.substr(at + slot.size())};
    }
    return std::nullopt;
}

base::Milliseconds seconds(double number)
{
    return base::Milliseconds(static_cast<std::int64_t>(number * 1e3));
}

} // namespace

std::string windowName(base::Seconds length)
{
    if (length % 24h == 0s)
        return std::to_string(length / 24h) + " d";
    if (length % 1h == 0s)
        return std::to_string(length / 1h) + " h";
    return std::to_string(length / 1min) + " min";
}

bool Quota::readHeaders(const Headers &headers, base::WallTime now)
{
    std::map<std::pair<std::string, std::string>, Reading> readings; // by meter and slot
    for (const auto &[name, value] : headers) {
        const auto parts = partsOf(name);
        const auto number = numberOf(value);
        if (!parts || !number)
            continue;
        Reading &reading = readings[{parts->meter, parts->slot}];
        if (parts->what == "used-percent")
            reading.usedPercent = number;
        else if (parts->what == "window-minutes")
            reading.minutes = number;
        else if (parts->what == "reset-at")
            reading.resetAt = number;
        else if (parts->what == "reset-after-seconds")
            reading.resetAfter = number;
    }
    bool any = false;
    for (const auto &[place, reading] : readings)
        any = take(place.first, reading, now) || any;
    return any;
}

bool Quota::readEvent(std::string_view frame, base::WallTime now)
{
    json::Document document;
    if (document.read(frame))
        return false;
    const json::Value root = document.root();
    std::string meter = root["metered_limit_name"].text();
    if (meter.empty() || meter.size() > longestMeter)
        meter = "codex";
    bool any = false;
    for (const std::string_view slot : {"primary", "secondary"}) {
        const json::Value window = root["rate_limits"][slot];
        any = take(meter,
                   {.usedPercent = window["used_percent"].number(),
                    .minutes = window["window_minutes"].number(),
                    .resetAt = window["reset_at"].number(),
                    .resetAfter = window["reset_after_seconds"].number()},
                   now)
            || any;
    }
    return any;
}

bool Quota::take(const std::string &meter, const Reading &reading, base::WallTime now)
{
    if (!reading.usedPercent || *reading.usedPercent < 0 || !reading.minutes
        || !(*reading.minutes >= 1) || *reading.minutes > mostMinutes)
        return false;
    const base::Seconds length{static_cast<std::int64_t>(*reading.minutes) * 60};
    const std::pair key{meter, length};
    if (!m_windows.contains(key) && m_windows.size() >= mostWindows)
        return false;
    QuotaWindow window{meter, windowName(length), length, *reading.usedPercent, {}};
    if (reading.resetAt && *reading.resetAt > 0 && *reading.resetAt < lastSecond)
        window.resetsAt = base::WallTime(seconds(*reading.resetAt));
    else if (reading.resetAfter && *reading.resetAfter >= 0
             && *reading.resetAfter <= mostMinutes * 60)
        window.resetsAt = now + seconds(*reading.resetAfter);
    m_windows[key] = std::move(window);
    return true;
}

std::vector<QuotaWindow> Quota::windows(base::WallTime now) const
{
    std::vector<QuotaWindow> all;
    for (const auto &[key, window] : m_windows) {
        all.push_back(window);
        if (window.resetsAt && *window.resetsAt <= now) {
            all.back().usedPercent = 0; // nothing was heard since
            all.back().resetsAt.reset();
        }
    }
    return all;
}

} // namespace headway::pacing
