// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/signature.h"

#include <string>
#include <string_view>

namespace headway::dialects {

// Assistant items in upstream terms. Both directions use these: what a request's history becomes,
// and what the proxy expects the client to echo after a reply.

// A message with one output_text part. `phase` as upstream named it, empty where it did not.
[[nodiscard]] std::string textItem(std::string_view textBody, std::string_view phaseBody = {});

// What textItem() made it of; nothing for any other item.
struct TextItem
{
    std::string_view body;
    std::string_view phase;
};
[[nodiscard]] TextItem readTextItem(std::string_view item);

// `idBody` and `name` as upstream knows them; `arguments` is the unescaped JSON text.
[[nodiscard]] std::string callItem(std::string_view idBody, std::string_view name,
                                   std::string_view arguments);

// A call of a tool that takes text; `input` is unescaped.
[[nodiscard]] std::string customCallItem(std::string_view idBody, std::string_view name,
                                         std::string_view input);

// `thinking` is the unescaped text shown to the client, empty when it was not.
[[nodiscard]] std::string reasoningItem(const CarriedReasoning &reasoning,
                                        std::string_view thinking);

} // namespace headway::dialects
