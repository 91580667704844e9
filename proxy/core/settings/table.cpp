// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/table.h"

#include <array>
#include <cstddef>

namespace headway::settings {

namespace {

constexpr bool runtime = true;
constexpr bool atStart = false;

constexpr Row integer(Key key, std::string_view name, std::string_view fallback,
                      std::int64_t minimum, std::int64_t maximum, std::string_view unit,
                      std::string_view description)
{
    return {key, name, Kind::Integer, fallback, minimum, maximum, unit, {}, runtime, description};
}

constexpr Row flag(Key key, std::string_view name, std::string_view fallback,
                   std::string_view description)
{
    return {key, name, Kind::Flag, fallback, 0, 1, {}, {}, runtime, description};
}

constexpr Row choice(Key key, std::string_view name, std::string_view fallback,
                     std::string_view choices, std::string_view description)
{
    return {key, name, Kind::Choice, fallback, 0, 0, {}, choices, runtime, description};
}

constexpr Row text(Key key, std::string_view name, std::string_view fallback,
                   std::string_view description, bool when = atStart)
{
    return {key, name, Kind::Text, fallback, 0, 0, {}, {}, when, description};
}

constexpr Row secret(Key key, std::string_view name, std::string_view description)
{
    return {key, name, Kind::Secret, {}, 0, 0, {}, {}, runtime, description};
}

// Ranges: spec/pacing.md sections 1, 3, 4 and 5, spec/heads.md section 2; where the specification
// names none, the widest range in which the product still does what the description says.
constexpr std::array rows{
    choice(
        Key::Policy, "policy", "auto", "off|fixed|bucket|adaptive|auto",
        "How new upstream connections are paced: not at all, 1 s apart, by a token bucket with a "
        "bounded queue, by a spacing that widens with rejections, or by what was learned."),
    integer(Key::RatePerMin, "rate_per_min", "60", 0, 600, "per minute",
            "Sustained rate of new upstream connections; 0 switches the limiter off."),
    flag(Key::RatePinned, "rate_pinned", "false",
         "Makes the rate a hard upper limit that no policy may raise."),
    integer(Key::Burst, "burst", "10", 1, 100, "connections",
            "How many connections may be opened at once after a quiet time."),
    integer(Key::IdleMs, "idle_ms", "120000", 10'000, 3'600'000, "ms",
            "Longest silence of the model within a turn, all attempts together."),
    integer(Key::TotalMs, "total_ms", "600000", 60'000, 21'600'000, "ms",
            "Longest time until the first output of a turn."),
    integer(Key::Retries, "retries", "5", 0, 10, "", "Further attempts inside one turn."),
    integer(Key::SpacingFloorMs, "spacing_floor_ms", "0", 0, 60'000, "ms",
            "Least distance between two connection starts under a spacing policy."),
    integer(Key::TokenFloor, "token_floor", "35000", 0, 100'000'000, "tokens",
            "Remaining provider tokens under which a call waits for the reset."),
    integer(Key::MaxWaitInteractiveMs, "max_wait_interactive_ms", "5000", 0, 75'000, "ms",
            "Longest wait inside the token gate for a turn a person waits for."),
    integer(Key::MaxWaitBatchMs, "max_wait_batch_ms", "65000", 0, 75'000, "ms",
            "Longest wait inside the token gate for a background turn."),
    integer(Key::OpenStreamAfterMs, "open_stream_after_ms", "45000", 1'000, 600'000, "ms",
            "Waiting time after which a reply is opened early to keep its client alive."),
    integer(Key::NurseryCap, "nursery_cap", "128", 1, 4'096, "heads",
            "Most idle heads kept that were never continued."),
    integer(Key::EstablishedCap, "established_cap", "256", 1, 4'096, "heads",
            "Most idle heads kept that were continued at least once."),
    integer(Key::NurseryIdleS, "nursery_idle_s", "300", 1, 86'400, "s",
            "Idle time after which a head that was never continued is closed."),
    integer(Key::EstablishedIdleS, "established_idle_s", "1800", 1, 86'400, "s",
            "Idle time after which a continued head is closed."),
    integer(Key::RotateS, "rotate_s", "3300", 60, 86'400, "s",
            "Age by the wall clock at which a connection is replaced between turns."),
    choice(Key::Lanes, "lanes", "auto", "off|on|auto",
           "Whether turns share a connection, each on a lane of its own; auto asks the provider "
           "once, and leaves the ChatGPT plan's endpoint alone."),
    integer(Key::Spares, "spares", "0", 0, 16, "connections",
            "Connections opened ahead out of unused openings, for the next burst."),
    integer(Key::FirstEventMs, "first_event_ms", "60000", 1'000, 3'600'000, "ms",
            "Silence after a request was written that counts as a broken connection."),
    text(Key::Listen, "listen", "127.0.0.1:17421", "Address and port to listen on; port 0: any."),
    text(Key::AllowedHosts, "allowed_hosts", "",
         "Further host names a client may use in its Host header, separated by commas."),
    text(Key::Upstream, "upstream", "",
         "Where turns go: openai, chatgpt (plan sign-in) or the URL of a Responses endpoint; "
         "with \",anthropic\" claude-* models are passed through to Anthropic."),
    text(Key::Models, "models", "", "Model aliases and routes."),
    text(Key::ModelHeaders, "model_headers", "",
         "Headers that the connections of a model need: MODEL: name=value, name=value; MODEL: and "
         "so on."),
    text(Key::Ledger, "ledger", "", "Path of the ledger; empty: in the state folder."),
    integer(Key::RetentionDays, "retention_days", "30", 1, 3'650, "days",
            "Age after which ledger records are removed."),
    integer(Key::RetentionMib, "retention_mib", "512", 16, 1'048'576, "MiB",
            "Size of the ledger above which its oldest records are removed."),
    integer(Key::MaxBodyMib, "max_body_mib", "64", 1, 1'024, "MiB",
            "Largest request body, counted after decompression."),
    integer(Key::MaxConnections, "max_connections", "", 1, 8'192, "connections",
            "Most client connections; empty: derived from the limit of open files."),
    integer(Key::MemoryMib, "memory_mib", "1024", 16, 65'536, "MiB",
            "Most memory for all request bodies together."),
    secret(Key::AccessKey, "access_key", "Key that clients present on the model routes."),
    secret(Key::ControlKey, "control_key", "Key for the control routes and the metrics."),
    secret(Key::UpstreamKey, "upstream_key", "API key of the upstream endpoint."),
    choice(Key::LogLevel, "log_level", "info", "debug|info|warning|error",
           "Least severity written to the log."),
    flag(Key::CacheKeyPerAgent, "cache_key_per_agent", "false",
         "Gives each agent a prompt cache key of its own."),
    flag(Key::ClientSockets, "client_sockets", "true",
         "Lets clients speak WebSocket on the Responses route; off: they are sent to plain HTTP."),
    integer(Key::ToolOutputCap, "tool_output_cap", "0", 0, 10'000'000, "characters",
            "Clips the result of a tool call to this length, 1000 at least; 0: off, try 16000."),
    integer(Key::ViewOutputCap, "view_output_cap", "0", 0, 10'000'000, "characters",
            "Clips the result of a tool that shows a view to this length; 0: off, try 24000."),
    text(Key::ViewTools, "view_tools", "browser__",
         "How the names of tools that show a view begin.", runtime),
    flag(Key::ElideViews, "elide_views", "false",
         "Sends only the latest view; each new one costs the cached prompt."),
    integer(Key::HistoryTurns, "history_turns", "0", 0, 100'000, "turns",
            "Most turns of the user that go up, the latest ones; 0: all, try 24."),
};

consteval bool inOrderOfKeys()
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(rows[i].key) != i)
            return false;
    }
    return true;
}
static_assert(rows.size() == static_cast<std::size_t>(Key::HistoryTurns) + 1);
static_assert(inOrderOfKeys(), "row() indexes the table by key");

} // namespace

std::span<const Row> table()
{
    return rows;
}

const Row &row(Key key)
{
    return rows[static_cast<std::size_t>(key)];
}

std::optional<Key> find(std::string_view name)
{
    for (const Row &candidate : rows) {
        if (candidate.name == name)
            return candidate.key;
    }
    return std::nullopt;
}

std::string allowedValues(const Row &row)
{
    switch (row.kind) {
    case Kind::Integer: {
        std::string text = std::to_string(row.minimum) + " to " + std::to_string(row.maximum);
        if (!row.unit.empty())
            text.append(" ").append(row.unit);
        return text;
    }
    case Kind::Flag:
        return "true or false";
    case Kind::Choice: {
        std::string text(row.choices);
        for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar))
            text.replace(bar, 1, text.find('|', bar + 1) == std::string::npos ? " or " : ", ");
        return text;
    }
    case Kind::Text:
    case Kind::Secret:
        break;
    }
    return {};
}

} // namespace headway::settings
