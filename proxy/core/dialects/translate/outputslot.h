// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/argumentfilter.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/json/literal.h"

#include <optional>
#include <string>
#include <vector>

namespace headway::dialects {

// One upstream output item on its way to the client (see ItemSequence).
struct OutputSlot
{
    enum class Kind { Hidden, Reasoning, Message, Call, CustomCall, Search };

    struct Piece
    {
        EventType type = EventType::Unknown;
        int part = -1;
        std::string data; // delta literal or item
    };

    Kind kind = Kind::Hidden;
    bool finished = false;
    std::string itemId;
    std::vector<Piece> waiting;

    std::string phaseBody; // of a message: "commentary", "final_answer"; empty: not said

    // The part of a message or summary being written, and what upstream said of it, still escaped.
    int part = -1;
    EventType partType = EventType::Unknown;
    std::string partBody;
    std::vector<std::string> summary; // bodies of the summary parts shown

    // A call.
    std::string callIdBody;
    std::string name; // upstream
    json::BodyDecoder decoder;
    std::optional<ArgumentFilter> filter;
    std::string received; // arguments as upstream wrote them
    std::string arguments; // as the client sees them
};

} // namespace headway::dialects
