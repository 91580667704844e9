// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/json/document.h"

#include <string>

namespace headway::dialects {

// `system` as one JSON string literal, its blocks joined by an empty line, without the client's
// billing line. Empty when there is no text.
[[nodiscard]] std::string instructionsOf(json::Value system, Complaint &complaint);

// The effort to ask for: output_config.effort, else what thinking implies; empty: the default.
[[nodiscard]] std::string effortOf(json::Value request);

// `reasoning` as a JSON object; empty when there is nothing to ask for. Fills the thinking members
// of the context.
[[nodiscard]] std::string reasoningOf(json::Value request, const std::string &effort,
                                      ReplyContext &context);

// `text` as a JSON object with the output format; empty without one.
[[nodiscard]] std::string textFormatOf(json::Value request);

// Fills context.stopSequences.
void readStopSequences(json::Value request, ReplyContext &context, Complaint &complaint);

} // namespace headway::dialects
