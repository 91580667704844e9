// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/eventstream.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::turn {

using HeaderFields = std::vector<std::pair<std::string, std::string>>; // names lower case

// The client's headers as they are relayed: all but those of the connection itself (RFC 9110
// section 7.6.1), and Content-Encoding, since the body was decoded on its way in. Our keys are no
// longer among them.
[[nodiscard]] HeaderFields relayedRequest(const HeaderFields &client);
// The same for the answer; its body is relayed as it is encoded.
[[nodiscard]] HeaderFields relayedAnswer(const HeaderFields &provider);

// What a Messages reply says about its cost, read beside the bytes that go by. Numbers of
// `message_delta` take the place of those of `message_start`, they are not added (case B78).
class RelayedUsage final
{
public:
    void stream(std::string_view bytes); // of text/event-stream, in any pieces
    void whole(std::string_view body); // of a reply in one piece

    std::uint64_t inputTokens = 0; // neither cached nor written
    std::uint64_t cachedTokens = 0;
    std::uint64_t writtenTokens = 0;
    std::uint64_t outputTokens = 0;
    std::string stopReason;
    bool stopped = false; // message_stop came, or the reply was whole
    std::string errorType; // of an error event

private:
    void read(std::string_view json);

    dialects::EventStreamReader m_events{std::size_t{4} << 20U};
};

} // namespace headway::turn
