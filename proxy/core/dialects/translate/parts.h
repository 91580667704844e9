// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway::dialects {

// Input parts (input_text, input_image, input_file) made of a client's content.
struct Parts
{
    std::string json; // parts joined by commas
    std::size_t count = 0;
    std::string_view onlyText; // body of the one text part; empty when there is anything else
};

// Appends a part as it stands.
void addPart(Parts &parts, std::string_view json);

// Appends an input_text part; an empty text is dropped.
void addText(Parts &parts, std::string_view textBody);

// A message of these parts; empty when there are none.
[[nodiscard]] std::string messageItem(std::string_view role, const Parts &parts);

} // namespace headway::dialects
