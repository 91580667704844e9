// SPDX-License-Identifier: GPL-3.0-or-later
// The window when its port is taken, on real sockets: it names who has it, and one click listens
// elsewhere (issue E, 3).
#include "app/proxythread.h"
#include "app/simulatedprovider.h"
#include "app/windowsession.h"
#include "ui/panels/troublebar.h"
#include "ui/views/mainwindow.h"

#include <QPushButton>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace headway;
using Kind = ui::Trouble::Kind;

class PortTakenTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theOwnerIsNamedAndAnotherPortIsOneClickAway();
    void withoutUpstreamNothingListensAndTheWindowSaysSo();

private:
    [[nodiscard]] app::ProxySetup setup(quint16 port) const
    {
        app::ProxySetup setup;
        setup.options.endpoint = net::parseEndpoint("ws://127.0.0.1:9/v1/responses").value();
        setup.options.port = port;
        setup.options.controlKey = "control-key-of-the-test";
        setup.options.ledgerPath = m_folder->filePath(QStringLiteral("ledger.sqlite"));
        setup.options.installKeyPath = m_folder->filePath(QStringLiteral("install.key"));
        return setup;
    }
    [[nodiscard]] const std::vector<ui::Trouble> &troubles() const
    {
        return m_window->findChild<ui::TroubleBar *>()->troubles();
    }
    void open()
    {
        app::WindowCall call;
        call.isPicture = true; // no tray
        call.setUp = [this](const QString &listen) -> tl::expected<app::ProxySetup, QString> {
            m_listen = listen;
            return setup(static_cast<quint16>(listen.section(u':', -1).toUInt()));
        };
        m_session = std::make_unique<app::WindowSession>(*m_window, call);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::WindowSession> m_session;
    QString m_listen; // as asked for by the click
};

void PortTakenTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = std::make_unique<ui::MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    open();
}

void PortTakenTest::cleanup()
{
    m_session.reset();
    m_window.reset();
}

void PortTakenTest::theOwnerIsNamedAndAnotherPortIsOneClickAway()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress(QHostAddress::LocalHost), 0));
    m_session->start(setup(other.serverPort()));
    QTRY_VERIFY(!troubles().empty() && troubles()[0].kind == Kind::PortTaken);
    const ui::Trouble trouble = troubles()[0];
    const QString pid = QStringLiteral("(pid %1)").arg(QCoreApplication::applicationPid());
    QVERIFY2(trouble.what.contains(pid), qPrintable(trouble.what));
    QVERIFY(trouble.what.contains(QString::number(other.serverPort())));
    auto *button = m_window->findChild<QPushButton *>(
        QStringLiteral("remedy_%1").arg(static_cast<int>(Kind::PortTaken)));
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(m_window->newest() && !m_window->newest()->listening.empty());
    QVERIFY(troubles().empty());
    QCOMPARE(QString::fromStdString(m_window->newest()->listening), m_listen);
    QTcpSocket client;
    client.connectToHost(QHostAddress(QHostAddress::LocalHost),
                         static_cast<quint16>(m_listen.section(u':', -1).toUInt()));
    QVERIFY(client.waitForConnected(5'000));
}

void PortTakenTest::withoutUpstreamNothingListensAndTheWindowSaysSo()
{
    app::WindowCall call;
    call.isPicture = true;
    call.hasUpstream = false;
    m_session = std::make_unique<app::WindowSession>(*m_window, call);
    m_session->start(tl::unexpected(QStringLiteral("no upstream is set for turns")));
    QCOMPARE(troubles().size(), std::size_t(1));
    QCOMPARE(troubles()[0].kind, Kind::NoUpstream);
    QVERIFY(m_window->newest()->listening.empty());
}

QTEST_MAIN(PortTakenTest)
#include "tst_porttaken.moc"
