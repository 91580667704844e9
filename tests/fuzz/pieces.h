// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace headway::tests {

// A text cut into pieces whose lengths a pattern of bytes says, over and over: how the same bytes
// come over a network at another time. An empty pattern: all at once.
class Pieces final
{
public:
    Pieces(std::string_view text, std::string_view lengths)
        : m_rest(text)
        , m_lengths(lengths)
    {
    }

    [[nodiscard]] bool isEmpty() const { return m_rest.empty(); }
    [[nodiscard]] std::string_view next()
    {
        std::size_t length = m_rest.size();
        if (!m_lengths.empty())
            length = 1U + static_cast<unsigned char>(m_lengths[m_at++ % m_lengths.size()]) % 64U;
        const std::string_view piece = m_rest.substr(0, std::min(length, m_rest.size()));
        m_rest.remove_prefix(piece.size());
        return piece;
    }

private:
    std::string_view m_rest;
    std::string_view m_lengths;
    std::size_t m_at = 0;
};

// The first line of an input is the pattern, the rest is the text.
struct CutText
{
    CutText(const unsigned char *data, std::size_t size)
    {
        const std::string_view all(reinterpret_cast<const char *>(data), size);
        const std::size_t end = all.find('\n');
        if (end == std::string_view::npos)
            return;
        lengths = all.substr(0, end);
        text = all.substr(end + 1);
    }

    std::string_view lengths;
    std::string_view text;
};

} // namespace headway::tests
