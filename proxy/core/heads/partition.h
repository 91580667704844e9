// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/strongtype.h"

#include <optional>
#include <string>
#include <string_view>

namespace headway::heads {

using PartitionKey = base::StrongType<std::string, struct PartitionKeyTag>;

// spec/heads.md section 1. Not in the key: instructions, tools, effort, the access token.
struct PartitionInput
{
    std::string_view endpoint;
    std::string_view provider;
    std::string_view account;
    std::string_view model; // upstream model id
    std::string_view session; // empty: none
    std::string_view agent; // empty: the main agent
    std::string_view cacheKey; // prompt_cache_key or user of the body
    std::string_view chain; // the response id that the client itself goes on from; empty: none
    std::string_view systemAndTools; // used when there is neither; empty: no key
};

[[nodiscard]] std::optional<PartitionKey> partitionKey(const PartitionInput &input);

} // namespace headway::heads
