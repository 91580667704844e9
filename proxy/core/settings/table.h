// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headway::settings {

// spec/cli.md, "Settings". One row per key; file, environment, range check, notice, --help, slider
// and documentation are derived from it.
enum class Key : std::uint8_t {
    Policy,
    RatePerMin,
    RatePinned,
    Burst,
    IdleMs,
    TotalMs,
    Retries,
    SpacingFloorMs,
    TokenFloor,
    MaxWaitInteractiveMs,
    MaxWaitBatchMs,
    OpenStreamAfterMs,
    NurseryCap,
    EstablishedCap,
    NurseryIdleS,
    EstablishedIdleS,
    RotateS,
    Lanes,
    Spares,
    FirstEventMs,
    Listen,
    AllowedHosts,
    Upstream,
    Models,
    ModelHeaders,
    Ledger,
    RetentionDays,
    RetentionMib,
    MaxBodyMib,
    MaxConnections,
    MemoryMib,
    AccessKey,
    ControlKey,
    UpstreamKey,
    LogLevel,
    CacheKeyPerAgent,
    ClientSockets,
    ToolOutputCap,
    ViewOutputCap,
    ViewTools,
    ElideViews,
    HistoryTurns,
};

enum class Kind : std::uint8_t { Integer, Flag, Choice, Text, Secret };

struct Row
{
    Key key;
    std::string_view name; // "rate_per_min"; environment: HEADWAY_RATE_PER_MIN
    Kind kind;
    std::string_view fallback; // default as text; empty: none or derived
    std::int64_t minimum; // Integer
    std::int64_t maximum;
    std::string_view unit; // "ms", "s", "per minute", "MiB", ""
    std::string_view choices; // Choice: "off|fixed|bucket|adaptive|auto"
    bool atRuntime; // false: read once at start (marked * in the spec)
    std::string_view description; // one sentence, for --help and tool tips
};

[[nodiscard]] std::span<const Row> table();
[[nodiscard]] const Row &row(Key key);
[[nodiscard]] std::optional<Key> find(std::string_view name);

// What a value may be, for people: "0 to 600 per minute", "true or false", "off or bucket"; empty
// where any text will do.
[[nodiscard]] std::string allowedValues(const Row &row);
// The name a person who wrote `name` most likely meant: one that differs by a slip of the keys,
// else one that begins like it, else the one with the fewest changed characters; empty if none is
// near.
[[nodiscard]] std::string_view nearest(std::string_view name);

} // namespace headway::settings
