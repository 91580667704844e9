// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/signature.h"

#include <algorithm>
#include <charconv>

namespace headway::dialects {

namespace {

constexpr std::string_view prefix = "hw.v1.";

bool isPlainId(std::string_view id)
{
    return std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || c == '_' || c == '-';
    });
}

bool readLengths(std::string_view text, std::vector<std::size_t> &lengths)
{
    while (!text.empty()) {
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{})
            return false;
        lengths.push_back(value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty())
            return true;
        if (text.front() != '-' || text.size() == 1)
            return false;
        text.remove_prefix(1);
    }
    return true;
}

} // namespace

std::string encodeSignature(const CarriedReasoning &reasoning)
{
    std::string out(prefix);
    // An id of a strange form could not be told from the separators; the blob alone identifies it.
    if (isPlainId(reasoning.id))
        out += reasoning.id;
    out += '.';
    for (std::size_t i = 0; i < reasoning.partLengths.size(); ++i) {
        if (i > 0)
            out += '-';
        out += std::to_string(reasoning.partLengths[i]);
    }
    out += '.';
    out += reasoning.encryptedContent;
    return out;
}

std::optional<CarriedReasoning> decodeSignature(std::string_view signature)
{
    if (!signature.starts_with(prefix))
        return std::nullopt;
    signature.remove_prefix(prefix.size());
    const std::size_t idEnd = signature.find('.');
    const std::size_t lengthsEnd
        = idEnd == std::string_view::npos ? idEnd : signature.find('.', idEnd + 1);
    if (lengthsEnd == std::string_view::npos)
        return std::nullopt;
    CarriedReasoning reasoning;
    reasoning.id = signature.substr(0, idEnd);
    if (!isPlainId(reasoning.id)
        || !readLengths(signature.substr(idEnd + 1, lengthsEnd - idEnd - 1), reasoning.partLengths))
        return std::nullopt;
    reasoning.encryptedContent = signature.substr(lengthsEnd + 1);
    return reasoning.encryptedContent.empty() ? std::nullopt : std::optional(reasoning);
}

std::vector<std::string_view> summaryParts(const CarriedReasoning &reasoning,
                                           std::string_view thinking)
{
    std::vector<std::string_view> parts;
    for (const std::size_t length : reasoning.partLengths) {
        if (!parts.empty()) {
            if (!thinking.starts_with(summaryJoint))
                return {};
            thinking.remove_prefix(summaryJoint.size());
        }
        if (length > thinking.size())
            return {};
        parts.push_back(thinking.substr(0, length));
        thinking.remove_prefix(length);
    }
    return thinking.empty() ? parts : std::vector<std::string_view>{};
}

} // namespace headway::dialects
