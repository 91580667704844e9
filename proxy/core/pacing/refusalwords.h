// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/admission.h"
#include "proxy/core/pacing/pacer.h"

#include <string>

namespace headway::pacing {

// Why a turn was refused and what its user can do, for the client's error message: under each
// policy it is another reason, and another remedy.
[[nodiscard]] std::string refusalWords(Policy policy, const Refused &refusal);

} // namespace headway::pacing
