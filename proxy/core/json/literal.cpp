// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/literal.h"

namespace headway::json {

namespace {

void appendUtf8(std::string &out, unsigned code)
{
    const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80U) {
        put(code);
    } else if (code < 0x800U) {
        put(0xC0U | (code >> 6U));
        put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
        put(0xE0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    } else {
        put(0xF0U | (code >> 18U));
        put(0x80U | ((code >> 12U) & 0x3FU));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    }
}

unsigned hexValue(std::string_view digits)
{
    unsigned value = 0;
    for (const char c : digits) {
        const auto byte = static_cast<unsigned char>(c);
        value = value * 16U + (byte <= '9' ? byte - '0' : (byte & 0x5FU) - 'A' + 10U);
    }
    return value;
}

char simpleEscape(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c; // quote, backslash, slash
    }
}

} // namespace

void BodyDecoder::flushHigh(std::string &out)
{
    if (m_high != 0)
        appendUtf8(out, 0xFFFDU);
    m_high = 0;
}

void BodyDecoder::appendUnit(std::string &out, unsigned unit)
{
    const bool low = unit >= 0xDC00U && unit <= 0xDFFFU;
    if (low && m_high != 0) {
        appendUtf8(out, 0x10000U + ((m_high - 0xD800U) << 10U) + (unit - 0xDC00U));
        m_high = 0;
        return;
    }
    flushHigh(out);
    if (unit >= 0xD800U && unit <= 0xDBFFU)
        m_high = unit;
    else
        appendUtf8(out, low ? 0xFFFDU : unit);
}

void BodyDecoder::append(std::string &out, std::string_view body)
{
    while (!body.empty()) {
        const std::size_t slash = body.find('\\');
        if (slash != 0) {
            flushHigh(out);
            out += body.substr(0, slash);
            body.remove_prefix(slash == std::string_view::npos ? body.size() : slash);
            continue;
        }
        if (body.size() >= 6 && body[1] == 'u') {
            appendUnit(out, hexValue(body.substr(2, 4)));
            body.remove_prefix(6);
        } else if (body.size() >= 2) {
            flushHigh(out);
            out += simpleEscape(body[1]);
            body.remove_prefix(2);
        } else {
            return; // a body never ends inside an escape
        }
    }
}

void BodyDecoder::finish(std::string &out)
{
    flushHigh(out);
}

std::size_t openHalf(std::string_view body)
{
    constexpr std::size_t length = 6; // \ud83d
    if (body.size() < length || body[body.size() - length] != '\\'
        || body[body.size() - length + 1] != 'u')
        return 0;
    const unsigned unit = hexValue(body.substr(body.size() - 4));
    if (unit < 0xD800U || unit > 0xDBFFU)
        return 0;
    // A backslash behind an odd number of others is itself escaped: text that looks like an escape.
    std::size_t slashes = 0;
    while (slashes + length < body.size() && body[body.size() - length - 1 - slashes] == '\\')
        ++slashes;
    return slashes % 2 == 0 ? length : 0;
}

std::string unescaped(std::string_view body)
{
    std::string out;
    out.reserve(body.size());
    BodyDecoder decoder;
    decoder.append(out, body);
    decoder.finish(out);
    return out;
}

bool bodyEquals(std::string_view body, std::string_view text)
{
    // An escape is up to six bytes for one (\u0041) and never fewer than it stands for, so a long
    // body is told from a short word without looking at it.
    constexpr std::size_t longestEscape = 6;
    if (body.size() == text.size())
        return body == text;
    if (body.size() < text.size() || body.size() > longestEscape * text.size())
        return false;
    if (body.find('\\') == std::string_view::npos)
        return body == text;
    return unescaped(body) == text;
}

} // namespace headway::json
