// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headway::bench {

// How the reply is put on the wire.
enum class Wire : std::uint8_t {
    WebSocket, // Responses events, one text frame each
    ResponsesSse, // the same as an HTTP event stream, one chunk each
    MessagesSse, // what a Messages client sees of it
};

// One whole reply, made once and copied for each turn: only the response id differs, and it has a
// fixed width. So the provider's own work per event is a copy.
struct ReplyScript
{
    std::string bytes; // HTTP head included where there is one
    std::vector<std::size_t> idOffsets; // of 16 hex digits each
    std::vector<std::size_t> cuts; // end of what precedes the first delta, then of each delta

    [[nodiscard]] std::string withId(std::uint64_t id) const;
};

[[nodiscard]] ReplyScript makeReply(Wire wire, int deltas);

// The text a client has after such a reply.
[[nodiscard]] std::string replyText(int deltas);

// What a turn asks for, in its model's name: bench-DELTAS or bench-DELTAS-PACEms.
struct TurnShape
{
    int deltas = 1;
    int paceMs = 0; // 0: as fast as possible
};
[[nodiscard]] TurnShape shapeFromBody(const std::string &jsonBody);
[[nodiscard]] std::string modelName(TurnShape shape);

} // namespace headway::bench
