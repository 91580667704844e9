// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>

// Every constant bound of the listener (spec/safety.md: "Bad input gets a clear error and costs
// nothing"). What a user may set stands in ListenerLimits instead.
namespace headway::net::limits {

// Request line and headers together, counted on the wire; more is 431.
inline constexpr std::size_t headBytes = std::size_t{64} << 10U;
inline constexpr std::size_t headerFields = 256; // more is 431
inline constexpr std::size_t targetBytes = std::size_t{8} << 10U; // more is 414
// Chunk extensions and trailers of one body; both are read over, more is 400.
inline constexpr std::size_t chunkOverheadBytes = std::size_t{16} << 10U;

// Bytes kept that follow a request whose reply is not finished. With more, the connection closes
// after the reply.
inline constexpr std::size_t pipelinedBytes = std::size_t{64} << 10U;
// Bytes read over during a reply, or after an error reply so that the client gets to see it.
inline constexpr std::size_t discardedBytes = std::size_t{16} << 20U;

// Reply back-pressure: drained() comes below `low` after buffered() was above `high`.
inline constexpr std::size_t highWater = std::size_t{256} << 10U;
inline constexpr std::size_t lowWater = std::size_t{64} << 10U;

// The body string's spare capacity that the JSON reader may load beyond its end.
inline constexpr std::size_t bodySlack = 64;
// Window a zstd frame may ask for: 8 MiB, what RFC 8878 section 3.1.1.1.2 has every decoder
// support.
inline constexpr int zstdWindowLog = 23;

inline constexpr std::size_t socketMessageBytes = std::size_t{64} << 20U; // more closes with 1009

inline constexpr std::size_t connectionCeiling = 8192;
inline constexpr std::size_t reservedDescriptors = 256;
// Connections over the limit that are answered 503 at the same time; more are reset unanswered.
inline constexpr std::size_t overflowAnswers = 64;
inline constexpr std::chrono::seconds retryAfter{2}; // told with 503

} // namespace headway::net::limits

namespace headway::net {

// Durations of the listener. Parameters, so that tests need not wait.
struct ListenerTimes
{
    std::chrono::milliseconds head
        = std::chrono::seconds{10}; // first byte to end of head, else 408
    // A body may be slow for `bodyGrace`; from then its average rate counts, else 408.
    std::chrono::milliseconds bodyGrace = std::chrono::seconds{10};
    std::size_t bodyBytesPerSecond = std::size_t{8} << 10U;
    // Without a request: above the 65 s after which Claude Code was seen to reuse a connection.
    std::chrono::milliseconds idle = std::chrono::seconds{75};
    // A whole reply of which the client takes nothing for this long is given up. Open streams are
    // the engine's to give up.
    std::chrono::milliseconds stall = std::chrono::seconds{60};
    std::chrono::milliseconds linger = std::chrono::seconds{2}; // for the client to take an error
    std::chrono::milliseconds cut = std::chrono::seconds{5}; // for what was written before a reset
    std::chrono::milliseconds wrongKeyStep = std::chrono::milliseconds{500}; // first slowed answer
    std::chrono::milliseconds wrongKeyMost = std::chrono::seconds{4};
    std::chrono::milliseconds tick = std::chrono::milliseconds{500}; // precision of all of these
};

} // namespace headway::net
