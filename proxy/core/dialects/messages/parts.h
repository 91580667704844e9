// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace headway::dialects {

// Input parts (input_text, input_image, input_file) made of content blocks.
struct Parts
{
    std::string json; // parts joined by commas
    std::size_t count = 0;
    std::string_view onlyText; // body of the one text part; empty when there is anything else
};

// Appends an input_text part; an empty text is dropped.
void addText(Parts &parts, std::string_view textBody);

// Appends the parts that one user-side content block becomes. A block that upstream has no
// counterpart for is dropped.
void addBlock(Parts &parts, json::Value block);

// All of a content: a string, or an array of blocks.
void addContent(Parts &parts, json::Value content);

} // namespace headway::dialects
