// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headway::pacing {

// The openings of the last minute, by the instant their upgrade was answered: the provider has
// counted each of them by then, so that one minute later it has forgotten it for certain.
class PassLog final
{
public:
    static constexpr base::Seconds minute{60};
    static constexpr base::Seconds longest{120};

    void add(base::SteadyTime answered);
    void forget(base::SteadyTime now); // what is older than `longest`

    [[nodiscard]] std::size_t count(base::SteadyTime now, base::Nanoseconds length = minute) const;
    // When at most `most` of the openings so far are left in a window of that length.
    [[nodiscard]] std::optional<base::SteadyTime> downTo(std::size_t most,
                                                         base::Nanoseconds length = minute) const;

private:
    [[nodiscard]] std::span<const base::SteadyTime> kept() const;

    std::vector<base::SteadyTime> m_answers; // in order
    std::size_t m_forgotten = 0; // of these, from the front
};

} // namespace headway::pacing
