// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientsetup.h"
#include "app/commandline.h"
#include "app/commands.h"
#include "app/demoagents.h"
#include "app/exporter.h"
#include "app/lab.h"
#include "app/picture.h"
#include "app/proxysetup.h"
#include "app/proxythread.h"
#include "app/simulatedprovider.h"
#include "app/windowoptions.h"
#include "proxy/net/clock.h"
#include "proxy/store/paths.h"
#include "ui/models/windowstate.h"
#include "ui/views/mainwindow.h"
#include "ui/views/trayicon.h"

#include <QApplication>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <utility>

namespace headway::app {

namespace {

constexpr int drainMs = 30'000;

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
    WindowSession(ui::MainWindow &window, bool isDemo, bool isPicture)
        : m_window(window)
        , m_isDemo(isDemo)
        , m_isPicture(isPicture)
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
                    if (m_isDemo)
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
        if (!m_isPicture && ui::TrayIcon::isPossible())
            showInTray();
        m_proxy->start();
    }

    // Lets turns end before the program does; the demo's agents need no such care.
    void quit()
    {
        if (!m_proxy || m_isDemo) {
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
    bool m_isDemo;
    bool m_isPicture;
    std::unique_ptr<SimulatedProvider> m_provider;
    std::unique_ptr<ProxyThread> m_proxy;
    std::unique_ptr<Exporter> m_exporter;
    std::unique_ptr<ui::TrayIcon> m_tray;
    DemoAgents m_agents;
};

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
    const auto picture = readPicture(line);
    if (!picture)
        return WrongCall;
    const bool isDemo = line.has(QStringLiteral("demo"));
    dress(line, *picture);

    std::optional<QTemporaryDir> home; // neither touches the user's ledger or settings
    ProxyCall proxyCall;
    proxyCall.simulate = isDemo;
    proxyCall.lanes = line.has(QStringLiteral("lanes"));
    if (proxyCall.lanes && !isDemo) {
        printError(QStringLiteral("--lanes goes with --demo"));
        return WrongCall;
    }
    if (isDemo || picture->isWanted()) {
        home.emplace();
        proxyCall.paths = store::Paths::below(home->path());
        proxyCall.listen = QStringLiteral("127.0.0.1:0");
    }
    if (picture->isWanted() && !isDemo)
        printError(QStringLiteral(
            "the picture shows a fresh proxy on a free port, without your settings file and "
            "ledger; add --demo for simulated traffic"));
    auto setup = setUpProxy(proxyCall, line);
    if (!setup && (isDemo || !hasGoodSettings(line))) {
        printError(setup.error());
        return WrongCall;
    }
    if (setup)
        printNotices(setup->options.notices);

    ui::MainWindow window;
    if (!home) // the demo and the pictures leave no trace
        window.setState(std::make_unique<ui::WindowState>(store::Paths::ofUser().configFolder()
                                                          + QStringLiteral("/window.ini")));
    WindowSession session(window, isDemo, picture->isWanted());
    QObject::connect(&window, &ui::MainWindow::quitRequested, &session, &WindowSession::quit);
    QApplication::setQuitOnLastWindowClosed(false);
    if (!open(window, *picture))
        return WrongCall;
    if (setup)
        session.start(*std::move(setup));
    else
        sayAndShow(window, setup.error());
    return QApplication::exec();
}

} // namespace headway::app
