// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway::net {

// How the end of a reply is told (RFC 9112 section 6).
enum class ReplyFraming : std::uint8_t {
    Length, // Content-Length
    Chunked,
    Close, // HTTP/1.0 without a length
    None, // 204, 304
};

struct ReplyPlan
{
    int status = 200;
    ReplyFraming framing = ReplyFraming::Length;
    std::size_t length = 0;
    bool isHttp10 = false;
    bool keepAlive = true;
};

[[nodiscard]] std::string_view reasonPhrase(int status);

// Appends status line and headers with Date, the framing and Connection. Headers of ours among
// `headers` (those four) are left out, and characters that would end a line are replaced, since
// values may come from a provider.
void appendReplyHead(std::string &out, const ReplyPlan &plan, const HeaderFields &headers);

// Appends one chunk; nothing for an empty one, which would end the body.
void appendChunk(std::string &out, std::string_view bytes);

inline constexpr std::string_view lastChunk = "0\r\n\r\n";

} // namespace headway::net
