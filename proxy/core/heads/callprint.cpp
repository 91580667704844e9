// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/callprint.h"

#include "proxy/core/heads/toolschemas.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

namespace headway::heads {

base::Fingerprint combined(char tag, std::span<const base::Fingerprint> prints, std::uint64_t seed)
{
    std::string bytes(1, tag);
    bytes.reserve(1 + prints.size_bytes());
    for (const base::Fingerprint &print : prints) {
        const auto raw = std::bit_cast<std::array<char, sizeof print>>(print);
        bytes.append(raw.data(), raw.size());
    }
    return base::fingerprint(bytes, seed);
}

CallPrint::CallPrint(const base::Fingerprint &identity, const base::Fingerprint &tool,
                     std::vector<ArgumentNode> arguments, std::uint64_t seed)
    : m_seed(seed)
    , m_identity(identity)
    , m_tool(tool)
    , m_arguments(std::move(arguments))
    , m_plain(print(m_arguments.front().value))
{
}

base::Fingerprint CallPrint::print(const base::Fingerprint &arguments) const
{
    const std::array both{m_identity, arguments};
    return combined('C', both, m_seed);
}

base::Fingerprint CallPrint::under(const ToolSchemas *schemas) const
{
    if (schemas == nullptr)
        return m_plain;
    if (m_askedFor != schemas->id()) {
        m_answer = print(schemas->normalised(m_tool, m_arguments, m_seed));
        m_askedFor = schemas->id();
    }
    return m_answer;
}

} // namespace headway::heads
