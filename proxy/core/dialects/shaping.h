// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headway::dialects {

// What may be taken off a conversation on its way up (spec/turns.md). Everything is off by default:
// the proxy does not shorten what an agent sends unless it is told to.
struct ShapingRules
{
    std::size_t toolOutputCap = 0; // characters of one call's result; 0: off
    std::size_t viewOutputCap = 0; // … of a tool that shows a view; 0: off
    std::string viewTools = "browser__"; // how the names of such tools begin
    bool elideViews = false; // all but the latest view become one line
    std::size_t historyTurns = 0; // most turns of the user that go up; 0: all

    [[nodiscard]] bool isOff() const
    {
        return toolOutputCap == 0 && viewOutputCap == 0 && !elideViews && historyTurns == 0;
    }

    friend bool operator==(const ShapingRules &, const ShapingRules &) = default;
};

// A cap below this counts as this: the note that says what was cut must have room.
inline constexpr std::size_t leastCap = 1000;

// Changes the input items. The caps look at one item and its call only, so a shortened prefix stays
// the prefix of the next turn; they keep the start and the end of a text, whole characters (code
// points), and no more than the cap with the note that says what was cut. Images, files and ids of
// results stay. An elided view and a shortened history change what was sent before: such a turn
// goes up in full. The history is cut in front of a user message, several turns at a time so that
// most turns keep their prefix, and never between a call and its result; what stands in front of
// the first user message stays. request.unshaped keeps what the client sent, request.shaping says
// what was done.
void shape(TurnRequest &request, const ShapingRules &rules);

// One sentence for each rule that is on, for people.
[[nodiscard]] std::vector<std::string> notices(const ShapingRules &rules);

} // namespace headway::dialects
