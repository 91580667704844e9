// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/toolnames.h"

#include "proxy/core/base/fingerprint.h"

#include <algorithm>

namespace headway::dialects {

namespace {

constexpr std::size_t longest = 64;
constexpr std::size_t hashDigits = 12;
constexpr std::string_view hex = "0123456789abcdef";

bool isPlain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || c == '-';
}

} // namespace

bool isPlainName(std::string_view name)
{
    return !name.empty() && name.size() <= longest
        && std::all_of(name.begin(), name.end(), isPlain);
}

std::string aliased(std::string_view name)
{
    if (isPlainName(name))
        return std::string(name);
    std::string out(name.substr(0, longest - hashDigits - 1));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return !isPlain(c); }, '_');
    out += '_';
    std::uint64_t hash = base::fingerprint(name, 0).low;
    for (std::size_t i = 0; i < hashDigits; ++i) {
        out += hex[hash & 0xFU];
        hash >>= 4U;
    }
    return out;
}

} // namespace headway::dialects
