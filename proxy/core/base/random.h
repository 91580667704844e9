// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headway::base {

// SplitMix64 (Steele, Lea, Flood 2014): the same sequence for the same seed on every machine,
// which the standard library's distributions do not promise. Not for secrets.
class Random final
{
public:
    constexpr explicit Random(std::uint64_t seed) noexcept
        : m_state(seed)
    {
    }

    constexpr std::uint64_t next() noexcept
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }

    // Uniform in [low, high).
    constexpr double uniform(double low, double high) noexcept
    {
        return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1.0p-53;
    }

private:
    std::uint64_t m_state;
};

} // namespace headway::base
