// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/windowoptions.h"
#include "proxy/net/eventloop/epolldispatcher.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#ifdef HEADWAY_WITH_UI
#include "app/display.h"
#include "app/windowapplication.h"

#include <QFile>
#include <QTemporaryDir>
#endif

#include <array>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <sys/resource.h>

namespace {

using namespace headway::app;

struct Command
{
    const char *name;
    int (*run)(const QStringList &arguments);
    const char *summary;
    bool hasWindow = false;
};

#ifdef HEADWAY_WITH_UI
constexpr auto attach = attachCommand;
#else
constexpr int (*attach)(const QStringList &) = nullptr;
#endif

constexpr std::array commands{
    Command{"serve", serveCommand, "proxy without a window"},
    Command{"attach", attach, "the window on a proxy elsewhere", true},
    Command{"simulate", simulateCommand, "only the simulated provider"},
    Command{"agents", agentsCommand, "simulated agents as a load"},
    Command{"lab", labCommand, "pacing in virtual time: scenarios and replays"},
    Command{"ledger", ledgerCommand, "the ledger: export, verify, evidence behind a rate, query"},
    Command{"env", envCommand, "what a client needs: claude, codex or curl"},
    Command{"doctor", doctorCommand, "checks settings, port, upstream, clock and disk"},
    Command{"login", loginCommand, "signs in to the ChatGPT plan"},
    Command{"logout", logoutCommand, "forgets that sign-in"},
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

// --name or --name=value; before there is an application that could parse.
bool hasArgument(int argc, char *argv[], std::string_view name)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument.substr(0, argument.find('=')) == name)
            return true;
    }
    return false;
}

#ifdef HEADWAY_WITH_UI
constexpr const char *withoutCommand = "Without a command the window opens, with the proxy inside.";
#else
constexpr const char *withoutCommand
    = "This program was built without the window (HEADWAY_UI=OFF): without a command there is "
      "--demo, in the terminal; --screenshot, --view and --dark need the window.";
#endif

int help(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    CommandLine line({}, QString::fromLatin1(withoutCommand));
    addWindowOptions(line);
    QByteArray text
        = line.optionsHelp().toUtf8() + "\nCommands (headway COMMAND --help on each):\n";
    for (const Command &command : commands)
        text += "  " + QByteArray(command.name).leftJustified(10) + command.summary + '\n';
    printOut(text + line.settingsHelp().toUtf8());
    return Fine;
}

// The arguments from `first` on are those of `run`.
int window([[maybe_unused]] int (*run)(const QStringList &), int argc, char *argv[], int first)
{
    const QStringList arguments = argumentsFrom(argc, argv, first);
#ifdef HEADWAY_WITH_UI
    // A screenshot is drawn off screen, whatever the screen, so it needs no session either: Qt
    // would warn of a missing runtime folder and make one up.
    std::optional<QTemporaryDir> runtime;
    if (hasArgument(argc, argv, "--screenshot")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR"))
            qputenv("XDG_RUNTIME_DIR", QFile::encodeName(runtime.emplace().path()));
    }
    const QString why = whyNoDisplay();
    if (why.isEmpty()) {
        WindowApplication application(argc, argv);
        describe(application);
        return run(arguments);
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
    // Keys and prompts are in memory: no core dump may hold them (spec/safety.md).
    const rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    // A file that may not grow (ulimit -f) is a full disk to us, not the end.
    (void)std::signal(SIGXFSZ, SIG_IGN);
    if (argc >= 2) {
        const char *const first = argv[1];
        for (const Command &command : commands) {
            if (std::strcmp(first, command.name) != 0)
                continue;
            const bool isHelp = hasArgument(argc, argv, "--help") || hasArgument(argc, argv, "-h");
            if (command.hasWindow && (command.run == nullptr || !isHelp))
                return window(command.run, argc, argv, 2);
            QCoreApplication::setEventDispatcher(new headway::net::EpollDispatcher);
            QCoreApplication application(argc, argv);
            describe(application);
            return command.run(argumentsFrom(argc, argv, 2));
        }
        if (first[0] != '-') {
            printError(QStringLiteral("there is no command \"%1\"; see headway --help")
                           .arg(QString::fromLocal8Bit(first)));
            return WrongCall;
        }
        if (hasArgument(argc, argv, "--help") || hasArgument(argc, argv, "-h"))
            return help(argc, argv);
        if (std::strcmp(first, "--version") == 0)
            return versionCommand({});
    }
#ifdef HEADWAY_WITH_UI
    return window(windowCommand, argc, argv, 1);
#else
    return window(nullptr, argc, argv, 1);
#endif
}
