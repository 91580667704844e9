// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowoptions.h"

#include "app/load.h"
#include "app/simulatedprovider.h"

namespace headway::app {

void addWindowOptions(CommandLine &line)
{
    line.add(QStringLiteral("demo"),
             QStringLiteral("Simulated provider and agents; nothing leaves this machine. Without a "
                            "display: in the terminal."));
    addLanesOption(line);
    addLoadOption(line);
    addPictureOptions(line,
                      QStringLiteral("Draws the window into a file and ends; needs no display. "
                                     "Without --demo: a fresh proxy, without your settings file "
                                     "and ledger."));
    line.addSettings();
}

void addPictureOptions(CommandLine &line, const QString &about)
{
    line.add(QStringLiteral("screenshot"), about, QStringLiteral("file.png"));
    line.add(QStringLiteral("view"),
             QStringLiteral(
                 "Which place to open: live, heads, ledger, what-if or setup (default: live)."),
             QStringLiteral("name"), QStringLiteral("live"));
    line.add(QStringLiteral("after"),
             QStringLiteral("With --screenshot: draws after this many seconds, 0 to 3600 (default: "
                            "3). With a demo in the terminal: ends then."),
             QStringLiteral("seconds"), QStringLiteral("3"));
    line.add(QStringLiteral("dark"), QStringLiteral("Dark colours."));
}

} // namespace headway::app
