// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <wslay/wslay.h>

namespace headway::net {

struct FrameBuffer
{
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
};

// The server's frames (RFC 6455, section 5) as messages; no I/O. wslay cuts the frames; putting
// messages together is done here, because wslay's own event layer allocates per message, walks the
// text byte by byte for UTF-8 and lets masked server frames pass.
class FrameReader final
{
public:
    enum class Kind : std::uint8_t { NeedMore, Text, Ping, Pong, Close, Broken };

    struct Event
    {
        Kind kind = Kind::NeedMore;
        std::string_view payload; // of Text, Ping, Pong; valid until the next call
        std::size_t capacity = 0; // Text: readable bytes from the payload's start
        std::uint16_t code = 0; // Close: what the peer said, 1005 for nothing; Broken: what to send
        QString reason; // Close: the peer's words; Broken: ours
    };

    static constexpr std::size_t padding = 64; // readable bytes behind a Text

    explicit FrameReader(std::size_t maxMessageBytes);
    ~FrameReader();
    FrameReader(const FrameReader &) = delete;
    FrameReader &operator=(const FrameReader &) = delete;

    // `bytes` must stay until next() says NeedMore or keepRest() was called.
    void feed(std::string_view bytes);
    // The next thing that is whole. After Close and Broken nothing more comes.
    [[nodiscard]] Event next();
    // Copies what is not consumed yet, so that the bytes given to feed() may go.
    void keepRest();

private:
    static ssize_t onWanted(std::uint8_t *buffer, std::size_t length, int flags, void *self);

    [[nodiscard]] Event startFrame(const wslay_frame_iocb &frame);
    void append(const wslay_frame_iocb &frame);
    [[nodiscard]] Event endFrame(const wslay_frame_iocb &frame);
    [[nodiscard]] Event readClose();
    [[nodiscard]] Event broken(std::uint16_t code, const QString &why);
    void reserve(std::size_t bytes);
    void giveBufferBack();

    wslay_frame_context_ptr m_frames = nullptr;
    std::size_t m_maxMessageBytes;
    std::string_view m_input;
    std::string m_kept;
    FrameBuffer m_message;
    std::size_t m_size = 0; // bytes of the message so far
    std::array<char, 125> m_control{};
    std::size_t m_controlSize = 0;
    std::uint64_t m_frameRead = 0;
    bool m_inFrame = false;
    bool m_inMessage = false;
    bool m_delivered = false; // the message in the buffer was handed out by the last next()
    bool m_over = false;
};

} // namespace headway::net
