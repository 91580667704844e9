// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/scenario.h"

#include <QString>

#include <tl/expected.hpp>

namespace headway::app {

class CommandLine;

// --load turns=N,records=N of the demo (spec/cli.md): that many turns in flight, one delta a second
// each, and that many ledger records a second.
struct Load
{
    int turns = 0; // 0: the demo's own agents
    int recordsPerSecond = 0; // 0: what the turns leave

    [[nodiscard]] bool isWanted() const { return turns > 0 || recordsPerSecond > 0; }
};

void addLoadOption(CommandLine &line);

// Either part may be missing; the message says what to write.
[[nodiscard]] tl::expected<Load, QString> parseLoad(const QString &text);

// A provider that takes every opening and streams one delta a second for two to six minutes.
[[nodiscard]] simulator::Scenario loadScenario();

} // namespace headway::app
