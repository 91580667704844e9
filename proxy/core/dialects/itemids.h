// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway::dialects {

// Azure keeps nothing of a request with `store:false`, and over HTTPS refuses one whose items of
// the assistant have no id (protocol notes 1.11). A client of another dialect cannot echo the ids
// that they had, so they get new ones: of the right form ("msg_…", "fc_…"), the same in every turn,
// and unlike for two items that say the same.

// The id of an item that asks for one and has none, by its place in the input; empty otherwise.
[[nodiscard]] std::string itemIdFor(std::string_view item, std::size_t place);

} // namespace headway::dialects
