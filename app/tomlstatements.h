// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::app {

// The parts of a dotted key, without quotes.
using TomlKey = std::vector<std::string>;

// One statement of a TOML text, with the bytes it takes: whole lines.
struct TomlStatement
{
    bool isHeading = false; // of a table, or of one in a list of them
    bool isList = false; // the latter
    TomlKey table; // of the heading in force; of a heading: its own
    TomlKey path; // from the root of the text: {"model_providers", "headway", "name"}
    std::string text = {}; // of a pair whose value is a string of one line: what it says
    std::size_t begin = 0;
    std::size_t end = 0; // behind its line break
    std::size_t comment = 0; // where the one on its last line begins; end: there is none
};

// The statements in their order; comments and empty lines belong to none. Other values are
// skipped, not read. Nothing where the text cannot be followed.
[[nodiscard]] std::optional<std::vector<TomlStatement>> tomlStatements(std::string_view text);

} // namespace headway::app
