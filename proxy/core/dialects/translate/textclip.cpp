// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/textclip.h"

#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

using json::Value;

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Bytes of the first `count` characters.
std::size_t bytesOf(std::string_view utf8, std::size_t count)
{
    std::size_t at = 0;
    while (at < utf8.size() && count-- > 0) {
        ++at;
        while (at < utf8.size() && isContinuation(utf8[at]))
            ++at;
    }
    return at;
}

std::string note(std::size_t cut, std::size_t whole)
{
    return "\n[Headway cut " + std::to_string(cut) + " of " + std::to_string(whole)
        + " characters here.]\n";
}

} // namespace

std::size_t characters(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return !isContinuation(c); }));
}

std::string clipped(std::string_view utf8, std::size_t cap)
{
    const std::size_t whole = characters(utf8);
    if (whole <= cap)
        return std::string(utf8);
    // The note is longest when everything is cut; what its number leaves free stays free.
    const std::size_t kept = cap - std::min(cap, note(whole, whole).size());
    const std::size_t tail = kept / 4;
    const std::size_t head = kept - tail;
    std::string text(utf8.substr(0, bytesOf(utf8, head)));
    text += note(whole - kept, whole);
    text += utf8.substr(bytesOf(utf8, whole - tail));
    return text;
}

std::optional<ClippedOutput> clippedOutput(json::Value output, std::size_t cap)
{
    if (output.isString()) {
        const std::string text = output.text();
        const std::size_t whole = characters(text);
        if (whole <= cap)
            return std::nullopt;
        const std::string kept = clipped(text, cap);
        return ClippedOutput{json::literal(kept), whole - characters(kept)};
    }
    ClippedOutput result;
    std::size_t left = cap;
    std::string parts;
    for (const Value &part : output) {
        parts += parts.empty() ? "" : ",";
        const Value text = part["text"];
        if (!text.isString()) {
            parts += part.raw();
            continue;
        }
        const std::string plain = text.text();
        const std::size_t whole = characters(plain);
        // The parts share the cap; one that has no share left still says that it was cut.
        const std::size_t share = std::max(left, note(whole, whole).size());
        const std::string kept = clipped(plain, share);
        left -= std::min(left, characters(kept));
        if (whole <= share) {
            parts += part.raw();
            continue;
        }
        result.cut += whole - characters(kept);
        std::string shortened(part.raw());
        shortened.replace(text.offset() - part.offset(), text.raw().size(), json::literal(kept));
        parts += shortened;
    }
    if (result.cut == 0)
        return std::nullopt;
    result.output = '[' + parts + ']';
    return result;
}

} // namespace headway::dialects
