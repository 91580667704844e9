// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace headway::dialects {

// The text that a translated request's views point into; it outlives moves of the request. Ranges
// are kept while it grows and turned into views when it is complete.
class RequestText final
{
public:
    using Range = std::pair<std::size_t, std::size_t>; // offset, length

    [[nodiscard]] Range keep(std::string_view piece)
    {
        *m_text += piece;
        return {m_text->size() - piece.size(), piece.size()};
    }
    [[nodiscard]] std::string_view view(Range range) const
    {
        return std::string_view(*m_text).substr(range.first, range.second);
    }
    [[nodiscard]] std::string &growing() { return *m_text; }
    [[nodiscard]] std::shared_ptr<const std::string> shared() const { return m_text; }

private:
    std::shared_ptr<std::string> m_text = std::make_shared<std::string>();
};

// Appends a member to the fields of a frame; nothing when `json` is empty.
inline void addField(std::string &fields, std::string_view name, std::string_view json)
{
    if (json.empty())
        return;
    fields += fields.empty() ? "\"" : ",\"";
    fields += name;
    fields += "\":";
    fields += json;
}

// The provider's minimum of max_output_tokens.
inline constexpr long leastOutputTokens = 16;

} // namespace headway::dialects
