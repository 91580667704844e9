// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headway::net {

// Raises this process's soft limit of open descriptors to the hard one and returns what holds now.
[[nodiscard]] std::size_t raiseDescriptorLimit();

// min(8192, (descriptors − 256) / 2), at least 1 (spec/safety.md): a turn may need a descriptor on
// either side.
[[nodiscard]] std::size_t connectionsFor(std::size_t descriptors);

} // namespace headway::net
