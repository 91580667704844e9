// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/document.h"
#include "proxy/core/json/utf8.h"

#include <experimental/simd>
#include <limits>

namespace headway::json {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// As many bytes as one machine register of vectors holds; 16 on any x86-64.
using Block = std::experimental::native_simd<unsigned char>;

// How many bytes of the block stand before one that ends a plain stretch of a string: a quote, a
// backslash, a control.
std::size_t plainBytes(const char *at)
{
    constexpr unsigned char quote = '"';
    constexpr unsigned char slash = '\\';
    constexpr unsigned char space = ' ';
    const Block block(reinterpret_cast<const unsigned char *>(at),
                      std::experimental::element_aligned);
    const auto special = block == quote || block == slash || block < space;
    return std::experimental::any_of(special)
        ? static_cast<std::size_t>(std::experimental::find_first_set(special))
        : Block::size();
}

} // namespace

// Recursive descent over RFC 8259; recursion is bounded by depthLimit.
class Reader final
{
public:
    explicit Reader(Document &document)
        : m_document(document)
        , m_base(document.m_text.data())
        , m_at(m_base)
        , m_end(m_base + document.m_text.size())
    {
    }

    std::optional<Fault> run()
    {
        skipSpace();
        if (readValue(0, 0, 1)) {
            skipSpace();
            if (m_at != m_end)
                refuse("more after the JSON value");
        }
        return m_fault;
    }

private:
    using Node = Document::Node;

    bool refuse(std::string_view what)
    {
        if (!m_fault)
            m_fault = Fault{.offset = static_cast<std::size_t>(m_at - m_base), .what = what};
        return false;
    }

    std::uint32_t position() const { return static_cast<std::uint32_t>(m_at - m_base); }

    void skipSpace()
    {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
    }

    bool readValue(std::uint32_t keyBegin, std::uint32_t keyEnd, int depth)
    {
        if (m_at == m_end)
            return refuse("the JSON ends early");
        const auto index = m_document.m_nodes.size();
        m_document.m_nodes.push_back({.begin = position(),
                                      .end = 0,
                                      .keyBegin = keyBegin,
                                      .keyEnd = keyEnd,
                                      .next = 0,
                                      .kind = Kind::Missing});
        Kind kind = Kind::Missing;
        if (!readBody(kind, depth))
            return false;
        Node &node = m_document.m_nodes[index];
        node.kind = kind;
        node.end = position();
        node.next = static_cast<std::uint32_t>(m_document.m_nodes.size());
        return true;
    }

    bool readBody(Kind &kind, int depth)
    {
        switch (*m_at) {
        case '{':
            kind = Kind::Object;
            return readObject(depth);
        case '[':
            kind = Kind::Array;
            return readArray(depth);
        case '"':
            kind = Kind::String;
            return readString();
        case 't':
            kind = Kind::Boolean;
            return readWord("true");
        case 'f':
            kind = Kind::Boolean;
            return readWord("false");
        case 'n':
            kind = Kind::Null;
            return readWord("null");
        default:
            kind = Kind::Number;
            return readNumber();
        }
    }

    bool readObject(int depth)
    {
        if (depth > depthLimit)
            return refuse("nested deeper than 512");
        ++m_at;
        skipSpace();
        if (m_at != m_end && *m_at == '}')
            return ++m_at, true;
        while (true) {
            if (m_at == m_end || *m_at != '"')
                return refuse("a member name was expected");
            const std::uint32_t keyBegin = position() + 1;
            if (!readString())
                return false;
            const std::uint32_t keyEnd = position() - 1;
            skipSpace();
            if (m_at == m_end || *m_at != ':')
                return refuse("a colon was expected");
            ++m_at;
            skipSpace();
            if (!readValue(keyBegin, keyEnd, depth + 1))
                return false;
            bool more = false;
            if (!readSeparator('}', more))
                return false;
            if (!more)
                return true;
        }
    }

    bool readArray(int depth)
    {
        if (depth > depthLimit)
            return refuse("nested deeper than 512");
        ++m_at;
        skipSpace();
        if (m_at != m_end && *m_at == ']')
            return ++m_at, true;
        while (true) {
            if (!readValue(0, 0, depth + 1))
                return false;
            bool more = false;
            if (!readSeparator(']', more))
                return false;
            if (!more)
                return true;
        }
    }

    bool readSeparator(char close, bool &more)
    {
        skipSpace();
        if (m_at == m_end)
            return refuse("the JSON ends early");
        if (*m_at != ',' && *m_at != close)
            return refuse("a comma or the closing bracket was expected");
        more = *m_at == ',';
        ++m_at;
        if (more)
            skipSpace();
        return true;
    }

    bool readString()
    {
        ++m_at;
        while (true) {
            skipPlain();
            if (m_at == m_end)
                return refuse("a string is not closed");
            if (*m_at == '"')
                return ++m_at, true;
            if (*m_at != '\\')
                return refuse("a control character stands unescaped in a string");
            if (!readEscape())
                return false;
        }
    }

    void skipPlain()
    {
        while (static_cast<std::size_t>(m_end - m_at) >= Block::size()) {
            const std::size_t plain = plainBytes(m_at);
            m_at += plain;
            if (plain < Block::size())
                return;
        }
        while (m_at != m_end && *m_at != '"' && *m_at != '\\'
               && static_cast<unsigned char>(*m_at) >= 0x20U)
            ++m_at;
    }

    bool readEscape()
    {
        if (m_end - m_at < 2)
            return refuse("a string is not closed");
        const char c = m_at[1];
        if (c != 'u') {
            if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos)
                return refuse("an unknown escape");
            m_at += 2;
            return true;
        }
        if (m_end - m_at < 6 || !isHex(m_at[2]) || !isHex(m_at[3]) || !isHex(m_at[4])
            || !isHex(m_at[5]))
            return refuse("\\u needs four hexadecimal digits");
        m_at += 6;
        return true;
    }

    bool readWord(std::string_view word)
    {
        if (std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).substr(0, word.size())
            != word)
            return refuse("not a JSON value");
        m_at += word.size();
        return true;
    }

    void skipDigits()
    {
        while (m_at != m_end && isDigit(*m_at))
            ++m_at;
    }

    bool readNumber()
    {
        if (*m_at == '-')
            ++m_at;
        if (m_at == m_end || !isDigit(*m_at))
            return refuse("not a JSON value");
        if (*m_at == '0')
            ++m_at;
        else
            skipDigits();
        if (m_at != m_end && *m_at == '.') {
            ++m_at;
            if (m_at == m_end || !isDigit(*m_at))
                return refuse("a digit was expected");
            skipDigits();
        }
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            if (m_at == m_end || !isDigit(*m_at))
                return refuse("a digit was expected");
            skipDigits();
        }
        return true;
    }

    Document &m_document;
    const char *m_base;
    const char *m_at;
    const char *m_end;
    std::optional<Fault> m_fault;
};

std::optional<Fault> Document::read(std::string_view text)
{
    m_nodes.clear();
    m_text = text;
    std::optional<Fault> fault;
    if (text.size() >= std::numeric_limits<std::uint32_t>::max())
        fault = Fault{.offset = std::numeric_limits<std::uint32_t>::max(), .what = "too long"};
    else if (const auto invalid = firstInvalidByte(text))
        fault = Fault{.offset = *invalid, .what = "not UTF-8"};
    else
        fault = Reader(*this).run();
    if (fault)
        m_nodes.clear();
    return fault;
}

} // namespace headway::json
