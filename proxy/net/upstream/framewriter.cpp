// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/framewriter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <wslay/wslay.h>

namespace headway::net {

namespace {

constexpr std::size_t maxControlBytes = 125;

void appendBigEndian(std::string &out, std::uint64_t value, unsigned bytes)
{
    while (bytes > 0) {
        --bytes;
        out += static_cast<char>((value >> (8U * bytes)) & 0xffU);
    }
}

// At most `limit` bytes, ending between two characters of UTF-8. Some servers check each fragment
// for itself (Qt's does), though RFC 6455 section 5.6 wants the whole message checked.
std::size_t cut(std::string_view text, std::size_t limit)
{
    constexpr std::size_t longestTail = 3;
    if (text.size() <= limit)
        return text.size();
    for (std::size_t back = 0; back <= longestTail && back < limit; ++back) {
        if ((static_cast<unsigned char>(text[limit - back]) & 0xC0U) != 0x80U)
            return limit - back;
    }
    return limit; // not UTF-8
}

// XORs in place; `key` repeats every four bytes, so eight at a time are one word.
void applyMask(char *bytes, std::size_t count, const std::array<char, 8> &key)
{
    std::uint64_t word = 0;
    std::memcpy(&word, key.data(), sizeof word);
    std::size_t at = 0;
    for (; at + sizeof word <= count; at += sizeof word) {
        std::uint64_t block = 0;
        std::memcpy(&block, bytes + at, sizeof block);
        block ^= word;
        std::memcpy(bytes + at, &block, sizeof block);
    }
    for (; at < count; ++at)
        bytes[at] = static_cast<char>(bytes[at] ^ key[at % 4]);
}

} // namespace

FrameWriter::FrameWriter(Mask mask)
    : m_mask(std::move(mask))
{
}

void FrameWriter::text(std::string_view message)
{
    if (m_closing)
        return;
    m_queue.push_back({std::string(message), 0, false});
    m_queuedBytes += message.size();
}

void FrameWriter::ping()
{
    m_ping = !m_closing;
}

void FrameWriter::pong(std::string_view payload)
{
    if (!m_closing)
        m_pong = std::string(payload.substr(0, maxControlBytes));
}

void FrameWriter::close(std::uint16_t code, std::string_view reason)
{
    if (m_closing)
        return;
    m_closing = true;
    m_ping = false;
    m_pong.reset();
    m_queue.clear();
    m_queuedBytes = 0;
    m_close = std::string();
    if (code == 1005)
        return;
    appendBigEndian(*m_close, code, 2);
    m_close->append(reason.substr(0, cut(reason, maxControlBytes - 2)));
}

bool FrameWriter::hasOutput() const
{
    return m_ping || m_pong || m_close || !m_queue.empty();
}

void FrameWriter::take(std::string &out, std::size_t budget)
{
    takeControl(out);
    while (out.size() < budget && !m_queue.empty())
        takeFragment(out);
}

void FrameWriter::takeControl(std::string &out)
{
    if (m_pong)
        frame(out, WSLAY_PONG, true, *m_pong);
    if (m_ping)
        frame(out, WSLAY_PING, true, {});
    if (m_close)
        frame(out, WSLAY_CONNECTION_CLOSE, true, *m_close);
    m_pong.reset();
    m_ping = false;
    m_close.reset();
}

void FrameWriter::takeFragment(std::string &out)
{
    Message &message = m_queue.front();
    const std::string_view left = std::string_view(message.bytes).substr(message.sent);
    const std::size_t count = cut(left, fragmentBytes);
    const bool last = count == left.size();
    frame(out, message.begun ? WSLAY_CONTINUATION_FRAME : WSLAY_TEXT_FRAME, last,
          left.substr(0, count));
    message.begun = true;
    message.sent += count;
    m_queuedBytes -= count;
    if (last)
        m_queue.pop_front();
}

void FrameWriter::frame(std::string &out, std::uint8_t opcode, bool fin, std::string_view payload)
{
    const std::size_t size = payload.size();
    out += static_cast<char>((fin ? 0x80U : 0U) | opcode);
    if (size < 126) {
        out += static_cast<char>(0x80U | size);
    } else if (size < 65536) {
        out += static_cast<char>(0x80U | 126U);
        appendBigEndian(out, size, 2);
    } else {
        out += static_cast<char>(0x80U | 127U);
        appendBigEndian(out, size, 8);
    }
    const std::uint32_t mask = m_mask();
    std::array<char, 8> key{};
    std::memcpy(key.data(), &mask, sizeof mask);
    std::memcpy(key.data() + 4, &mask, sizeof mask);
    out.append(key.data(), 4);
    const std::size_t start = out.size();
    out.append(payload);
    applyMask(out.data() + start, size, key);
}

} // namespace headway::net
