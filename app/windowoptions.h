// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"

namespace headway::app {

// The options of the program without a subcommand (spec/cli.md): the window's, the terminal demo's,
// and what --help shows in every build.
void addWindowOptions(CommandLine &line);

} // namespace headway::app
