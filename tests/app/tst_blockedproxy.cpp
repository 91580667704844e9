// SPDX-License-Identifier: GPL-3.0-or-later
// The window while its proxy's thread is stuck: it answers, and says so (spec/window.md: "never
// blocks on the proxy"). And while nothing is wrong, the window asks the provider for nothing
// (cases B82).
#include "app/proxythread.h"
#include "ui/panels/troublebar.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"

#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <memory>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace headway;
using app::ProxyThread;
using ui::MainWindow;
using ui::ProxyCommands;

namespace {

std::array<int, 2> gate{}; // a pipe: whoever reads it waits until something is written

// Runs on the thread that the signal was sent to, which stands still until the gate opens.
void waitAtTheGate(int /*signal*/)
{
    char byte = 0;
    while (::read(gate[0], &byte, 1) < 0) {
    }
}

// The thread of this process with that name; 0: none.
pid_t threadNamed(const QByteArray &name)
{
    const QDir tasks(QStringLiteral("/proc/self/task"));
    for (const QString &task : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile comm(tasks.filePath(task + QStringLiteral("/comm")));
        if (comm.open(QIODevice::ReadOnly) && comm.readAll().trimmed() == name)
            return static_cast<pid_t>(task.toInt());
    }
    return 0;
}

} // namespace

class BlockedProxyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void theWindowAnswersWhileTheProxyIsStuck();
    void lookingAtEveryPlaceAsksTheProviderForNothing();

private:
    void block();
    void release();
    [[nodiscard]] engine::EngineOptions options() const;
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QString::fromLatin1(name));
    }

    QTemporaryDir m_folder;
    std::unique_ptr<QTcpServer> m_provider; // whoever connects is noticed
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<ProxyThread> m_proxy;
    std::optional<quint16> m_port;
    bool m_isBlocked = false;
};

void BlockedProxyTest::initTestCase()
{
    QVERIFY(::pipe(gate.data()) == 0);
    struct sigaction action = {};
    action.sa_handler = waitAtTheGate;
    QVERIFY(::sigaction(SIGUSR1, &action, nullptr) == 0);
}

engine::EngineOptions BlockedProxyTest::options() const
{
    engine::EngineOptions options;
    const QString url
        = QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(m_provider->serverPort());
    options.endpoint = net::parseEndpoint(url.toStdString()).value();
    options.port = 0;
    options.anyModel = true;
    options.controlKey = "control-key-of-the-test";
    options.ledgerPath = m_folder.filePath(QStringLiteral("ledger.sqlite"));
    options.installKeyPath = m_folder.filePath(QStringLiteral("install.key"));
    return options;
}

void BlockedProxyTest::init()
{
    m_provider = std::make_unique<QTcpServer>();
    QVERIFY(m_provider->listen(QHostAddress(QHostAddress::LocalHost), 0));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_proxy = std::make_unique<ProxyThread>(options());
    connect(m_proxy.get(), &ProxyThread::snapshotReady, m_window.get(), &MainWindow::apply);
    connect(m_proxy.get(), &ProxyThread::started, this, [this](quint16 at) { m_port = at; });
    connect(m_window->commands(), &ProxyCommands::settingEdited, m_proxy.get(),
            &ProxyThread::changeSetting);
    m_proxy->start();
    QTRY_VERIFY(m_port && m_window->snapshotsApplied() > 2);
}

void BlockedProxyTest::cleanup()
{
    release();
    m_proxy.reset();
    m_window.reset();
    m_provider.reset();
    m_port.reset();
}

void BlockedProxyTest::block()
{
    const pid_t thread = threadNamed("proxy");
    QVERIFY(thread != 0 && thread != ::gettid());
    QVERIFY(::syscall(SYS_tgkill, ::getpid(), thread, SIGUSR1) == 0);
    m_isBlocked = true;
    // What had left it before has arrived when no snapshot came for as long as three of them.
    QElapsedTimer still;
    std::uint64_t seen = 0;
    QTRY_VERIFY([&] {
        if (seen != m_window->snapshotsApplied() || !still.isValid()) {
            seen = m_window->snapshotsApplied();
            still.start();
        }
        return still.hasExpired(300);
    }());
}

void BlockedProxyTest::release()
{
    if (!std::exchange(m_isBlocked, false))
        return;
    const char byte = 0;
    QVERIFY(::write(gate[1], &byte, 1) == 1);
}

void BlockedProxyTest::theWindowAnswersWhileTheProxyIsStuck()
{
    block();
    QElapsedTimer clock;
    clock.start();
    for (const auto view :
         {MainWindow::View::Heads, MainWindow::View::Ledger, MainWindow::View::WhatIf,
          MainWindow::View::Setup, MainWindow::View::Live})
    {
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(view)),
                        Qt::ControlModifier);
        QCOMPARE(m_window->currentView(), view);
    }
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(child<QLineEdit>("turn_filter"), QStringLiteral("agent"));
    QCOMPARE(child<QLineEdit>("turn_filter")->text(), QStringLiteral("agent"));
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    QVERIFY(m_window->findChild<QDialog *>(QStringLiteral("shortcuts"))->isVisible());
    // Far less than the proxy is stuck for: nothing above waited for it.
    QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
    const auto *bar = m_window->findChild<ui::TroubleBar *>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 10'000);
    QCOMPARE(bar->troubles()[0].kind, ui::Trouble::Kind::Silent);
    release();
    QTRY_VERIFY_WITH_TIMEOUT(!bar->isVisible(), 10'000);
}

// The figures come from the traffic; there is none.
void BlockedProxyTest::lookingAtEveryPlaceAsksTheProviderForNothing()
{
    const QSignalSpy asked(m_provider.get(), &QTcpServer::newConnection);
    const std::uint64_t from = m_window->snapshotsApplied();
    for (const auto view :
         {MainWindow::View::Live, MainWindow::View::Heads, MainWindow::View::Ledger,
          MainWindow::View::WhatIf, MainWindow::View::Setup})
    {
        m_window->showView(view);
        const std::uint64_t now = m_window->snapshotsApplied();
        QTRY_VERIFY(m_window->snapshotsApplied() >= now + 5);
    }
    QVERIFY(m_window->snapshotsApplied() >= from + 25);
    QCOMPARE(asked.count(), 0);
    QVERIFY(!m_provider->hasPendingConnections());
}

QTEST_MAIN(BlockedProxyTest)
#include "tst_blockedproxy.moc"
