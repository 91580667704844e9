// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/dialects/turnerror.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headway::dialects {

enum class EventType : std::uint8_t {
    Created,
    InProgress,
    Queued,
    OutputItemAdded,
    OutputItemDone,
    ContentPartAdded,
    ContentPartDone,
    OutputTextDelta,
    OutputTextDone,
    RefusalDelta,
    FunctionCallArgumentsDelta,
    FunctionCallArgumentsDone,
    CustomToolCallInputDelta,
    CustomToolCallInputDone,
    ReasoningSummaryPartAdded,
    ReasoningSummaryTextDelta,
    ReasoningTextDelta,
    Completed,
    Incomplete,
    Failed,
    Error,
    RateLimits, // codex.rate_limits
    Unknown, // passed on where the dialect allows it, ignored otherwise
};

struct Usage
{
    std::uint64_t inputTokens = 0; // includes cached and written ones
    std::uint64_t cachedTokens = 0;
    std::uint64_t cacheWriteTokens = 0;
    std::uint64_t outputTokens = 0; // includes reasoning
    std::uint64_t reasoningTokens = 0;

    friend bool operator==(const Usage &, const Usage &) = default;
};

// One frame from upstream. Views point into the frame that was read (or into the reader, until its
// next call).
struct UpstreamEvent
{
    EventType type = EventType::Unknown;
    std::string_view typeName;
    std::string_view raw; // the frame
    std::string_view streamId; // whose lane it is; empty: the default one, or nobody's
    std::string_view delta; // JSON string literal of "delta", quotes included
    std::string_view item; // JSON of "item"
    std::string_view itemId;
    int outputIndex = -1;
    int partIndex = -1; // content_index or summary_index
    std::string_view response; // JSON of "response"
    std::string_view responseId;
    std::optional<Usage> usage; // terminal events
    std::size_t items = 0; // terminal events: so many the response lists
    std::string_view incompleteReason;
    std::optional<TurnError> error; // Failed, Error

    // Model output: closes the window in which a turn may be sent again.
    [[nodiscard]] bool isOutput() const;
    // A model event: resets the idle deadline (pongs, keep-alives, rate limits do not).
    [[nodiscard]] bool isModelEvent() const;
    [[nodiscard]] bool isTerminal() const; // Completed, Incomplete, Failed, Error
};

// Keeps one parser and its buffers; one per thread.
class EventReader final
{
public:
    EventReader();
    ~EventReader();
    EventReader(const EventReader &) = delete;
    EventReader &operator=(const EventReader &) = delete;

    // `frame` must have simdjson::SIMDJSON_PADDING readable bytes behind it or is copied once.
    // Nothing when the frame is not a JSON object with a type. `now` serves errors that state
    // times.
    [[nodiscard]] std::optional<UpstreamEvent> read(std::string_view frame, std::size_t capacity,
                                                    base::WallTime now);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::dialects
