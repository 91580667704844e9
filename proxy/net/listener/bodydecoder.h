// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::net {

// Removes one content coding as the bytes arrive (RFC 9110 section 8.4.1, RFC 8878), in pieces of
// bounded size, so that a small input never becomes a large buffer before it was counted.
class BodyDecoder
{
public:
    enum class Verdict : std::uint8_t {
        Good,
        Refused, // the receiver said no
        Malformed,
    };
    // Takes decoded bytes; false stops the decoding.
    using Receiver = std::function<bool(std::string_view)>;

    BodyDecoder() = default;
    BodyDecoder(const BodyDecoder &) = delete;
    BodyDecoder &operator=(const BodyDecoder &) = delete;
    virtual ~BodyDecoder() = default;

    [[nodiscard]] virtual Verdict decode(std::string_view bytes, const Receiver &receive) = 0;
    [[nodiscard]] virtual bool isComplete() const = 0; // the coded data is at an end
};

// Null for identity. The error is the coding's name when it is not one of gzip, x-gzip, deflate,
// zstd and identity, alone or once each with identity.
[[nodiscard]] tl::expected<std::unique_ptr<BodyDecoder>, std::string>
makeBodyDecoder(std::string_view contentEncoding);

} // namespace headway::net
