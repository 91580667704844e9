// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientsetup.h"
#include "app/commandline.h"
#include "app/commands.h"
#include "app/demoagents.h"
#include "app/exporter.h"
#include "app/lab.h"
#include "app/proxysetup.h"
#include "app/proxythread.h"
#include "app/simulatedprovider.h"
#include "app/windowoptions.h"
#include "proxy/net/clock.h"
#include "proxy/store/paths.h"
#include "ui/format/appearance.h"
#include "ui/models/windowstate.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"
#include "ui/views/trayicon.h"

#include <QApplication>
#include <QLayout>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>

namespace headway::app {

namespace {

constexpr int drainMs = 30'000;

struct WindowCall
{
    [[nodiscard]] bool isPicture() const { return !screenshot.isEmpty(); }

    bool demo = false;
    QString screenshot;
    QString view = QStringLiteral("live");
    qint64 afterSeconds = 3;
};

void setSetupTexts(ui::MainWindow &window, quint16 port, const std::string &accessKey,
                   const std::vector<std::string> &models)
{
    ClientSetupFacts facts;
    facts.baseUrl = QStringLiteral("http://127.0.0.1:%1").arg(port);
    facts.accessKey = QString::fromStdString(accessKey);
    for (const std::string &model : models)
        facts.models << QString::fromStdString(
            model.substr(0, model.find('='))); // an alias: its name
    ui::SetupTexts texts;
    texts.accessKey = facts.accessKey;
    texts.clients = {
        {QStringLiteral("Claude Code"), claudeSetup(facts),
         QObject::tr("Paste into the shell that starts Claude Code.")},
        {QStringLiteral("Codex"), codexSetup(facts), QObject::tr("Put into ~/.codex/config.toml.")},
        {QStringLiteral("curl"), curlSetup(facts), QObject::tr("One turn by hand.")},
    };
    window.setSetup(texts);
}

// What keeps the proxy from running is shown where everything else is: in the window.
void showTrouble(ui::MainWindow &window, const QString &reason)
{
    auto snapshot = std::make_shared<live::Snapshot>();
    snapshot->notices = {reason.toStdString()};
    snapshot->upstreamState = "not running";
    window.apply(snapshot);
}

void sayAndShow(ui::MainWindow &window, const QString &reason)
{
    printError(reason);
    showTrouble(window, reason);
}

// The window with its proxy and, in the demo, its agents; everything that lives as long as it.
class WindowSession final : public QObject
{
public:
    WindowSession(ui::MainWindow &window, WindowCall call)
        : m_window(window)
        , m_call(std::move(call))
    {
    }

    void start(ProxySetup setup)
    {
        m_provider = std::move(setup.provider);
        m_exporter = std::make_unique<Exporter>(setup.options.ledgerPath);
        m_window.setLedgerReader([path = setup.options.ledgerPath](base::Milliseconds back) {
            return arrivalsFromLedger(path, net::readClock().wall - back);
        });
        const std::string accessKey = setup.options.accessKey;
        const std::vector<std::string> models = setup.options.models;
        m_proxy = std::make_unique<ProxyThread>(std::move(setup.options));
        connect(m_proxy.get(), &ProxyThread::snapshotReady, &m_window, &ui::MainWindow::apply);
        connect(m_proxy.get(), &ProxyThread::failed, &m_window,
                [this](const QString &reason) { sayAndShow(m_window, reason); });
        connect(m_proxy.get(), &ProxyThread::started, this,
                [this, accessKey, models](quint16 port) {
                    setSetupTexts(m_window, port, accessKey, models);
                    if (m_call.demo)
                        m_agents.start(port);
                });
        connect(&m_window, &ui::MainWindow::settingEdited, m_proxy.get(),
                &ProxyThread::changeSetting);
        connectCommands();
        connect(&m_window, &ui::MainWindow::exportRequested, m_exporter.get(), &Exporter::start);
        connect(&m_window, &ui::MainWindow::exportCancelled, m_exporter.get(), &Exporter::cancel);
        connect(m_exporter.get(), &Exporter::progressed, &m_window,
                &ui::MainWindow::showExportProgress);
        connect(m_exporter.get(), &Exporter::finished, &m_window,
                &ui::MainWindow::showExportResult);
        if (!m_call.isPicture() && ui::TrayIcon::isPossible())
            showInTray();
        m_proxy->start();
    }

    // Lets turns end before the program does; the demo's agents need no such care.
    void quit()
    {
        if (!m_proxy || m_call.demo) {
            QApplication::quit();
            return;
        }
        connect(m_proxy.get(), &ProxyThread::drained, this, [] { QApplication::quit(); });
        m_proxy->drain(drainMs);
    }

private:
    void connectCommands()
    {
        using ui::MainWindow;
        ProxyThread *const proxy = m_proxy.get();
        connect(&m_window, &MainWindow::pauseRequested, proxy, &ProxyThread::setPaused);
        connect(&m_window, &MainWindow::passThroughRequested, proxy, &ProxyThread::setPassThrough);
        connect(&m_window, &MainWindow::holdRequested, proxy, &ProxyThread::holdSession);
        connect(&m_window, &MainWindow::moveToFrontRequested, proxy, &ProxyThread::moveToFront);
        connect(&m_window, &MainWindow::cancelRequested, proxy, &ProxyThread::cancelTurn);
        connect(&m_window, &MainWindow::evictRequested, proxy, &ProxyThread::evictHead);
        connect(&m_window, &MainWindow::pinRequested, proxy, &ProxyThread::pinConnection);
    }

    // Makes "keep running in the background" real: there is a way back to the window.
    void showInTray()
    {
        m_tray = std::make_unique<ui::TrayIcon>();
        m_window.setStaysInBackground(true);
        connect(m_proxy.get(), &ProxyThread::snapshotReady, m_tray.get(), &ui::TrayIcon::apply);
        m_tray->setNotifies(m_window.wantsNotifications());
        connect(&m_window, &ui::MainWindow::notificationsChanged, m_tray.get(),
                &ui::TrayIcon::setNotifies);
        connect(m_tray.get(), &ui::TrayIcon::quitRequested, &m_window, &ui::MainWindow::quit);
        connect(m_tray.get(), &ui::TrayIcon::windowRequested, &m_window, [this] {
            m_window.showNormal();
            m_window.activateWindow();
        });
    }

    ui::MainWindow &m_window;
    WindowCall m_call;
    std::unique_ptr<SimulatedProvider> m_provider;
    std::unique_ptr<ProxyThread> m_proxy;
    std::unique_ptr<Exporter> m_exporter;
    std::unique_ptr<ui::TrayIcon> m_tray;
    DemoAgents m_agents;
};

void drawLater(ui::MainWindow &window, const WindowCall &call)
{
    QTimer::singleShot(std::chrono::seconds(call.afterSeconds), &window, [&window, call] {
        const bool saved = ui::renderWindow(window).save(call.screenshot);
        if (!saved)
            printError(QStringLiteral("cannot write %1").arg(call.screenshot));
        QApplication::exit(saved ? Fine : Failed);
    });
}

std::optional<WindowCall> readCall(const CommandLine &line)
{
    WindowCall call;
    call.screenshot = line.value(QStringLiteral("screenshot"));
    call.demo = line.has(QStringLiteral("demo"));
    call.view = line.value(QStringLiteral("view"));
    const auto after = line.number(QStringLiteral("after"), 0, 3'600);
    if (!after)
        return std::nullopt;
    call.afterSeconds = *after;
    return call;
}

// Whether the call itself is right; what is missing otherwise is shown in the window.
bool hasGoodSettings(const CommandLine &line)
{
    settings::Settings settings;
    std::vector<std::string> notices;
    return line.applySettings(settings, notices).has_value();
}

} // namespace

int windowCommand(const QStringList &arguments)
{
    CommandLine line(QString(), QStringLiteral("Window and proxy."));
    addWindowOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto call = readCall(line);
    if (!call)
        return WrongCall;

    const bool picture = call->isPicture();
    if (line.has(QStringLiteral("dark")))
        ui::applyAppearance(ui::Appearance::Dark);
    else
        ui::applyAppearance(picture ? ui::Appearance::Light : ui::Appearance::System);

    std::optional<QTemporaryDir> home; // neither touches the user's ledger or settings
    ProxyCall proxyCall;
    proxyCall.simulate = call->demo;
    if (call->demo || picture) {
        home.emplace();
        proxyCall.paths = store::Paths::below(home->path());
        proxyCall.listen = QStringLiteral("127.0.0.1:0");
    }
    if (picture && !call->demo)
        printError(QStringLiteral(
            "the picture shows a fresh proxy on a free port, without your settings file and "
            "ledger; add --demo for simulated traffic"));
    auto setup = setUpProxy(proxyCall, line);
    if (!setup && (call->demo || !hasGoodSettings(line))) {
        printError(setup.error());
        return WrongCall;
    }
    if (setup)
        printNotices(setup->options.notices);

    ui::MainWindow window;
    if (!window.showView(call->view)) {
        printError(QStringLiteral("--view takes live, heads, ledger, what-if or setup"));
        return WrongCall;
    }
    if (!home) // the demo and the pictures leave no trace
        window.setState(std::make_unique<ui::WindowState>(store::Paths::ofUser().configFolder()
                                                          + QStringLiteral("/window.ini")));
    WindowSession session(window, *call);
    QObject::connect(&window, &ui::MainWindow::quitRequested, &session, &WindowSession::quit);
    QApplication::setQuitOnLastWindowClosed(false);
    if (setup)
        session.start(*std::move(setup));
    else
        sayAndShow(window, setup.error());
    window.resize(1440, 900);
    // Off screen there is no window manager to tell the least size to, and Qt complains that.
    if (picture)
        window.layout()->setSizeConstraint(QLayout::SetNoConstraint);
    window.show(); // also for a picture: charts lay themselves out only when shown
    if (picture)
        drawLater(window, *call);
    return QApplication::exec();
}

} // namespace headway::app
