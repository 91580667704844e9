// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/fingerprint.h"

#include <xxhash.h>

namespace headway::base {

Fingerprint fingerprint(std::string_view bytes, std::uint64_t seed) noexcept
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    return {hash.high64, hash.low64};
}

} // namespace headway::base
