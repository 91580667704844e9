// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QString>

namespace headway::ui {

// "Signed in to the ChatGPT plan as me@example.com (pro)." Empty where none is asked for.
[[nodiscard]] QString signInWords(const live::SignIn &signIn);

} // namespace headway::ui
