// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"
#include "app/load.h"
#include "app/portowner.h"
#include "app/proxysetup.h"
#include "app/setuplines.h"
#include "ui/models/trouble.h"
#include "ui/models/upstreamchoice.h"

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::ui {
class MainWindow;
class TrayIcon;
} // namespace headway::ui

namespace headway::app {

class AgentThread;
class DoctorRunner;
class EvidenceReader;
class Exporter;
class LedgerAuditor;
class ProxyThread;
class SignInRunner;

// What the call of the program asks of a window.
struct WindowCall
{
    bool isDemo = false;
    bool isPicture = false;
    bool hasUpstream = true; // one is set, or none is needed
    Load load;
    QStringList settings; // of the command line, "key=value"
    // Reads everything again, to listen elsewhere.
    std::function<tl::expected<ProxySetup, QString>(const QString &listen)> setUp;
    // Keeps an upstream that a person chose; none where it cannot be chosen.
    std::function<tl::expected<void, QString>(const ui::UpstreamChoice &choice)> keepUpstream;
};

// The window with its proxy and, in the demo, its agents; everything that lives as long as it. What
// keeps the proxy from running is shown where everything else is: in the window.
class WindowSession final : public QObject
{
    Q_OBJECT

public:
    WindowSession(ui::MainWindow &window, const WindowCall &call);
    ~WindowSession() override;

    // Another proxy than before, if there was one.
    void start(tl::expected<ProxySetup, QString> setup);
    // Lets turns end before the program does; the demo's agents need no such care.
    void quit();

private:
    void connectProxy();
    void connectExporter();
    void offerDoctor();
    void offerUpstreams();
    void offerSignIn(const engine::PlanOptions &plan);
    void showInTray();
    void started(quint16 port);
    void failed(const QString &reason);
    void explain(const PortReport &report);
    void remedy(ui::Trouble::Kind kind);

    ui::MainWindow &m_window;
    WindowCall m_call;
    std::optional<QString> m_missing; // the credential, in words
    ListenAddress m_wanted;
    QString m_other; // a free address, when the wanted one is taken
    std::string m_controlKey;
    SetupLines m_lines;
    ClientSetupFacts m_facts;
    std::unique_ptr<SimulatedProvider> m_provider;
    std::unique_ptr<ProxyThread> m_proxy;
    std::unique_ptr<Exporter> m_exporter;
    std::unique_ptr<EvidenceReader> m_evidence;
    std::unique_ptr<LedgerAuditor> m_auditor;
    std::unique_ptr<ui::TrayIcon> m_tray;
    std::unique_ptr<DoctorRunner> m_doctor;
    std::unique_ptr<SignInRunner> m_signIn; // where the upstream is the plan
    std::unique_ptr<AgentThread> m_agents;
    std::unique_ptr<QThread> m_look; // at who has the port
};

} // namespace headway::app
