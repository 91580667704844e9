// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QString>

namespace headway::app {

// What is going on, in one line of text for a terminal.
[[nodiscard]] QString statusLine(const live::Snapshot &snapshot);

} // namespace headway::app
