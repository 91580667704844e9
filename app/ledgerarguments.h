// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"
#include "proxy/core/base/time.h"
#include "proxy/store/storeerror.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace headway::app {

// What the subcommands of `headway ledger` have in common.

void addLedger(CommandLine &line); // --ledger and --set
// As given, else as set, else the user's; nothing after a message: a setting is wrong.
[[nodiscard]] std::optional<QString> ledgerPath(const CommandLine &line);

void addSpan(CommandLine &line); // --since and --until
// Without the option there is no bound. False after a message: its text is no time.
[[nodiscard]] bool readTime(const CommandLine &line, const QString &name,
                            std::optional<base::WallTime> &time);

[[nodiscard]] QStringList kindNames();
// Comma separated names as places in ledger::kinds(); false after a message.
[[nodiscard]] bool readKinds(const QString &list, std::vector<std::size_t> &kinds);

// Says on stderr what went wrong; the exit status for it.
[[nodiscard]] int failed(const store::StoreError &error);

// The subcommands with a file of their own; `arguments` are those after the name.
[[nodiscard]] int ledgerEvidence(const QStringList &arguments);
[[nodiscard]] int ledgerQuery(const QStringList &arguments);

} // namespace headway::app
