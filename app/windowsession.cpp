// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowsession.h"

#include "app/agentthread.h"
#include "app/commandline.h"
#include "app/commandlink.h"
#include "app/doctorrunner.h"
#include "app/evidencereader.h"
#include "app/exporter.h"
#include "app/lab.h"
#include "app/ledgerauditor.h"
#include "app/ledgerfile.h"
#include "app/portowner.h"
#include "app/proxythread.h"
#include "app/signinrunner.h"
#include "app/simulatedprovider.h"
#include "proxy/net/clock.h"
#include "ui/panels/doctorcard.h"
#include "ui/panels/upstreamcard.h"
#include "ui/views/evidencedesk.h"
#include "ui/views/exportdesk.h"
#include "ui/views/ledgerview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/setupview.h"
#include "ui/views/signindesk.h"
#include "ui/views/trayicon.h"
#include "ui/views/whatifview.h"

#include <QApplication>
#include <QProcess>

#include <utility>

namespace headway::app {

namespace {

constexpr int drainMs = 30'000;

// Nothing listens, and the strip says so.
void showStopped(ui::MainWindow &window)
{
    auto snapshot = std::make_shared<live::Snapshot>();
    snapshot->at = net::readClock().wall;
    snapshot->upstreamState = "not running";
    window.apply(snapshot);
}

} // namespace

WindowSession::WindowSession(ui::MainWindow &window, const WindowCall &call)
    : m_window(window)
    , m_call(call)
    , m_lines(window, !call.isDemo && !call.isPicture)
{
    connect(&window, &ui::MainWindow::quitRequested, this, &WindowSession::quit);
    connect(&window, &ui::MainWindow::remedyRequested, this, &WindowSession::remedy);
    offerDoctor();
    offerUpstreams();
}

WindowSession::~WindowSession()
{
    if (m_look)
        m_look->wait();
}

void WindowSession::start(tl::expected<ProxySetup, QString> setup)
{
    if (!setup) {
        printError(setup.error());
        showStopped(m_window);
        m_window.setTrouble(m_call.hasUpstream
                                ? ui::notStarted(setup.error())
                                : ui::noUpstream(tr("no upstream is set for turns")));
        return;
    }
    engine::EngineOptions &options = setup->options;
    m_missing = options.plan ? std::nullopt : missingCredential(options.endpoint);
    if (options.plan)
        offerSignIn(*options.plan);
    m_wanted = {options.address, options.port};
    m_controlKey = options.controlKey;
    m_facts.accessKey = QString::fromStdString(options.accessKey);
    m_facts.passThrough = options.anthropic.has_value();
    m_facts.sockets = options.settings.flag(settings::Key::ClientSockets);
    m_facts.models.clear();
    for (const std::string &model : options.models) // an alias: its name
        m_facts.models << QString::fromStdString(model.substr(0, model.find('=')));
    m_provider = std::move(setup->provider);
    m_exporter = std::make_unique<Exporter>(options.ledgerPath);
    m_evidence = std::make_unique<EvidenceReader>(options.ledgerPath, options.ceilingPath);
    m_auditor = std::make_unique<LedgerAuditor>(options.ledgerPath);
    m_window.places()->ledger()->setSource(std::make_unique<LedgerFile>(options.ledgerPath));
    m_window.places()->whatIf()->setLedgerReader(
        [path = options.ledgerPath](base::Milliseconds back) {
            return arrivalsFromLedger(path, net::readClock().wall - back);
        });
    m_proxy = std::make_unique<ProxyThread>(std::move(options));
    m_proxy->setRecordLoad(m_call.load.recordsPerSecond);
    if (m_call.isDemo)
        m_agents = std::make_unique<AgentThread>();
    connectProxy();
    connectExporter();
    if (!m_call.isPicture && ui::TrayIcon::isPossible())
        showInTray();
    m_proxy->start();
}

void WindowSession::quit()
{
    if (!m_proxy || m_call.isDemo) {
        QApplication::quit();
        return;
    }
    connect(m_proxy.get(), &ProxyThread::drained, this, [] { QApplication::quit(); });
    m_proxy->drain(drainMs);
}

void WindowSession::connectProxy()
{
    connect(m_proxy.get(), &ProxyThread::snapshotReady, &m_window, &ui::MainWindow::apply);
    connect(m_proxy.get(), &ProxyThread::failed, this, &WindowSession::failed);
    connect(m_proxy.get(), &ProxyThread::started, this, &WindowSession::started);
    connect(
        m_proxy.get(), &ProxyThread::settingRefused, &m_window,
        [this](const QString & /*key*/, const QString &reason) { m_window.showRefusal(reason); });
    connectCommands(m_window.commands(), m_proxy.get());
}

void WindowSession::connectExporter()
{
    const Exporter *const exporter = m_exporter.get();
    ui::ExportDesk *const exports = m_window.exportDesk();
    connect(exports, &ui::ExportDesk::requested, exporter, &Exporter::start);
    connect(exports, &ui::ExportDesk::cancelled, exporter, &Exporter::cancel);
    connect(exporter, &Exporter::progressed, exports, &ui::ExportDesk::showProgress);
    connect(exporter, &Exporter::finished, exports, &ui::ExportDesk::showResult);
    ui::EvidenceDesk *const evidence = m_window.evidenceDesk();
    connect(evidence, &ui::EvidenceDesk::requested, m_evidence.get(), &EvidenceReader::read);
    connect(m_evidence.get(), &EvidenceReader::answered, evidence, &ui::EvidenceDesk::show);
    connect(m_auditor.get(), &LedgerAuditor::audited, &m_window, &ui::MainWindow::showConservation);
}

// It looks at the user's settings, which the demo does not have.
void WindowSession::offerDoctor()
{
    ui::DoctorCard *const card = m_window.places()->setup()->doctor();
    if (m_call.isDemo || m_call.isPicture) {
        card->setUnavailable(
            m_call.isDemo ? tr("Not in the demo, which leaves your settings alone. Without it, "
                               "everything that Headway needs is looked at here.")
                          : tr("Not for a picture; in the window everything that Headway needs is "
                               "looked at here."));
        return;
    }
    m_doctor
        = std::make_unique<DoctorRunner>(QCoreApplication::applicationFilePath(), m_call.settings);
    connect(card, &ui::DoctorCard::requested, m_doctor.get(), &DoctorRunner::start);
    connect(m_doctor.get(), &DoctorRunner::moved, card, &ui::DoctorCard::show);
}

void WindowSession::offerUpstreams()
{
    if (!m_call.keepUpstream || m_call.hasUpstream)
        return;
    ui::UpstreamCard *const card = m_window.places()->setup()->upstream();
    card->offerChoice();
    connect(card, &ui::UpstreamCard::chosen, this, [this, card](const ui::UpstreamChoice &choice) {
        const auto kept = m_call.keepUpstream(choice);
        if (!kept) {
            card->showRefusal(kept.error());
            return;
        }
        card->withdrawChoice();
        m_call.hasUpstream = true;
        m_window.setTrouble(std::nullopt);
        start(m_call.setUp({}));
    });
}

// The proxy finds by itself what is stored.
void WindowSession::offerSignIn(const engine::PlanOptions &plan)
{
    m_signIn = std::make_unique<SignInRunner>(plan);
    ui::SignInDesk *const desk = m_window.signInDesk();
    connect(desk, &ui::SignInDesk::requested, m_signIn.get(), &SignInRunner::start);
    connect(desk, &ui::SignInDesk::cancelled, m_signIn.get(), &SignInRunner::cancel);
    connect(m_signIn.get(), &SignInRunner::moved, desk, &ui::SignInDesk::show);
}

// Makes "keep running in the background" real: there is a way back to the window.
void WindowSession::showInTray()
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

void WindowSession::started(quint16 port)
{
    m_facts.baseUrl = clientUrl({m_wanted.address, port});
    m_lines.show(m_facts);
    m_auditor->start();
    m_window.setTrouble(m_missing ? std::optional(ui::credentialMissing(*m_missing))
                                  : std::nullopt);
    if (m_call.isDemo)
        m_agents->start(port, m_call.load);
}

// Who has the port is looked up elsewhere: asking a running Headway takes up to seconds.
void WindowSession::failed(const QString &reason)
{
    printError(reason);
    showStopped(m_window);
    m_window.setTrouble(ui::notStarted(reason));
    if (m_look)
        m_look->wait(); // it has told all it had to tell
    m_look.reset(QThread::create([this, wanted = m_wanted, key = m_controlKey] {
        PortReport report = reportPort(wanted, key);
        QMetaObject::invokeMethod(this, [this, report = std::move(report)] { explain(report); });
    }));
    m_look->start();
}

void WindowSession::explain(const PortReport &report)
{
    if (report.isFree) // something else was wrong, or the owner has gone
        return;
    m_other = report.freeAddress;
    printError(report.text);
    m_window.setTrouble(report.isOurs ? ui::alreadyRunning(report.text)
                                      : ui::portTaken(report.owner, m_other));
}

void WindowSession::remedy(ui::Trouble::Kind kind)
{
    if (kind == ui::Trouble::Kind::PortTaken && !m_other.isEmpty()) {
        m_window.setTrouble(std::nullopt);
        start(m_call.setUp(m_other));
    } else if (kind == ui::Trouble::Kind::AlreadyRunning) {
        const QString address = QStringLiteral("ws://") + addressText(m_wanted);
        QProcess::startDetached(QCoreApplication::applicationFilePath(),
                                {QStringLiteral("attach"), address});
        QApplication::quit();
    }
}

} // namespace headway::app
