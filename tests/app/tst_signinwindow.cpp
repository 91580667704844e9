// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a proxy for the ChatGPT plan, with a stand-in for the sign-in server: that there is
// no sign-in is said from the start, and one is made with the window's own buttons.
#include "app/proxythread.h"
#include "app/signinrunner.h"
#include "app/simulatedprovider.h"
#include "app/windowsession.h"
#include "tests/support/planstandin.h"
#include "ui/panels/troublebar.h"
#include "ui/views/mainwindow.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace headway;
using Kind = ui::Trouble::Kind;
using tests::PlanStandIn;

class SignInWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aMissingSignInIsSaidFromTheStartAndMadeFromTheBanner();
    void aSignInBeyondRenewalIsSaidFromTheStartAndMadeFromSetup();
    void aSignInThatIsGivenUpChangesNothing();

private:
    void start()
    {
        app::WindowCall call;
        call.isPicture = true; // no tray
        m_session = std::make_unique<app::WindowSession>(*m_window, call);
        app::ProxySetup setup;
        engine::EngineOptions &options = setup.options;
        options.endpoint = net::parseEndpoint(m_server->responsesUrl().toStdString()).value();
        options.endpoint.name = "chatgpt";
        options.plan.emplace();
        options.plan->issuer = m_server->issuer().toStdString();
        options.plan->server = net::parseEndpoint(options.plan->issuer).value();
        options.plan->storePath = m_folder->filePath(QStringLiteral("chatgpt.json"));
        options.plan->useKeychain = false;
        options.port = 0;
        options.controlKey = "control-key-of-the-test";
        options.ledgerPath = m_folder->filePath(QStringLiteral("ledger.sqlite"));
        options.installKeyPath = m_folder->filePath(QStringLiteral("install.key"));
        m_session->start(std::move(setup));
    }
    [[nodiscard]] bool isNotSignedIn() const
    {
        const auto &all = m_window->findChild<ui::TroubleBar *>()->troubles();
        return !all.empty() && all[0].kind == Kind::NotSignedIn;
    }
    template <typename T>
    [[nodiscard]] T *child(const QString &name) const
    {
        return m_window->findChild<T *>(name);
    }
    [[nodiscard]] QPushButton *banner() const
    {
        return child<QPushButton>(
            QStringLiteral("remedy_%1").arg(static_cast<int>(Kind::NotSignedIn)));
    }
    [[nodiscard]] QString credential() const
    {
        return child<QLabel>(QStringLiteral("credential"))->text();
    }
    [[nodiscard]] bool hasCode() const
    {
        const auto *code = child<QLabel>(QStringLiteral("sign_in_code"));
        return code != nullptr && code->isVisible() && code->text() == QLatin1String("ABCD-EFGH");
    }
    void expectSignedIn()
    {
        QTRY_VERIFY_WITH_TIMEOUT(!isNotSignedIn(), 10'000);
        QVERIFY(!child<QWidget>(QStringLiteral("sign_in_dialog"))->isVisible());
        QCOMPARE(credential(),
                 QStringLiteral("Signed in to the ChatGPT plan as %1 (pro).")
                     .arg(QLatin1String(PlanStandIn::email)));
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("chatgpt.json"))));
        QCOMPARE(m_server->doors(), 0); // no turn was needed for it
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PlanStandIn> m_server;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::WindowSession> m_session;
};

void SignInWindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_server = std::make_unique<PlanStandIn>();
    m_window = std::make_unique<ui::MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void SignInWindowTest::cleanup()
{
    m_session.reset();
    m_window.reset();
}

void SignInWindowTest::aMissingSignInIsSaidFromTheStartAndMadeFromTheBanner()
{
    m_server->pendingPolls = 1; // the person takes a while
    start();
    QTRY_VERIFY(isNotSignedIn());
    QCOMPARE(m_window->newest()->totals.turnsStarted, std::uint64_t(0));
    QVERIFY2(credential().startsWith(QLatin1String("Not signed in.")), qPrintable(credential()));
    QVERIFY(banner() && banner()->isVisible());
    QTest::mouseClick(banner(), Qt::LeftButton);
    QTRY_VERIFY(hasCode());
    expectSignedIn();
}

void SignInWindowTest::aSignInBeyondRenewalIsSaidFromTheStartAndMadeFromSetup()
{
    QFile file(m_folder->filePath(QStringLiteral("chatgpt.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(m_server->signIn(-60));
    file.close();
    m_server->refusal = 400;
    m_server->refusalBody = R"({"error":{"code":"refresh_token_expired"}})";
    start();
    QTRY_VERIFY(isNotSignedIn());
    m_window->showView(ui::MainWindow::View::Setup);
    auto *button = child<QPushButton>(QStringLiteral("sign_in"));
    QVERIFY(button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Sign in…"));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QTRY_VERIFY(hasCode());
    expectSignedIn();
    QCOMPARE(button->text(), QStringLiteral("Sign in again…"));
}

void SignInWindowTest::aSignInThatIsGivenUpChangesNothing()
{
    m_server->pendingPolls = 1'000;
    start();
    QTRY_VERIFY(isNotSignedIn());
    QTest::mouseClick(banner(), Qt::LeftButton);
    QTRY_VERIFY(hasCode());
    QTRY_VERIFY(m_server->polls() > 0);
    QTest::keyClick(child<QWidget>(QStringLiteral("sign_in_dialog")), Qt::Key_Escape);
    const int polls = m_server->polls();
    const auto applied = m_window->snapshotsApplied();
    QTRY_VERIFY(m_window->snapshotsApplied() > applied + 15); // longer than between two polls
    QCOMPARE(m_server->polls(), polls);
    QVERIFY(isNotSignedIn());
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("chatgpt.json"))));
}

QTEST_MAIN(SignInWindowTest)
#include "tst_signinwindow.moc"
