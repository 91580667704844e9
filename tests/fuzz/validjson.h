// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <string>
#include <string_view>

// simdjson refuses two things that are valid JSON and are passed on as they came: a number that no
// double holds, and half of a surrogate pair.

namespace fuzz {

// Length of the number (RFC 8259 section 6) at the begin of the text; 0 when there is none.
inline std::size_t numberLength(std::string_view text)
{
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const auto digits = [&text, &at] {
        const std::size_t before = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            ++at;
        return at > before;
    };
    if (at < text.size() && text[at] == '0')
        ++at;
    else if (!digits())
        return 0;
    if (at < text.size() && text[at] == '.') {
        ++at;
        if (!digits())
            return 0;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        if (!digits())
            return 0;
    }
    return at;
}

// The text with 0 for each number and U+FFFD for each escaped half of a pair; all else as it is.
inline std::string withoutExtremes(std::string_view text)
{
    std::string plain;
    bool inside = false; // a string
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        if (inside && text[at] == '\\') {
            const bool half = text.size() - at >= 6 && text[at + 1] == 'u'
                && (text[at + 2] == 'd' || text[at + 2] == 'D') && text[at + 3] >= '8';
            length = half ? 6 : 2;
            plain += half ? std::string_view("\\uFFFD") : text.substr(at, length);
        } else if (const std::size_t number = inside ? 0 : numberLength(text.substr(at))) {
            length = number;
            plain += '0';
        } else {
            inside = inside != (text[at] == '"');
            plain += text[at];
        }
        at += length;
    }
    return plain;
}

// The text's root, as far as simdjson can hold it. Valid until the parser reads again.
inline simdjson::simdjson_result<simdjson::dom::element>
parsed(simdjson::dom::parser &parser, std::string_view text)
{
    auto root = parser.parse(text.data(), text.size());
    if (root.error() == simdjson::NUMBER_ERROR || root.error() == simdjson::STRING_ERROR)
        root = parser.parse(withoutExtremes(text));
    return root;
}

} // namespace fuzz
