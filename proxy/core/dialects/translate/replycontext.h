// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headway::dialects {

// A tool as the reply needs it.
struct ToolShape
{
    std::string clientName;
    std::vector<std::string> droppable; // names of optional properties, still escaped
};

struct ReplyContext
{
    std::map<std::string, ToolShape, std::less<>> tools; // by the name upstream knows
    std::vector<std::string> stopSequences;
    bool showsThinking = false; // the client asked for thinking, so it can take and echo the blocks
    bool showsSummary = false; // … with its text
    bool showsReasoning = true; // chat completions: as reasoning_content
    std::string contextEdits; // Messages: what its own context editing did, as JSON; may be empty
    bool includesUsage = false; // chat completions: a last chunk with the usage
};

} // namespace headway::dialects
