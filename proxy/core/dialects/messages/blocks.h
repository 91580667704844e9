// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/parts.h"
#include "proxy/core/json/document.h"

namespace headway::dialects {

// Appends the parts that one user-side content block becomes. A block that upstream has no
// counterpart for is dropped.
void addBlock(Parts &parts, json::Value block);

// All of a content: a string, or an array of blocks.
void addContent(Parts &parts, json::Value content);

} // namespace headway::dialects
