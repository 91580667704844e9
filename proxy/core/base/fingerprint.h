// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace headway::base {

// XXH3-128 with a seed drawn once per process: lives in memory only. Anything persisted is an HMAC
// with the installation's key instead (proxy/store/installkey.h).
struct Fingerprint
{
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr auto operator<=>(const Fingerprint &, const Fingerprint &) = default;
};

[[nodiscard]] Fingerprint fingerprint(std::string_view bytes, std::uint64_t seed) noexcept;

} // namespace headway::base
