// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway::json {

// A *body* is what stands between the quotes of a valid JSON string literal, escapes and all.

// Turns bodies that arrive in pieces into UTF-8. A surrogate pair may be split between two pieces
// (models stream UTF-16 halves); a half that never finds its partner becomes U+FFFD, because UTF-8
// cannot carry it.
class BodyDecoder final
{
public:
    void append(std::string &out, std::string_view body);
    // Ends the text: a high half still waiting is lone.
    void finish(std::string &out);

private:
    void appendUnit(std::string &out, unsigned unit);
    void flushHigh(std::string &out);

    unsigned m_high = 0; // a high surrogate waiting for its low half; 0: none
};

// Length of an escaped high surrogate that ends the body: its other half is in the next piece. 0
// when there is none.
[[nodiscard]] std::size_t openHalf(std::string_view body);

[[nodiscard]] std::string unescaped(std::string_view body);

// Whether the body, unescaped, is `text`.
[[nodiscard]] bool bodyEquals(std::string_view body, std::string_view text);

} // namespace headway::json
