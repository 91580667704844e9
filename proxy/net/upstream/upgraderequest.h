// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/requestfields.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::net {

// The client's half of an opening handshake (RFC 6455, section 4.1), by hand.
struct UpgradeRequest
{
    std::string bytes; // the whole GET
    std::string expectedAccept; // Sec-WebSocket-Accept that proves the server understood

    // `nonce`: 16 random bytes. A header that would break the request, or that the handshake owns,
    // is an error with a sentence. permessage-deflate is not offered.
    [[nodiscard]] static tl::expected<UpgradeRequest, QString>
    build(const Endpoint &endpoint, const RequestHeaders &headers, std::string_view nonce);
};

} // namespace headway::net
