// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "proxy/net/eventloop/epolldispatcher.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#ifdef HEADWAY_WITH_UI
#include "app/display.h"

#include <QApplication>
#endif

#include <array>
#include <cstring>

namespace {

using namespace headway::app;

struct Command
{
    const char *name;
    int (*run)(const QStringList &arguments);
    const char *summary;
};

constexpr std::array commands{
    Command{"serve", serveCommand, "proxy without a window"},
    Command{"simulate", simulateCommand, "only the simulated provider"},
    Command{"agents", agentsCommand, "simulated agents as a load"},
    Command{"lab", labCommand, "pacing in virtual time: scenarios and replays"},
    Command{"ledger", ledgerCommand, "export or verify the ledger"},
    Command{"env", envCommand, "what a client needs: claude, codex or curl"},
    Command{"doctor", doctorCommand, "checks settings, port, upstream, clock and disk"},
    Command{"version", versionCommand, "prints the version"},
};

void describe(QCoreApplication &application)
{
    application.setApplicationName(QStringLiteral("headway"));
    application.setApplicationVersion(QStringLiteral(HEADWAY_VERSION));
}

QStringList argumentsFrom(int argc, char *argv[], int first)
{
    QStringList arguments;
    for (int i = first; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    return arguments;
}

bool hasArgument(int argc, char *argv[], const char *name)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], name) == 0)
            return true;
    }
    return false;
}

int help()
{
    QByteArray text = "Usage: headway [--demo] [--screenshot FILE.png]   window and proxy\n"
                      "       headway COMMAND [options]                  (--help on each)\n\n";
    for (const Command &command : commands)
        text += "  " + QByteArray(command.name).leftJustified(10) + command.summary + '\n';
    printOut(text);
    return Fine;
}

int window(int argc, char *argv[])
{
    const QStringList arguments = argumentsFrom(argc, argv, 1);
#ifdef HEADWAY_WITH_UI
    // A screenshot is drawn off screen, whatever the screen.
    if (hasArgument(argc, argv, "--screenshot"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QString why = whyNoDisplay();
    if (why.isEmpty()) {
        QApplication application(argc, argv);
        describe(application);
        return windowCommand(arguments);
    }
#else
    const QString why = QStringLiteral("built without the window (HEADWAY_UI=OFF)");
#endif
    QCoreApplication application(argc, argv);
    describe(application);
    if (hasArgument(argc, argv, "--demo")) {
        printError(why
                   % QStringLiteral("; running the demo here in the terminal instead.\n"
                                    "headway: for a picture: headway --demo --screenshot "
                                    "headway.png   (Ctrl+C ends)"));
        return headlessDemo(arguments);
    }
    printError(why
               % QStringLiteral("; use \"headway serve\", or \"headway --demo --screenshot "
                                "FILE.png\" for a picture"));
    return Failed;
}

} // namespace

int main(int argc, char *argv[])
{
    if (argc >= 2) {
        const char *const first = argv[1];
        for (const Command &command : commands) {
            if (std::strcmp(first, command.name) != 0)
                continue;
            QCoreApplication::setEventDispatcher(new headway::net::EpollDispatcher);
            QCoreApplication application(argc, argv);
            describe(application);
            return command.run(argumentsFrom(argc, argv, 2));
        }
        if (std::strcmp(first, "--help") == 0 || std::strcmp(first, "-h") == 0)
            return help();
        if (std::strcmp(first, "--version") == 0)
            return versionCommand({});
        if (first[0] != '-') {
            printError(QStringLiteral("there is no command \"%1\"; see headway --help")
                           .arg(QString::fromLocal8Bit(first)));
            return WrongCall;
        }
    }
    return window(argc, argv);
}
