// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/demoagents.h"
#include "app/proxysetup.h"
#include "app/simulatedprovider.h"
#include "app/statusline.h"
#include "app/unixsignals.h"
#include "app/windowoptions.h"
#include "proxy/engine/engine.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <unistd.h>

namespace headway::app {

namespace {

constexpr std::chrono::seconds lineEvery{1};

// On a terminal the line is written over itself; in a file each one stays.
void show(const QString &line)
{
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    const QByteArray text = line.toUtf8();
    printOut(terminal ? QByteArray("\r\x1b[K" + text) : QByteArray(text + '\n'));
}

} // namespace

int headlessDemo(const QStringList &arguments)
{
    CommandLine line(QString(),
                     QStringLiteral("Simulated provider and agents, a live status line."));
    addWindowOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    if (line.has(QStringLiteral("screenshot"))) {
        printError(QStringLiteral("--screenshot needs a build with the window (HEADWAY_UI=ON)"));
        return Failed;
    }
    if (line.has(QStringLiteral("load"))) {
        printError(
            QStringLiteral("--load measures the window and needs a display or --screenshot"));
        return Failed;
    }
    const QTemporaryDir home; // never the user's ledger or settings
    ProxyCall call;
    call.paths = store::Paths::below(home.path());
    call.simulate = true;
    call.lanes = line.has(QStringLiteral("lanes"));
    call.listen = QStringLiteral("127.0.0.1:0");
    auto setup = setUpProxy(call, line);
    if (!setup) {
        printError(setup.error());
        return WrongCall;
    }
    printNotices(setup->options.notices);
    engine::Engine proxy(std::move(setup->options));
    const auto port = proxy.start();
    if (!port) {
        printError(QString::fromStdString(port.error()));
        return Failed;
    }
    printOut(QStringLiteral("Demo on http://127.0.0.1:%1\n").arg(*port).toUtf8());
    DemoAgents agents;
    agents.start(*port);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &proxy,
                     [&proxy] { show(statusLine(*proxy.snapshot())); });
    timer.start(lineEvery);
    if (line.has(QStringLiteral("after"))) {
        const auto seconds = line.number(QStringLiteral("after"), 1, 86'400);
        if (!seconds)
            return WrongCall;
        QTimer::singleShot(std::chrono::seconds(*seconds), QCoreApplication::instance(),
                           &QCoreApplication::quit);
    }
    const UnixSignals received;
    QObject::connect(&received, &UnixSignals::terminated, QCoreApplication::instance(),
                     &QCoreApplication::quit);
    const int status = QCoreApplication::exec();
    printOut("\n");
    return status;
}

} // namespace headway::app
