// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tomlstatements.h"

#include "proxy/core/json/literal.h"

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
            statement.isList = m_text.substr(m_at, 2) == "[[";
            if (statement.isHeading)
                m_table.clear();
            statement.path = m_table;
            if (!(statement.isHeading ? readHeading(statement.path) : readPair(statement)))
                return std::nullopt;
            if (statement.isHeading)
                m_table = statement.path;
            statement.table = m_table;
            skipBlanks();
            if (!isAt('\n') && !isAt('#') && m_at < m_text.size())
                return std::nullopt; // something stands behind it
            const std::size_t behind = m_at;
            const bool hasComment = isAt('#');
            skipLine();
            statement.end = m_at;
            statement.comment = hasComment ? behind : m_at;
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

    // Of a quoted key, what it says; nothing: it says it in a way that is not followed here.
    static std::optional<std::string> unquoted(std::string_view literal)
    {
        const char quote = literal.front();
        const std::string_view body = literal.substr(1, literal.size() - 2);
        if (literal.starts_with(std::string(3, quote)) && literal.size() > 2)
            return std::nullopt; // no key goes over lines
        if (quote == '\'')
            return std::string(body);
        // The escapes of JSON but for the slash; the long ones of TOML are not needed by anybody.
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i] != '\\')
                continue;
            constexpr std::string_view known = "btnfr\"\\u";
            if (++i == body.size() || known.find(body[i]) == std::string_view::npos
                || (body[i] == 'u' && !isHex(body.substr(i + 1, 4))))
                return std::nullopt;
        }
        return json::unescaped(body);
    }

    static bool isHex(std::string_view digits)
    {
        return digits.size() == 4
            && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    }

    std::optional<std::string> readPart()
    {
        const std::size_t from = m_at;
        if (isAt('"') || isAt('\''))
            return skipString() ? unquoted(m_text.substr(from, m_at - from)) : std::nullopt;
        const auto isBare = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                || c == '_' || c == '-';
        };
        while (m_at < m_text.size() && isBare(m_text[m_at]))
            ++m_at;
        if (m_at == from)
            return std::nullopt;
        return std::string(m_text.substr(from, m_at - from));
    }

    bool readKey(TomlKey &key, char end)
    {
        while (true) {
            skipBlanks();
            auto part = readPart();
            if (!part)
                return false;
            key.push_back(*std::move(part));
            skipBlanks();
            if (!isAt('.'))
                return isAt(end);
            ++m_at;
        }
    }

    bool readHeading(TomlKey &key)
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

    bool readPair(TomlStatement &pair)
    {
        if (!readKey(pair.path, '='))
            return false;
        ++m_at;
        skipBlanks();
        const std::size_t from = m_at;
        if (isAt('\n') || isAt('#') || m_at >= m_text.size())
            return false;
        int depth = 0; // of lists and inline tables, which may go over lines
        while (m_at < m_text.size() && !(depth == 0 && (isAt('\n') || isAt('#')))) {
            const char c = m_text[m_at];
            if (c == '"' || c == '\'') {
                const bool isWhole = m_at == from;
                if (!skipString())
                    return false;
                if (isWhole)
                    pair.text = unquoted(m_text.substr(from, m_at - from)).value_or(std::string());
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
    TomlKey m_table; // in force
};

} // namespace

std::optional<std::vector<TomlStatement>> tomlStatements(std::string_view text)
{
    return Scanner(text).statements();
}

} // namespace headway::app
