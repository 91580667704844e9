// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/columns.h"

#include "proxy/core/ledger/columnaccess.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace headway::ledger {

namespace {

using access::column;
using access::textIfAny;

template <std::size_t N>
constexpr std::array<Column, N + 4> withCommon(const Column (&own)[N])
{
    std::array<Column, N + 4> all{
        column<&Record::at>("time", "when it happened"),
        column<&Record::turn>("turn", "the turn it belongs to; also the reply's request-id"),
        textIfAny<&Record::session>("session", "keyed tag of the session, or the user's label"),
        textIfAny<&Record::agent>("agent", "keyed tag of the sub-agent; nothing: the main agent"),
    };
    std::copy(std::begin(own), std::end(own), all.begin() + 4);
    return all;
}

constexpr auto turnStarted = withCommon({
    column<&TurnStarted::dialect>("dialect", "messages, responses or chat"),
    column<&TurnStarted::modelAsked>("model_asked", "the model the client named"),
    column<&TurnStarted::model>("model", "the model sent upstream"),
    column<&TurnStarted::effort>("effort", "reasoning effort sent upstream"),
    column<&TurnStarted::bytesIn>("bytes_in", "size of the request body"),
});

constexpr auto turnEnded = withCommon({
    column<&TurnEnded::dialect>("dialect", "messages, responses or chat"),
    column<&TurnEnded::modelAsked>("model_asked", "the model the client named"),
    column<&TurnEnded::model>("model", "the model sent upstream"),
    column<&TurnEnded::effort>("effort", "reasoning effort sent upstream"),
    column<&TurnEnded::decision>("decision", "head decision of the last attempt"),
    column<&TurnEnded::place>("place", "same, lane, spare or dialled"),
    column<&TurnEnded::connection>("connection", "upstream connection; 0: none"),
    column<&TurnEnded::generation>("generation", "nursery, established or isolated"),
    column<&TurnEnded::gateMs>("gate_ms", "waited for the turn before it"),
    column<&TurnEnded::queuedMs>("queued_ms", "waited for admission"),
    column<&TurnEnded::dialledMs>("dialled_ms", "spent opening connections"),
    column<&TurnEnded::firstByteMs>("first_byte_ms", "from the last send to the first event"),
    column<&TurnEnded::streamedMs>("streamed_ms", "from the first output to the end"),
    column<&TurnEnded::totalMs>("total_ms", "from the request to the end"),
    column<&TurnEnded::attempts>("attempts", "attempts made"),
    column<&TurnEnded::refusals>("refusals", "attempts refused by the pacer"),
    column<&TurnEnded::admission>("admission", "none, at_once, queued or refused"),
    column<&TurnEnded::inputTokens>("input_tokens", "as the provider counted"),
    column<&TurnEnded::cachedTokens>("cached_tokens", "input read from the provider's cache"),
    column<&TurnEnded::cacheWriteTokens>("cache_write_tokens", "input written to the cache"),
    column<&TurnEnded::outputTokens>("output_tokens", "reasoning included"),
    column<&TurnEnded::reasoningTokens>("reasoning_tokens", "part of the output"),
    column<&TurnEnded::expectedCachedTokens>("expected_cached_tokens", "had nothing been lost"),
    column<&TurnEnded::bytesIn>("bytes_in", "size of the request body"),
    column<&TurnEnded::bytesOut>("bytes_out", "size of the reply"),
    column<&TurnEnded::stopReason>("stop_reason", "in the client's dialect"),
    column<&TurnEnded::end>("end", "completed, client_gone, refused, failed or process_died"),
    textIfAny<&TurnEnded::errorType>("error_type", "when failed or refused"),
    column<&TurnEnded::reason>("reason", "why it ended so, in plain words"),
});

constexpr auto headDecided = withCommon({
    column<&HeadDecided::decision>("decision", "continuation, fork, new_partition_head …"),
    column<&HeadDecided::place>("place", "same, lane, spare or dialled"),
    column<&HeadDecided::partition>("partition", "12 hex digits, keyed"),
    column<&HeadDecided::connection>("connection", "the head's connection; 0: none yet"),
    column<&HeadDecided::candidates>("candidates", "heads of the partition"),
    column<&HeadDecided::idle>("idle", "of those, idle"),
    column<&HeadDecided::matching>("matching", "of those, a strict prefix of the input"),
    column<&HeadDecided::matchMode>("match_mode", "none, exact or reasoning_omitted"),
    column<&HeadDecided::deltaItems>("delta_items", "items that were sent"),
    column<&HeadDecided::inputItems>("input_items", "items of the whole input"),
    column<&HeadDecided::promoted>("promoted", "moved from nursery to established"),
    column<&HeadDecided::createdConnection>("created_connection", "needed a new connection"),
    column<&HeadDecided::diffIndex>("diff_index", "first item that differs from the best head"),
    textIfAny<&HeadDecided::diffKind>("diff_kind", "what kind of item that is"),
    textIfAny<&HeadDecided::expectedHash>("expected_hash", "keyed hash of the head's item"),
    textIfAny<&HeadDecided::foundHash>("found_hash", "keyed hash of the item that came"),
    textIfAny<&HeadDecided::promptChanges>("prompt_changes", "prompt fields changed, by comma"),
    textIfAny<&HeadDecided::rescanOutcome>("rescan_outcome", "of the scan after a wait, if any"),
    column<&HeadDecided::waitedMs>("waited_ms", "waited before this decision"),
    column<&HeadDecided::isolatedBy>("isolated_by", "connection whose turn isolates; 0: none"),
    textIfAny<&HeadDecided::lane>("lane", "stream_id it runs on, if it has one"),
    column<&HeadDecided::expectedTokens>("expected_tokens", "what continuing saves, or would"),
    textIfAny<&HeadDecided::lostReason>("lost_reason", "why the head it wanted had gone"),
    column<&HeadDecided::lostTokens>("lost_tokens", "conversation of that head"),
    column<&HeadDecided::suppressedWarnings>("suppressed_warnings",
                                             "dropped because nothing was degraded"),
});

constexpr auto admission = withCommon({
    column<&Admission::outcome>("outcome",
                                "admitted, queued, refused, cancelled, returned or process_died"),
    column<&Admission::request>("request", "the admission request; unique within a process"),
    column<&Admission::waitedMs>("waited_ms", "waited so far"),
    column<&Admission::requiredMs>("required_ms", "the honest wait"),
    column<&Admission::hintS>("hint_s", "retry hint of a refusal"),
    column<&Admission::policy>("policy", "the policy in force"),
    column<&Admission::place>("place", "queue place on arrival; 0: did not queue"),
});

constexpr auto connection = withCommon({
    column<&Connection::event>("event",
                               "dialled, opened, rejected, failed, closed, evicted or abandoned"),
    column<&Connection::connection>("connection", "unique within a process"),
    column<&Connection::request>("request", "admission request it was dialled on; 0: none"),
    column<&Connection::status>("status", "HTTP status of a rejection"),
    column<&Connection::retryAfterMs>("retry_after_ms", "Retry-After of a rejection"),
    column<&Connection::reason>("reason", "why"),
    column<&Connection::closeCode>("close_code", "WebSocket close code"),
    column<&Connection::ageMs>("age_ms", "since it was opened"),
    column<&Connection::turns>("turns", "turns it carried"),
    column<&Connection::bytesUp>("bytes_up", "bytes sent on it"),
    column<&Connection::bytesDown>("bytes_down", "bytes received on it"),
    column<&Connection::recovery>("recovery", "replaces a connection lost inside a turn"),
    textIfAny<&Connection::upstreamRequestId>("upstream_request_id", "the provider's id of it"),
    textIfAny<&Connection::lane>("lane", "the lane it happened to, while the connection stays"),
    textIfAny<&Connection::detail>("detail", "what the peer, or the system, said when it closed"),
});

constexpr auto spacingChanged = withCommon({
    column<&SpacingChanged::policy>("policy", "the policy in force"),
    column<&SpacingChanged::oldMs>("old_ms", "between two openings before; 0: not spaced"),
    column<&SpacingChanged::newMs>("new_ms", "between two openings now; 0: not spaced"),
});

constexpr auto ceilingChanged = withCommon({
    column<&CeilingChanged::oldShape>("old_shape", "shape before"),
    column<&CeilingChanged::shape>("shape", "unknown, window, rate or cap"),
    column<&CeilingChanged::oldPerMinute>("old_per_minute", "openings a minute before, if known"),
    column<&CeilingChanged::perMinute>("per_minute", "openings a minute, estimated"),
    column<&CeilingChanged::spacingMs>("spacing_ms", "between two openings, of shape rate"),
    column<&CeilingChanged::oldSocketCap>("old_socket_cap", "open sockets before, if known"),
    column<&CeilingChanged::socketCap>("socket_cap", "open sockets, estimated"),
    column<&CeilingChanged::confidence>("confidence", "of the estimate, 0 to 1"),
});

constexpr auto tokenBudget = withCommon({
    column<&TokenBudget::family>("family", "tokens, requests or project-tokens"),
    column<&TokenBudget::limit>("limit", "what the provider allows until a reset"),
    column<&TokenBudget::remaining>("remaining", "of that, as the provider last said"),
    column<&TokenBudget::left>("left", "remaining, less what was sent since"),
    column<&TokenBudget::floor>("floor", "with less left than this, calls wait for the reset"),
    column<&TokenBudget::resetMs>("reset_ms", "until the reset"),
    column<&TokenBudget::holding>("holding", "calls wait for the reset now"),
});

constexpr auto quotaWindow = withCommon({
    column<&QuotaWindow::meter>("meter", "whose: codex, or another limit's id"),
    column<&QuotaWindow::window>("window", "named by its length: 5 h, 7 d"),
    column<&QuotaWindow::lengthMs>("length_ms", "its length"),
    column<&QuotaWindow::usedPercent>("used_percent", "used of it, as the provider last said"),
    column<&QuotaWindow::resetsAt>("resets_at", "when it begins anew, if the provider said"),
});

constexpr auto settingsChanged = withCommon({
    column<&SettingsChanged::who>("who", "window, feed, file, command_line or environment"),
    column<&SettingsChanged::key>("key", "the setting"),
    column<&SettingsChanged::oldValue>("old", "value before"),
    column<&SettingsChanged::newValue>("new", "value after"),
});

constexpr auto retry = withCommon({
    column<&Retry::attempt>("attempt", "the attempt that failed, from 1"),
    column<&Retry::cause>("cause", "why it failed"),
    column<&Retry::action>("action", "what is done about it"),
    column<&Retry::delayMs>("delay_ms", "wait before the next attempt"),
});

constexpr auto warning = withCommon({
    column<&Warning::key>("key", "which warning"),
    column<&Warning::text>("text", "plain words"),
    textIfAny<&Warning::severity>("severity", "info: nothing is wrong; nothing: a warning"),
});

constexpr auto process = withCommon({
    column<&Process::event>("event", "started or stopped"),
    column<&Process::version>("version", "of the program"),
    column<&Process::pid>("pid", "process id"),
});

template <typename B>
Record blank()
{
    return {.at = {}, .turn = {}, .session = {}, .agent = {}, .body = B{}};
}

constexpr std::array<Kind, std::variant_size_v<Body>> table{{
    {"turn_started", "A request came in.", turnStarted, blank<TurnStarted>, "model"},
    {"turn", "A turn ended.", turnEnded, blank<TurnEnded>, "end"},
    {"head_decision", "A head was chosen, or made.", headDecided, blank<HeadDecided>, "decision"},
    {"admission", "The pacer answered, or took back.", admission, blank<Admission>, "outcome"},
    {"connection", "Something happened to an upstream connection.", connection, blank<Connection>,
     "event"},
    {"spacing_changed", "The pacer keeps another distance between two openings.", spacingChanged,
     blank<SpacingChanged>, "policy"},
    {"ceiling_changed", "Policy auto estimates the account's ceiling otherwise.", ceilingChanged,
     blank<CeilingChanged>, "shape"},
    {"token_budget",
     "The provider's token budget, at most once a minute unless it begins or ends "
     "to hold calls.",
     tokenBudget, blank<TokenBudget>, "family"},
    {"quota_window", "The provider told another state of one of the account's allowances.",
     quotaWindow, blank<QuotaWindow>, "window"},
    {"settings_changed", "A setting got another value.", settingsChanged, blank<SettingsChanged>,
     "key"},
    {"retry", "An attempt failed and the turn goes on.", retry, blank<Retry>, "cause"},
    {"warning", "Something a person should know.", warning, blank<Warning>, "text"},
    {"process", "The proxy started or stopped.", process, blank<Process>, "event"},
}};

std::string_view typeName(Type type)
{
    switch (type) {
    case Type::Time:
        return "time";
    case Type::Turn:
        return "turn id";
    case Type::Text:
        return "text";
    case Type::Integer:
        return "integer";
    case Type::Real:
        return "real";
    case Type::Flag:
        return "flag";
    }
    return {};
}

void append(std::string &out, std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
        out += part;
}

} // namespace

std::span<const Kind> kinds()
{
    return table;
}

const Kind &kindOf(const Record &record)
{
    return table[record.body.index()];
}

std::optional<std::size_t> findKind(std::string_view name)
{
    const auto found = std::ranges::find(table, name, &Kind::name);
    if (found == table.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - table.begin());
}

std::string columnTables()
{
    std::string out;
    for (const Kind &kind : table) {
        append(out,
               {out.empty() ? "" : "\n", "### `", kind.name, "`\n\n", kind.meaning, "\n\n",
                "| column | type | holds |\n|---|---|---|\n"});
        for (const Column &column : kind.columns) {
            append(out,
                   {"| `", column.name, "` | ", typeName(column.type),
                    column.optional ? ", optional" : "", " | ", column.meaning, " |\n"});
        }
    }
    return out;
}

} // namespace headway::ledger
