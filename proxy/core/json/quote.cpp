// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/quote.h"

namespace headway::json {

namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

void appendEscaped(std::string &out, char c)
{
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    case '\b':
        out += "\\b";
        return;
    case '\f':
        out += "\\f";
        return;
    default:
        out += "\\u00";
        out += hexDigits[(static_cast<unsigned char>(c) >> 4U) & 0xFU];
        out += hexDigits[static_cast<unsigned char>(c) & 0xFU];
    }
}

bool needsEscape(char c)
{
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20U;
}

} // namespace

void appendQuoted(std::string &out, std::string_view text)
{
    out += '"';
    std::size_t plainFrom = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!needsEscape(text[i]))
            continue;
        out.append(text, plainFrom, i - plainFrom);
        appendEscaped(out, text[i]);
        plainFrom = i + 1;
    }
    out.append(text, plainFrom, text.size() - plainFrom);
    out += '"';
}

std::string literal(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 2);
    appendQuoted(out, text);
    return out;
}

} // namespace headway::json
