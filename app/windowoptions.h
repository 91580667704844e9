// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"

namespace headway::app {

// The options of the program without a subcommand (spec/cli.md): the window's, the terminal demo's,
// and what --help shows in every build.
void addWindowOptions(CommandLine &line);

// Those of every command with a window: --screenshot, explained by `about`, --view, --after and
// --dark.
void addPictureOptions(CommandLine &line, const QString &about);

} // namespace headway::app
