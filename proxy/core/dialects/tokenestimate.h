// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <cstdint>
#include <string_view>

namespace headway::dialects {

// Tokens of a text under the o200k vocabulary, estimated without it.
//
// The text is cut as that tokenizer cuts it (words with one leading space or mark, up to three
// digits, runs of marks, line ends, spaces), and each piece costs what such pieces cost on average
// (tokencosts.h). The averages were measured with an o200k tokenizer over English licences and
// notes, C, C++, Python, JavaScript, shell, CMake and JSON, and program messages in sixteen
// languages. Long unbroken runs that change between lower case, upper case and digits as random
// text does are base64 or hexadecimal and counted by the byte. Within 15 % on prose, code, CJK and
// base64: of 955 pieces of such files, 200 to 3 000 characters long, 31 are not.
[[nodiscard]] double estimateTokens(std::string_view utf8);

// Exact looks at every byte (about 10 ms for a megabyte); Sampled at a part of each long text, for
// the pacing of a turn.
enum class Care : std::uint8_t { Exact, Sampled };

// Tokens of a whole request in either dialect: its texts, its tools, its images by their size where
// the data shows one.
[[nodiscard]] std::uint64_t estimateRequest(json::Value request, Care care);

// Tokens of a part of one: a content, a block, the arguments of a call. Exact.
[[nodiscard]] std::uint64_t estimateContent(json::Value content);

} // namespace headway::dialects
