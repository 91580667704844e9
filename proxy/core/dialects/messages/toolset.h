// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/json/document.h"

#include <string>

namespace headway::dialects {

// `tools` and `tool_choice` in upstream terms.
struct Toolset
{
    std::string tools; // JSON array; empty when nothing is sent
    std::string choice; // JSON; empty: leave it to the provider
    bool parallelCalls = true;
};

// Tools of the provider's own that have no counterpart upstream are left out, and a choice that
// names one is relaxed: a choice must name a tool that is sent. Fills context.tools.
[[nodiscard]] Toolset readTools(json::Value request, ReplyContext &context, Complaint &complaint);

} // namespace headway::dialects
