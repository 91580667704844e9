// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/simulatedprovider.h"
#include "app/unixsignals.h"
#include "proxy/simulator/provider.h"

#include <QCoreApplication>

#include <utility>

namespace headway::app {

int simulateCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("simulate"),
                     QStringLiteral("Runs only the simulated provider (WebSocket and SSE)."));
    line.add(QStringLiteral("listen"), QStringLiteral("Where to listen; port 0: any free one."),
             QStringLiteral("address:port"), QStringLiteral("127.0.0.1:0"));
    line.add(QStringLiteral("scenario"), QStringLiteral("What it plays."), QStringLiteral("file"));
    addLanesOption(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto address = parseListenAddress(line.value(QStringLiteral("listen")));
    if (!address) {
        printError(address.error());
        return WrongCall;
    }
    if (!address->address.isLoopback()) {
        printError(QStringLiteral("the simulated provider listens on loopback only"));
        return WrongCall;
    }
    auto scenario
        = readScenario(line.value(QStringLiteral("scenario")), line.has(QStringLiteral("lanes")));
    if (!scenario) {
        printError(scenario.error());
        return WrongCall;
    }
    simulator::Provider provider(*std::move(scenario));
    const auto port = provider.listen(address->address, address->port);
    if (!port) {
        printError(QString::fromStdString(port.error()));
        return Failed;
    }
    // Before anybody hears that it listens: who does may end it at once.
    const UnixSignals received;
    QObject::connect(&received, &UnixSignals::terminated, QCoreApplication::instance(),
                     &QCoreApplication::quit);
    printOut(QStringLiteral("{\"listening\":\"http://127.0.0.1:%1\",\"pid\":%2}\n")
                 .arg(*port)
                 .arg(QCoreApplication::applicationPid())
                 .toUtf8());
    return QCoreApplication::exec();
}

} // namespace headway::app
