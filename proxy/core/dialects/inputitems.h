// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace headway::dialects {

enum class ItemIds : std::uint8_t { AsTheyAre, Given };

// Appends the items of the input from there on, commas between: each as the client sent it, and
// with what only this upstream takes or only we remember:
//   an id              ItemIds::Given, items of the assistant that have none (itemids.h)
//   a cache breakpoint where the client marked one and upstream knows them (wishes.h)
//   a phase            what the assistant said, where it is known (assistantphases.h)
void appendItems(std::string &object, const TurnRequest &request, std::size_t from, ItemIds ids);

// So much room they take at the most, but for the ids.
[[nodiscard]] std::size_t itemsSize(const TurnRequest &request, std::size_t from);

} // namespace headway::dialects
