// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headway::heads {

// Two JSON values have the same bytes here exactly when spec/heads.md section 3 calls them equal:
// keys sorted, the last of a repeated key, numbers by value (as JavaScript: doubles, -0 is 0),
// strings after unescaping. The bytes are no JSON: lengths before text and the bits of a number are
// cheaper to write than to spell out, and a hash is all that is ever taken of them.
class CanonicalForm final
{
public:
    struct Member
    {
        std::string_view key;
        simdjson::dom::element value;
    };

    void clear() { m_bytes.clear(); }
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }
    // Gives the memory back when the last value was unusually long.
    void release();

    // A mark of the caller; must differ from the marks of values: n t f d s [ ] { }.
    void mark(char tag) { m_bytes += tag; }
    void null() { m_bytes += 'n'; }
    void number(double value);
    void text(std::string_view text);
    void value(simdjson::dom::element element);
    // The object without the members of `dropped`; without null-valued ones too if asked.
    void object(simdjson::dom::object object, std::span<const std::string_view> dropped = {},
                bool dropNulls = false);
    // What object() writes for {"text": text, "type": type}.
    void textPart(std::string_view type, std::string_view text);

private:
    void array(simdjson::dom::array array);
    void sortMembers(std::size_t from);

    std::string m_bytes;
    std::vector<Member> m_members; // a stack: one run per open object
};

} // namespace headway::heads
