// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headway::dialects {

// The front doors (spec/turns.md).
enum class Door : std::uint8_t {
    Messages, // POST …/messages
    Responses, // POST …/responses
    ResponsesSocket, // GET …/responses, upgraded
    ChatCompletions, // POST …/chat/completions
};

[[nodiscard]] std::string_view name(Door door);

} // namespace headway::dialects
