// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"
#include "proxy/store/paths.h"
#include "ui/models/upstreamchoice.h"

#include <QString>

#include <tl/expected.hpp>

namespace headway::app {

// Puts what a person chose into the settings file, for good. Nothing is written where it would not
// do: the text names no upstream, or the environment or the command line says another. The message
// is a sentence.
[[nodiscard]] tl::expected<void, QString> keepUpstream(const ui::UpstreamChoice &choice,
                                                       const store::Paths &paths,
                                                       const CommandLine &commandLine);

} // namespace headway::app
