// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/framemeter.h"
#include "app/picture.h"
#include "app/proxysetup.h"
#include "app/simulatedprovider.h"
#include "app/upstreamchooser.h"
#include "app/windowapplication.h"
#include "app/windowoptions.h"
#include "app/windowsession.h"
#include "proxy/store/paths.h"
#include "ui/models/windowstate.h"
#include "ui/views/mainwindow.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <utility>

namespace headway::app {

namespace {

// What a picture's run prints on stdout (spec/cli.md). The span is that from the first frame on;
// frame times are CPU of the window's thread.
void printCost(const ui::MainWindow &window, const FrameMeter &meter, double seconds)
{
    const live::SnapshotPointer newest = window.newest();
    QJsonObject cost;
    cost[QLatin1String("turns_in_flight")] = newest ? qint64(newest->turns.size()) : 0;
    cost[QLatin1String("records")] = newest ? qint64(newest->totals.records) : 0;
    cost[QLatin1String("frames")] = qint64(meter.frames());
    cost[QLatin1String("window_cpu_s")] = meter.cpuSeconds();
    cost[QLatin1String("seconds")] = seconds;
    cost[QLatin1String("frame_p50_ms")] = meter.frameMs(0.5);
    cost[QLatin1String("frame_p99_ms")] = meter.frameMs(0.99);
    cost[QLatin1String("frame_max_ms")] = meter.frameMs(1);
    cost[QLatin1String("opened_ms")] = meter.openedMs();
    cost[QLatin1String("opened_cpu_ms")] = meter.openedCpuMs();
    printOut(QJsonDocument(cost).toJson(QJsonDocument::Compact) + '\n');
}

// Whether the call itself is right; what is missing otherwise is shown in the window.
bool hasGoodSettings(const CommandLine &line)
{
    settings::Settings settings;
    std::vector<std::string> notices;
    return line.applySettings(settings, notices).has_value();
}

bool hasUpstream(const ProxyCall &call, const CommandLine &line)
{
    std::vector<std::string> notices;
    const auto settings = readSettings(call.paths.value_or(store::Paths::ofUser()), line, notices);
    return settings && !settings->text(settings::Key::Upstream).empty();
}

// What --demo may have beside it; nothing after a message on stderr.
std::optional<WindowCall> readCall(const CommandLine &line)
{
    WindowCall call;
    call.isDemo = line.has(QStringLiteral("demo"));
    call.isPicture = line.has(QStringLiteral("screenshot"));
    for (const char *name : {"lanes", "load"})
        if (!call.isDemo && line.has(QString::fromLatin1(name))) {
            printError(QStringLiteral("--%1 goes with --demo").arg(QLatin1String(name)));
            return std::nullopt;
        }
    if (!line.has(QStringLiteral("load")))
        return call;
    const auto load = parseLoad(line.value(QStringLiteral("load")));
    if (!load) {
        printError(load.error());
        return std::nullopt;
    }
    call.load = *load;
    return call;
}

// The demo and the pictures touch neither the user's ledger nor the settings.
ProxyCall proxyCallOf(const WindowCall &call, const CommandLine &line, const QTemporaryDir *home)
{
    ProxyCall proxy;
    proxy.simulate = call.isDemo;
    proxy.lanes = line.has(QStringLiteral("lanes"));
    proxy.isLoad = call.load.isWanted();
    if (home != nullptr) {
        proxy.paths = store::Paths::below(home->path());
        proxy.listen = QStringLiteral("127.0.0.1:0");
    }
    return proxy;
}

// Times what the window does, and prints it when the picture is taken.
int runMeasured(ui::MainWindow &window, const Picture &picture, const std::function<void()> &start)
{
    auto *const application = dynamic_cast<WindowApplication *>(QCoreApplication::instance());
    FrameMeter meter;
    QElapsedTimer clock;
    const auto atEnd
        = [&] { printCost(window, meter, static_cast<double>(clock.elapsed()) / 1'000); };
    if (!open(window, picture, picture.isWanted() ? std::function<void()>(atEnd) : nullptr))
        return WrongCall;
    start();
    if (application != nullptr && picture.isWanted()) {
        application->setMeter(&meter);
        meter.restart();
        clock.start();
    }
    const int status = QApplication::exec();
    if (application != nullptr)
        application->setMeter(nullptr);
    return status;
}

} // namespace

int windowCommand(const QStringList &arguments)
{
    CommandLine line(QString(), QStringLiteral("Window and proxy."));
    addWindowOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto picture = readPicture(line);
    auto call = picture ? readCall(line) : std::nullopt;
    if (!call)
        return WrongCall;
    dress(line, *picture);
    std::optional<QTemporaryDir> home;
    if (call->isDemo || call->isPicture)
        home.emplace();
    const ProxyCall proxyCall = proxyCallOf(*call, line, home ? &*home : nullptr);
    if (call->isPicture && !call->isDemo)
        printError(QStringLiteral(
            "the picture shows a fresh proxy on a free port, without your settings file and "
            "ledger; add --demo for simulated traffic"));
    auto setup = setUpProxy(proxyCall, line);
    if (!setup && (call->isDemo || !hasGoodSettings(line))) {
        printError(setup.error());
        return WrongCall;
    }
    if (setup)
        printNotices(setup->options.notices);
    call->settings = line.settingPairs();
    call->hasUpstream = call->isDemo || hasUpstream(proxyCall, line);
    call->setUp = [proxyCall, &line](const QString &listen) {
        ProxyCall again = proxyCall;
        again.listen = listen;
        return setUpProxy(again, line);
    };
    if (!call->isDemo)
        call->keepUpstream
            = [paths = proxyCall.paths.value_or(store::Paths::ofUser()), &line](
                  const ui::UpstreamChoice &choice) { return keepUpstream(choice, paths, line); };

    ui::MainWindow window;
    if (!home) // the demo and the pictures leave no trace
        window.setState(std::make_unique<ui::WindowState>(store::Paths::ofUser().configFolder()
                                                          + QStringLiteral("/window.ini")));
    WindowSession session(window, *call);
    QApplication::setQuitOnLastWindowClosed(false);
    return runMeasured(window, *picture, [&] { session.start(std::move(setup)); });
}

} // namespace headway::app
