// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandlink.h"
#include "app/commands.h"
#include "app/picture.h"
#include "app/proxysetup.h"
#include "app/remoteproxy.h"
#include "app/windowoptions.h"
#include "proxy/net/upstream/outboundproxy.h"
#include "ui/models/windowstate.h"
#include "ui/views/mainwindow.h"
#include "ui/views/whatifview.h"

#include <QApplication>
#include <QThread>

namespace headway::app {

namespace {

// The clients belong to the machine where the proxy runs: the key is that of there. `listening`:
// where it listens there, once it has told; empty until then.
void setSetupTexts(ui::MainWindow &window, const QString &address, const QString &listening)
{
    const QString hint
        = QObject::tr("To be run where the proxy at %1 runs: it prints the address and the key of "
                      "there.")
              .arg(address);
    const QString where
        = listening.isEmpty() ? QString() : QStringLiteral(" --set listen=") + listening;
    ui::SetupTexts texts;
    texts.clients = {
        {QStringLiteral("Claude Code"),
         QStringLiteral("eval \"$(headway env claude%1)\"; claude\n").arg(where), hint},
        {QStringLiteral("Codex"), QStringLiteral("headway env codex%1\n").arg(where), hint},
        {QStringLiteral("curl"), QStringLiteral("headway env curl%1\n").arg(where), hint},
    };
    window.setSetup(texts);
}

void connectBoth(ui::MainWindow &window, RemoteProxy &proxy, const QString &address)
{
    using ui::MainWindow;
    QObject::connect(&proxy, &RemoteProxy::snapshotReady, &window, &MainWindow::apply);
    QObject::connect(
        &proxy, &RemoteProxy::snapshotReady, &window,
        [&window, address, told = std::string()](const live::SnapshotPointer &snapshot) mutable {
            if (told == snapshot->listening)
                return;
            told = snapshot->listening;
            setSetupTexts(window, address, QString::fromStdString(told));
        });
    QObject::connect(&proxy, &RemoteProxy::linkChanged, &window, &MainWindow::setLink);
    QObject::connect(&proxy, &RemoteProxy::refused, &window, &MainWindow::showRefusal);
    connectCommands(window.commands(), &proxy);
}

void prepare(ui::MainWindow &window, const QString &address, const Picture &picture)
{
    if (!picture.isWanted())
        window.setState(std::make_unique<ui::WindowState>(store::Paths::ofUser().configFolder()
                                                          + QStringLiteral("/window.ini")));
    window.setLink({ui::LinkState::Phase::Connecting, address, {}, 0});
    setSetupTexts(window, address, {});
    window.places()->whatIf()->setWithoutLedger(
        QObject::tr("It lies with the proxy at %1 and cannot be replayed from here. Choose a "
                    "scenario above, or use \"headway lab replay\" there.")
            .arg(address));
}

// The control key from all sources; nothing after a message on stderr.
std::optional<std::string> controlKeyFrom(const CommandLine &line)
{
    const store::Paths paths = store::Paths::ofUser();
    std::vector<std::string> notices;
    const auto settings = readSettings(paths, line, notices);
    if (!settings) {
        printError(settings.error());
        return std::nullopt;
    }
    printNotices(notices);
    std::string key = controlKeyOf(*settings, paths);
    if (!key.empty())
        return key;
    printError(QStringLiteral("there is no control key; put the one from keys.ini of the machine "
                              "where the proxy runs into HEADWAY_CONTROL_KEY"));
    return std::nullopt;
}

std::optional<net::Endpoint> endpointFrom(const QStringList &positional)
{
    if (positional.isEmpty()) {
        printError(QStringLiteral("attach takes the address of the proxy, wss://HOST:PORT"));
        return std::nullopt;
    }
    auto endpoint = feedEndpoint(positional.first());
    if (!endpoint) {
        printError(endpoint.error());
        return std::nullopt;
    }
    // A malformed proxy variable is a start-up error, never a silent direct connection.
    const auto outbound = net::outboundProxy(endpoint->url, net::processEnvironment());
    if (!outbound) {
        printError(outbound.error());
        return std::nullopt;
    }
    return *std::move(endpoint);
}

} // namespace

int attachCommand(const QStringList &arguments)
{
    CommandLine line(
        QStringLiteral("attach"),
        QStringLiteral("The window on a proxy elsewhere. It needs the control key of that proxy, "
                       "from HEADWAY_CONTROL_KEY or this machine's keys.ini; --set control_key=… "
                       "works too, but other users of this machine can see it while it runs."));
    line.addPositional(QStringLiteral("address"),
                       QStringLiteral("wss://HOST:PORT of the proxy; ws:// on this machine only."));
    addPictureOptions(line,
                      QStringLiteral("Draws the window into a file and ends; needs no "
                                     "display."));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    const auto picture = readPicture(line);
    auto endpoint = picture ? endpointFrom(line.positional()) : std::nullopt;
    const auto key = endpoint ? controlKeyFrom(line) : std::nullopt;
    if (!key)
        return WrongCall;
    endpoint->key = *key;

    dress(line, *picture);
    const QString address = line.positional().first();
    ui::MainWindow window;
    prepare(window, address, *picture);
    QThread thread; // reading the feed must not make the window wait
    auto *proxy = new RemoteProxy(*std::move(endpoint), address);
    proxy->moveToThread(&thread);
    QObject::connect(&thread, &QThread::started, proxy, &RemoteProxy::start);
    QObject::connect(&thread, &QThread::finished, proxy, &QObject::deleteLater);
    connectBoth(window, *proxy, address);
    QObject::connect(&window, &ui::MainWindow::quitRequested, qApp, &QCoreApplication::quit);
    if (!open(window, *picture)) {
        delete proxy;
        return WrongCall;
    }
    ui::LinkState link;
    QObject::connect(proxy, &RemoteProxy::linkChanged, &window,
                     [&link](const ui::LinkState &state) { link = state; });
    thread.start();
    const int status = QApplication::exec();
    thread.quit();
    thread.wait();
    if (!picture->isWanted() || link.phase == ui::LinkState::Phase::Live)
        return status;
    printError(QStringLiteral("the picture shows no proxy: %1")
                   .arg(link.trouble.isEmpty() ? QStringLiteral("there was no answer in time")
                                               : link.trouble));
    return Failed;
}

} // namespace headway::app
