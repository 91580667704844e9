// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

// A Responses reasoning item, carried through a Messages client in the signature of its thinking
// block (or the data of a redacted one). The client replays the signature unchanged.
struct CarriedReasoning
{
    std::string id; // may be empty
    std::string encryptedContent;
    std::vector<std::size_t> partLengths; // bytes of each summary part; the text joins them

    friend bool operator==(const CarriedReasoning &, const CarriedReasoning &) = default;
};

// What joins the parts of a summary in the thinking text.
inline constexpr std::string_view summaryJoint = "\n\n";

// "hw.v1.<id>.<lengths>.<encrypted_content>".
[[nodiscard]] std::string encodeSignature(const CarriedReasoning &reasoning);
// Nothing for a signature that is not ours.
[[nodiscard]] std::optional<CarriedReasoning> decodeSignature(std::string_view signature);

// The parts of a summary out of the thinking text; none when the text is not the one that was sent
// (a client may leave it out).
[[nodiscard]] std::vector<std::string_view> summaryParts(const CarriedReasoning &reasoning,
                                                         std::string_view thinking);

} // namespace headway::dialects
