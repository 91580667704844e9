// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/portowner.h"
#include "app/proxysetup.h"
#include "app/simulatedprovider.h"
#include "app/unixsignals.h"
#include "proxy/engine/engine.h"

#include <QCoreApplication>

namespace headway::app {

namespace {

constexpr int drainMs = 30'000; // spec/safety.md: SIGTERM during streams

} // namespace

int serveCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("serve"),
                     QStringLiteral("Runs the proxy without a window. SIGTERM lets turns end."));
    line.add(QStringLiteral("listen"), QStringLiteral("Where to listen; port 0: any free one."),
             QStringLiteral("address:port"));
    line.add(QStringLiteral("upstream"),
             QStringLiteral("The provider's Responses endpoint, wss://… or https://…"),
             QStringLiteral("url"));
    line.add(QStringLiteral("simulate"),
             QStringLiteral("Uses the simulated provider; nothing leaves this machine."));
    line.add(QStringLiteral("scenario"), QStringLiteral("What the simulated provider plays."),
             QStringLiteral("file"));
    addLanesOption(line);
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;

    ProxyCall call;
    call.simulate = line.has(QStringLiteral("simulate"));
    call.scenarioFile = line.value(QStringLiteral("scenario"));
    call.upstream = line.value(QStringLiteral("upstream"));
    call.listen = line.value(QStringLiteral("listen"));
    call.lanes = line.has(QStringLiteral("lanes"));
    if ((!call.scenarioFile.isEmpty() || call.lanes) && !call.simulate) {
        printError(QStringLiteral("--scenario and --lanes go with --simulate"));
        return WrongCall;
    }
    auto setup = setUpProxy(call, line);
    if (!setup) {
        printError(setup.error());
        return WrongCall;
    }
    printNotices(setup->options.notices);

    const QString host = setup->options.address.toString();
    const ListenAddress wanted{setup->options.address, setup->options.port};
    const std::string key = setup->options.controlKey;
    const store::Paths paths = setup->paths;
    engine::Engine proxy(std::move(setup->options));
    QObject::connect(&proxy, &engine::Engine::ledgerStateChanged, &proxy,
                     [wasFine = true](const QString &state) mutable {
                         const bool isFine = state == QLatin1String("ok");
                         if (!isFine || !wasFine)
                             printError(QStringLiteral("ledger: ")
                                        % (isFine ? QStringLiteral("written again") : state));
                         wasFine = isFine;
                     });
    const auto port = proxy.start();
    if (!port) {
        printError(QString::fromStdString(port.error()));
        printError(
            reportPort(wanted, key).text
            % QStringLiteral("; give another address with --listen, port 0 takes a free one"));
        return Failed;
    }
    // Before anybody hears that it listens: who does may end it at once.
    const UnixSignals signals_;
    QObject::connect(&signals_, &UnixSignals::terminated, &proxy,
                     [&proxy, asked = false]() mutable {
                         proxy.drain(asked ? 0 : drainMs); // a second signal does not wait
                         asked = true;
                     });
    QObject::connect(&signals_, &UnixSignals::hungUp, &proxy, [&] {
        std::vector<std::string> notices;
        const auto fresh = readSettings(paths, line, notices);
        printNotices(notices);
        if (fresh) // what is wrong on the command line ended the call long ago
            proxy.reloadSettings(*fresh);
    });
    const bool v6 = host.contains(QLatin1Char(':'));
    printOut(QStringLiteral("{\"listening\":\"http://%1:%2\",\"pid\":%3}\n")
                 .arg(v6 ? QLatin1Char('[') % host % QLatin1Char(']') : host)
                 .arg(*port)
                 .arg(QCoreApplication::applicationPid())
                 .toUtf8());

    QObject::connect(&proxy, &engine::Engine::drained, QCoreApplication::instance(),
                     &QCoreApplication::quit, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int versionCommand(const QStringList & /*arguments*/)
{
    printOut("headway " HEADWAY_VERSION "\n");
    return Fine;
}

} // namespace headway::app
