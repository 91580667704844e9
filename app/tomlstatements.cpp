// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tomlstatements.h"

namespace headway::app {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

class Scanner final
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
        constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
        if (text.starts_with(byteOrderMark))
            m_at = byteOrderMark.size();
    }

    std::optional<std::vector<TomlStatement>> statements()
    {
        std::vector<TomlStatement> all;
        while (m_at < m_text.size()) {
            const std::size_t begin = m_at;
            skipBlanks();
            if (isAt('\n') || isAt('#') || m_at == m_text.size()) {
                skipLine();
                continue;
            }
            TomlStatement statement;
            statement.begin = begin;
            statement.isHeading = isAt('[');
            if (!(statement.isHeading ? readHeading(statement.key) : readPair(statement.key)))
                return std::nullopt;
            skipBlanks();
            if (!isAt('\n') && !isAt('#') && m_at < m_text.size())
                return std::nullopt; // something stands behind it
            skipLine();
            statement.end = m_at;
            all.push_back(std::move(statement));
        }
        return all;
    }

private:
    [[nodiscard]] bool isAt(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }

    void skipBlanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    void skipLine()
    {
        while (m_at < m_text.size() && m_text[m_at++] != '\n') {
        }
    }

    // With its quotes, of whichever of the four kinds. False: it does not end.
    bool skipString()
    {
        const char quote = m_text[m_at];
        const std::string three(3, quote);
        const bool isLong = m_text.substr(m_at, 3) == three;
        const bool hasEscapes = quote == '"';
        m_at += isLong ? 3 : 1;
        while (m_at < m_text.size()) {
            if (hasEscapes && isAt('\\')) {
                m_at += 2;
            } else if (isLong && m_text.substr(m_at, 3) == three) {
                m_at += 3;
                while (isAt(quote)) // up to two of them may stand before the end
                    ++m_at;
                return true;
            } else if (!isLong && (isAt(quote) || isAt('\n'))) {
                return m_text[m_at++] == quote;
            } else {
                ++m_at;
            }
        }
        return false;
    }

    bool readKey(std::string &key, char end)
    {
        while (m_at < m_text.size() && !isAt(end) && !isAt('\n') && !isAt('#')) {
            const std::size_t from = m_at;
            if (isAt('"') || isAt('\'')) {
                if (!skipString())
                    return false;
                key += m_text.substr(from + 1, m_at - from - 2);
            } else {
                if (!isBlank(m_text[m_at]))
                    key += m_text[m_at];
                ++m_at;
            }
        }
        return isAt(end) && !key.empty();
    }

    bool readHeading(std::string &key)
    {
        const int depth = m_text.substr(m_at, 2) == "[[" ? 2 : 1;
        m_at += static_cast<std::size_t>(depth);
        if (!readKey(key, ']'))
            return false;
        for (int i = 0; i < depth; ++i, ++m_at)
            if (!isAt(']'))
                return false;
        return true;
    }

    bool readPair(std::string &key)
    {
        if (!readKey(key, '='))
            return false;
        ++m_at;
        skipBlanks();
        if (isAt('\n') || isAt('#') || m_at >= m_text.size())
            return false;
        int depth = 0; // of lists and inline tables, which may go over lines
        while (m_at < m_text.size() && !(depth == 0 && (isAt('\n') || isAt('#')))) {
            const char c = m_text[m_at];
            if (c == '"' || c == '\'') {
                if (!skipString())
                    return false;
                continue;
            }
            if (c == '#') {
                skipLine();
                continue;
            }
            if (c == '[' || c == '{')
                ++depth;
            if ((c == ']' || c == '}') && --depth < 0)
                return false;
            ++m_at;
        }
        return depth == 0;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::optional<std::vector<TomlStatement>> tomlStatements(std::string_view text)
{
    return Scanner(text).statements();
}

} // namespace headway::app
