// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/json/document.h"

#include <string>

namespace headway::dialects {

// `tools` of a chat completion as the tools array of upstream; empty without any. Fills
// context.tools.
[[nodiscard]] std::string chatTools(json::Value request, ReplyContext &context,
                                    Complaint &complaint);

// `tool_choice` in upstream terms; empty when there is nothing to say. A choice of a tool that is
// not there is relaxed to "auto", which upstream does not refuse.
[[nodiscard]] std::string chatToolChoice(json::Value choice, const ReplyContext &context);

} // namespace headway::dialects
