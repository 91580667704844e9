// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/fingerprint.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace headway::dialects {

struct Identity;

// Which phase of a turn each text of the assistant was ("commentary", "final_answer"). Newer models
// do worse when their own texts come back without it (protocol notes, section 4), and a client of
// another dialect has no place for it. While a chain lasts, upstream remembers; when the
// conversation goes up in full again, this does. Of the latest texts, `most` in all; where a
// conversation said the same twice, the first holds, so that the prompt's prefix stays what it was.
// One thread.
class AssistantPhases final
{
public:
    explicit AssistantPhases(std::uint64_t seed, std::size_t most = 32'768);

    // `item`: as the client will echo it (ReplyWriter::echoedItems()); of interest are messages
    // with a phase.
    void remember(const Identity &who, std::string_view item);
    // The phase that the item lacks; empty: none is known.
    [[nodiscard]] std::string_view of(const Identity &who, std::string_view item) const;
    [[nodiscard]] std::size_t size() const { return m_phases.size(); }

private:
    [[nodiscard]] base::Fingerprint key(const Identity &who, std::string_view textBody) const;

    std::uint64_t m_seed;
    std::size_t m_most;
    std::map<base::Fingerprint, std::string_view> m_phases; // static texts
    std::deque<base::Fingerprint> m_order; // oldest first
};

} // namespace headway::dialects
