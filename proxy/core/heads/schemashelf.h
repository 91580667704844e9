// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/jsonreader.h"
#include "proxy/core/heads/toolschemas.h"

#include <list>
#include <memory>
#include <string_view>

namespace headway::heads {

// The tool schemas that were read lately, by a hash of their text: agents send the same hundred
// kilobytes of tools with every turn.
class SchemaShelf final
{
public:
    explicit SchemaShelf(std::uint64_t seed)
        : m_seed(seed)
    {
    }

    [[nodiscard]] std::shared_ptr<const ToolSchemas> find(std::string_view tools);

private:
    static constexpr std::size_t most = 32;

    std::uint64_t m_seed;
    std::list<std::shared_ptr<const ToolSchemas>> m_recent; // the last used one first
    JsonReader m_reader;
};

} // namespace headway::heads
