// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <simdjson.h>
#include <string_view>
#include <vector>

namespace headway::heads {

// A parser with the padded copy it reads from, both reused. The element is valid until the next
// read() or release(). Nothing when the text is no JSON (also: invalid UTF-8, deeper than 1024).
class JsonReader final
{
public:
    [[nodiscard]] std::optional<simdjson::dom::element> read(std::string_view text);

    // Gives the memory back when the last text was unusually long.
    void release();

private:
    simdjson::error_code parse(std::string_view text);

    simdjson::dom::parser m_parser;
    simdjson::dom::element m_root;
    std::vector<char> m_padded;
};

} // namespace headway::heads
