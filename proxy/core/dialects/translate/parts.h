// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

// Input parts (input_text, input_image, input_file) made of a client's content.
struct Parts
{
    std::string json; // parts joined by commas
    std::size_t count = 0;
    std::string_view onlyText; // body of the one text part; empty when there is anything else
    // Where a cache breakpoint may stand: in front of the brace that ends a part.
    std::vector<std::size_t> cacheMarks;
    bool cachesLong = false; // one of them for an hour
};

// Appends a part as it stands.
void addPart(Parts &parts, std::string_view json);

// Appends an input_text part; an empty text is dropped.
void addText(Parts &parts, std::string_view textBody);

// The client wants what was sent up to here to be cached, when its block has a `cache_control`.
void markCache(Parts &parts, json::Value block);

// A message of these parts; empty when there are none.
[[nodiscard]] std::string messageItem(std::string_view role, const Parts &parts);

} // namespace headway::dialects
