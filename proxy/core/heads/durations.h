// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headway::heads {

// How long a turn in flight will still take, from how long turns took: of those that took longer
// than this one has run, the quantiles of what they took beyond that. An agent's own turns when at
// least five of them tell, else those of the model; else nothing is known.
class Durations final
{
public:
    struct Remaining
    {
        base::Nanoseconds p50{0};
        base::Nanoseconds p75{0};
    };

    void add(std::size_t partition, std::string_view model, base::Nanoseconds took);
    [[nodiscard]] std::optional<Remaining> remaining(std::size_t partition, std::string_view model,
                                                     base::Nanoseconds elapsed) const;

private:
    static constexpr std::size_t perPartition = 32; // last turns kept
    static constexpr std::size_t perModel = 128;
    static constexpr std::size_t partitions = 1'024; // the latest ones
    static constexpr std::size_t models = 64;
    static constexpr std::size_t enough = 5;

    struct Ring
    {
        std::vector<base::Nanoseconds> took;
        std::size_t next = 0;

        void add(base::Nanoseconds duration, std::size_t most);
    };
    [[nodiscard]] static std::optional<Remaining> remaining(const Ring &ring,
                                                            base::Nanoseconds elapsed);

    std::unordered_map<std::size_t, Ring> m_partitions;
    std::deque<std::size_t> m_order; // of m_partitions, oldest first
    std::unordered_map<std::string, Ring> m_models;
};

} // namespace headway::heads
