// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/imagesize.h"

#include <string>

namespace headway::dialects {

namespace {

using Size = std::optional<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::size_t lookAt = 64 * 1024;

int valueOf(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string decoded(std::string_view base64)
{
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : base64.substr(0, lookAt)) {
        const int value = valueOf(c);
        if (value < 0)
            continue; // padding, escaped slashes
        bits = (bits << 6U) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
        }
    }
    return out;
}

class Bytes final
{
public:
    explicit Bytes(std::string_view data)
        : m_data(data)
    {
    }
    std::uint32_t at(std::size_t i) const
    {
        return i < m_data.size() ? static_cast<unsigned char>(m_data[i]) : 0U;
    }
    std::uint32_t big16(std::size_t i) const { return (at(i) << 8U) | at(i + 1); }
    std::uint32_t little16(std::size_t i) const { return at(i) | (at(i + 1) << 8U); }
    std::uint32_t big32(std::size_t i) const { return (big16(i) << 16U) | big16(i + 2); }
    std::uint32_t little24(std::size_t i) const { return little16(i) | (at(i + 2) << 16U); }
    bool has(std::size_t i, std::string_view text) const
    {
        return m_data.size() >= i + text.size() && m_data.substr(i, text.size()) == text;
    }
    std::size_t size() const { return m_data.size(); }

private:
    std::string_view m_data;
};

// Segments up to the frame header, ITU-T T.81 annex B.
Size jpegSize(const Bytes &bytes)
{
    std::size_t at = 2;
    while (at + 9 < bytes.size() && bytes.at(at) == 0xFFU) {
        const std::uint32_t marker = bytes.at(at + 1);
        const bool isFrame = marker >= 0xC0U && marker <= 0xCFU && marker != 0xC4U
            && marker != 0xC8U && marker != 0xCCU;
        if (isFrame)
            return std::pair(bytes.big16(at + 7), bytes.big16(at + 5));
        at += 2 + bytes.big16(at + 2);
    }
    return std::nullopt;
}

Size webpSize(const Bytes &bytes)
{
    if (bytes.has(12, "VP8X"))
        return std::pair(bytes.little24(24) + 1, bytes.little24(27) + 1);
    if (bytes.has(12, "VP8 "))
        return std::pair(bytes.little16(26) & 0x3FFFU, bytes.little16(28) & 0x3FFFU);
    if (bytes.has(12, "VP8L")) {
        const std::uint32_t packed = bytes.little24(21) | (bytes.at(24) << 24U);
        return std::pair((packed & 0x3FFFU) + 1, ((packed >> 14U) & 0x3FFFU) + 1);
    }
    return std::nullopt;
}

Size sizeOf(const Bytes &bytes)
{
    if (bytes.has(0, "\x89PNG") && bytes.has(12, "IHDR"))
        return std::pair(bytes.big32(16), bytes.big32(20));
    if (bytes.has(0, "GIF8"))
        return std::pair(bytes.little16(6), bytes.little16(8));
    if (bytes.has(0, "\xFF\xD8"))
        return jpegSize(bytes);
    if (bytes.has(0, "RIFF") && bytes.has(8, "WEBP"))
        return webpSize(bytes);
    return std::nullopt;
}

} // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> imageSize(std::string_view base64)
{
    const std::string data = decoded(base64);
    const Size size = sizeOf(Bytes(data));
    return size && size->first > 0 && size->second > 0 ? size : std::nullopt;
}

} // namespace headway::dialects
