// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/json/document.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace headway::dialects {

// What a client's own context editing (`context_management`, clear_tool_uses_20250919) takes off a
// conversation before the model sees it. The client keeps its history whole and sends all of it
// each turn, so that this is carried out anew each time.
//
// The conversation is gone through as it grew: whenever it is over the trigger at the end of one of
// the user's messages, the results of all calls but the latest `keep` go, unless together they hold
// less than `clear_at_least`. What was cleared stays cleared, so between two clearings a turn is a
// prefix of the next; at a clearing the prefix changes and the turn goes up in full (table 5.1).
// Defaults: trigger 100 000 tokens, keep 3.
//
// compact_20260112 is the provider's to carry out (wishes.h; trigger 150 000 tokens unless told
// otherwise). A summary that another provider made of a conversation stands in the history as a
// `compaction` block: as in the real API, the conversation begins with the latest of them, and what
// is in front of it is left out. Edits of thinking are none of ours: reasoning that went before is
// the provider's to drop.
struct ContextEdits
{
    std::unordered_set<std::string> results; // ids of calls whose results go
    std::unordered_set<std::string> inputs; // … and their arguments
    std::uint64_t tokens = 0; // by our count

    // Where the conversation begins: a message, and a block of it.
    std::size_t firstMessage = 0;
    std::size_t firstBlock = 0;
    std::uint64_t leftOut = 0; // tokens in front of that, by our count
    std::uint64_t compactAt = 0; // tokens from which on upstream is to compact; 0: not asked for

    [[nodiscard]] bool isLeftOut(std::size_t message, std::size_t block) const
    {
        return message < firstMessage || (message == firstMessage && block < firstBlock);
    }
    // What is taken off the whole.
    [[nodiscard]] std::uint64_t savedTokens() const { return tokens + leftOut; }

    // The value of `context_management` in the reply; empty when nothing was cleared.
    [[nodiscard]] std::string applied() const;
};

// `request` is the whole Messages request. A value of a wrong type is a complaint.
[[nodiscard]] ContextEdits readContextEdits(json::Value request, Complaint &complaint);

// The body of the text that stands for a cleared result.
inline constexpr std::string_view clearedResult
    = "[This tool result was cleared to save context (clear_tool_uses).]";

} // namespace headway::dialects
