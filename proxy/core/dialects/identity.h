// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"

namespace headway::dialects {

// Who speaks, by headers and body (spec/heads.md section 1, section 1.4 of the client notes): a
// Claude Code session id in metadata.user_id wins over the header.
[[nodiscard]] Identity messagesIdentity(json::Value request, const ClientHeaders &headers);

// Codex, and chat completions with the same members: session-id and thread-id; a thread that bears
// the session's own id is the main agent.
[[nodiscard]] Identity responsesIdentity(json::Value request, const ClientHeaders &headers);

} // namespace headway::dialects
