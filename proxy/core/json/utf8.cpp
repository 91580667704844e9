// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/utf8.h"

#include <simdjson.h>

namespace headway::json {

namespace {

// Length of the well-formed UTF-8 sequence at `at`, or 0 (RFC 3629 section 4).
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte
        = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(at);
    const unsigned second = byte(at + 1);
    if (lead < 0x80U)
        return 1;
    if (lead >= 0xC2U && lead <= 0xDFU)
        return tail(at + 1) ? 2 : 0;
    if (lead >= 0xE0U && lead <= 0xEFU) {
        const bool overlong = lead == 0xE0U && second < 0xA0U;
        const bool surrogate = lead == 0xEDU && second > 0x9FU;
        return tail(at + 1) && tail(at + 2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xF0U && lead <= 0xF4U) {
        const bool overlong = lead == 0xF0U && second < 0x90U;
        const bool beyond = lead == 0xF4U && second > 0x8FU;
        return tail(at + 1) && tail(at + 2) && tail(at + 3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

} // namespace

std::optional<std::size_t> firstInvalidByte(std::string_view text)
{
    if (simdjson::validate_utf8(text.data(), text.size()))
        return std::nullopt;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequenceLength(text, at);
        if (length == 0)
            return at;
        at += length;
    }
    return at;
}

} // namespace headway::json
