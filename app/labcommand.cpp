// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/lab.h"

namespace headway::app {

int labCommand(const QStringList &arguments)
{
    const QString what = arguments.value(0);
    if (what == QLatin1String("run"))
        return labRun(arguments.mid(1));
    if (what == QLatin1String("replay"))
        return labReplay(arguments.mid(1));
    const bool help = what == QLatin1String("--help") || what == QLatin1String("-h");
    const QByteArray usage = "Usage: headway lab run|replay [options] FILE   (--help on each)\n";
    if (help)
        printOut(usage);
    else
        printError(QString::fromUtf8(usage.trimmed()));
    return help ? Fine : WrongCall;
}

} // namespace headway::app
