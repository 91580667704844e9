// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/schemashelf.h"

#include <algorithm>

namespace headway::heads {

std::shared_ptr<const ToolSchemas> SchemaShelf::find(std::string_view tools)
{
    const base::Fingerprint id = base::fingerprint(tools, m_seed);
    const auto known = std::find_if(m_recent.begin(), m_recent.end(),
                                    [&id](const auto &schemas) { return schemas->id() == id; });
    if (known != m_recent.end()) {
        m_recent.splice(m_recent.begin(), m_recent, known);
        return m_recent.front();
    }
    m_recent.push_front(std::make_shared<const ToolSchemas>(id, m_reader.read(tools), m_seed));
    m_reader.release();
    if (m_recent.size() > most)
        m_recent.pop_back();
    return m_recent.front();
}

} // namespace headway::heads
