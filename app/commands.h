// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace headway::app {

// One function per subcommand of spec/cli.md; `arguments` are those after its name. A
// QCoreApplication exists. They return the exit status.
int serveCommand(const QStringList &arguments);
int simulateCommand(const QStringList &arguments);
int agentsCommand(const QStringList &arguments);
int labCommand(const QStringList &arguments);
int ledgerCommand(const QStringList &arguments);
int envCommand(const QStringList &arguments);
int doctorCommand(const QStringList &arguments);
int loginCommand(const QStringList &arguments);
int logoutCommand(const QStringList &arguments);
int versionCommand(const QStringList &arguments);

// The demo for a terminal: simulated provider and agents, a live status line.
int headlessDemo(const QStringList &arguments);

// The window; a QApplication exists.
int windowCommand(const QStringList &arguments);
// The window on a proxy elsewhere; a QApplication exists unless help is asked for.
int attachCommand(const QStringList &arguments);

} // namespace headway::app
