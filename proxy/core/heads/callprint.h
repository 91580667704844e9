// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/fingerprint.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headway::heads {

class ToolSchemas;

// Which kinds of scalar a schema declares, or a string spells.
enum class Scalar : std::uint8_t { None = 0, Number = 1, Integer = 2, Boolean = 4 };

// One JSON value of a call's arguments as hashes: enough to tell what it is equal to under any tool
// schema without keeping its text. In pre-order; `next` is the node after this one's descendants.
struct ArgumentNode
{
    base::Fingerprint key; // of an object's member
    base::Fingerprint value; // as it stands
    base::Fingerprint scalar; // what its text spells, when it spells a scalar
    std::uint32_t next = 0;
    std::uint8_t spells = 0; // Scalar bits
    bool object = false; // its members follow
    bool array = false; // its elements follow
    bool filler = false; // null or []
};

// One hash of several; the tag says of what.
[[nodiscard]] base::Fingerprint combined(char tag, std::span<const base::Fingerprint> prints,
                                         std::uint64_t seed);

// What a function call is compared by beside its plain print. Shared by the request that holds the
// call, the cache of prints and the head that may have to look at it again under other schemas.
class CallPrint final
{
public:
    // `identity` is a hash of call id, name and namespace, `tool` of the last two.
    CallPrint(const base::Fingerprint &identity, const base::Fingerprint &tool,
              std::vector<ArgumentNode> arguments, std::uint64_t seed);

    [[nodiscard]] const base::Fingerprint &plain() const { return m_plain; }
    // spec/heads.md section 3, third point; without schemas the plain print. Remembers the last
    // answer: the same calls are asked about with the same schemas turn after turn.
    [[nodiscard]] base::Fingerprint under(const ToolSchemas *schemas) const;

private:
    [[nodiscard]] base::Fingerprint print(const base::Fingerprint &arguments) const;

    std::uint64_t m_seed;
    base::Fingerprint m_identity;
    base::Fingerprint m_tool;
    std::vector<ArgumentNode> m_arguments;
    base::Fingerprint m_plain;
    mutable base::Fingerprint m_askedFor;
    mutable base::Fingerprint m_answer;
};

} // namespace headway::heads
