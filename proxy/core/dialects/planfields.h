// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"

namespace headway::dialects {

// Takes out of the request what the ChatGPT-plan endpoint does not know: it takes the fields that
// Codex sends and refuses some of the others outright (protocol notes 2.2 and 3.3). Blanks stand
// where a member stood, so that every view into the request stays right.
void keepFieldsOfPlan(TurnRequest &request);

} // namespace headway::dialects
