// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headway::app {

// Why no window can be opened here, in words for the terminal; empty when one can. Asks the display
// itself: one that is named but does not answer, or does not let this user in, would end the
// program inside Qt. Needs no application object.
[[nodiscard]] QString whyNoDisplay();

} // namespace headway::app
