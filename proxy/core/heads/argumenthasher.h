// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/callprint.h"
#include "proxy/core/heads/canonical.h"

#include <cstdint>
#include <simdjson.h>
#include <string_view>
#include <vector>

namespace headway::heads {

// Hashes of JSON values: equal exactly when the values are equal (see CanonicalForm), and of a
// value whose members were dropped the same as of a value that never had them.
class ArgumentHasher final
{
public:
    explicit ArgumentHasher(std::uint64_t seed)
        : m_seed(seed)
    {
    }

    // Flattens a value. Beyond 256 nodes values are not taken apart any more.
    [[nodiscard]] std::vector<ArgumentNode> flatten(simdjson::dom::element value);

    [[nodiscard]] std::uint64_t seed() const { return m_seed; }

private:
    base::Fingerprint append(simdjson::dom::element value, const base::Fingerprint &key,
                             std::vector<ArgumentNode> *out);
    base::Fingerprint appendObject(simdjson::dom::object object, std::vector<ArgumentNode> *out);
    base::Fingerprint appendArray(simdjson::dom::array array, std::vector<ArgumentNode> *out);
    void spell(std::string_view text, ArgumentNode &node);
    [[nodiscard]] base::Fingerprint scalarPrint(simdjson::dom::element value);

    std::uint64_t m_seed;
    CanonicalForm m_form;
};

} // namespace headway::heads
