// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headway::net {

// The client's frames (RFC 6455, sections 5.2 to 5.5); no I/O. A long message is cut into fragments
// and encoded only as fast as the socket takes it, so that a pong goes out between two fragments
// (case B23). Written by hand: a client's frame is its header and the masked bytes, and masking
// word by word is several times cheaper than wslay's byte by byte.
class FrameWriter final
{
public:
    static constexpr std::size_t fragmentBytes = std::size_t{64} << 10U;

    using Mask = std::function<std::uint32_t()>; // unpredictable (RFC 6455, section 10.3)

    explicit FrameWriter(Mask mask);

    void text(std::string_view message); // behind the ones queued before
    void ping();
    void pong(std::string_view payload); // replaces one not sent yet (section 5.5.3)
    // Drops what has not begun to be sent; nothing more is accepted. `code` 1005: without a code.
    void close(std::uint16_t code, std::string_view reason = {});

    // Appends whole frames to `out` until it holds `budget` bytes or nothing is left; at most one
    // frame more than the budget. Control frames first.
    void take(std::string &out, std::size_t budget);

    [[nodiscard]] bool hasOutput() const;
    [[nodiscard]] std::size_t queuedBytes() const { return m_queuedBytes; } // payload not taken yet

private:
    struct Message
    {
        std::string bytes;
        std::size_t sent = 0;
        bool begun = false;
    };

    void takeControl(std::string &out);
    void takeFragment(std::string &out);
    void frame(std::string &out, std::uint8_t opcode, bool fin, std::string_view payload);

    Mask m_mask;
    std::deque<Message> m_queue;
    std::size_t m_queuedBytes = 0;
    std::optional<std::string> m_pong;
    std::optional<std::string> m_close;
    bool m_ping = false;
    bool m_closing = false;
};

} // namespace headway::net
