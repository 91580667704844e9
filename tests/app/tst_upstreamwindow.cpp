// SPDX-License-Identifier: GPL-3.0-or-later
// The first run: no upstream is set, and one is chosen in Setup with the window's own widgets. The
// settings file, read by an INI reader of its own, is the oracle, and that the proxy listens then.
#include "app/proxysetup.h"
#include "app/proxythread.h"
#include "app/simulatedprovider.h"
#include "app/upstreamchooser.h"
#include "app/windowsession.h"
#include "ui/panels/troublebar.h"
#include "ui/views/mainwindow.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace headway;
using Kind = ui::Trouble::Kind;

class UpstreamWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void anEndpointIsChosenAndHeadwayListens();
    void openAiIsKeptWithItsKey();
    void thePlanAsksForItsSignInNext();
    void aKeyOfBeforeGoesToNobodyElse();
    void whatIsNoUpstreamIsRefusedAndNothingWritten();
    void whatTheEnvironmentSaysIsNotWrittenOver();
    void aFolderThatCannotBeWrittenIsSaid();

private:
    void start()
    {
        m_line = std::make_unique<app::CommandLine>(QString(), QString());
        m_line->addSettings();
        QVERIFY(!m_line->parse({}));
        app::WindowCall call;
        call.isPicture = true; // no tray
        call.hasUpstream = false;
        call.setUp = [this](const QString &listen) {
            app::ProxyCall proxy;
            proxy.paths = paths();
            proxy.listen = listen.isEmpty() ? QStringLiteral("127.0.0.1:0") : listen;
            return app::setUpProxy(proxy, *m_line);
        };
        call.keepUpstream = [this](const ui::UpstreamChoice &choice) {
            return app::keepUpstream(choice, paths(), *m_line);
        };
        m_session = std::make_unique<app::WindowSession>(*m_window, call);
        m_session->start(call.setUp({}));
        QVERIFY(is(Kind::NoUpstream));
        QTest::mouseClick(m_window->findChild<QPushButton *>(
                              QStringLiteral("remedy_%1").arg(static_cast<int>(Kind::NoUpstream))),
                          Qt::LeftButton);
        QVERIFY(child<QComboBox>("upstream_kind")->isVisible());
    }
    [[nodiscard]] store::Paths paths() const { return store::Paths::below(m_folder->path()); }
    [[nodiscard]] bool is(Kind kind) const
    {
        const auto &all = m_window->findChild<ui::TroubleBar *>()->troubles();
        return !all.empty() && all[0].kind == kind;
    }
    template <typename T>
    [[nodiscard]] T *child(const char *name) const
    {
        return m_window->findChild<T *>(QLatin1String(name));
    }
    [[nodiscard]] bool listens() const
    {
        return m_window->newest() && !m_window->newest()->listening.empty();
    }
    [[nodiscard]] QString words() const { return child<QLabel>("upstream_words")->text(); }
    [[nodiscard]] QByteArray file() const
    {
        QFile settings(paths().settingsFile());
        return settings.open(QIODevice::ReadOnly) ? settings.readAll() : QByteArray();
    }
    void choose(int kind, const QString &url, const QString &key)
    {
        child<QComboBox>("upstream_kind")->setCurrentIndex(kind);
        if (!url.isEmpty())
            QTest::keyClicks(child<QLineEdit>("upstream_url"), url);
        if (!key.isEmpty())
            QTest::keyClicks(child<QLineEdit>("upstream_key"), key);
        QTest::mouseClick(child<QPushButton>("upstream_use"), Qt::LeftButton);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<app::CommandLine> m_line;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::WindowSession> m_session;
};

void UpstreamWindowTest::init()
{
    for (const char *name : {"HEADWAY_UPSTREAM", "HEADWAY_UPSTREAM_KEY", "OPENAI_API_KEY"})
        qunsetenv(name);
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = std::make_unique<ui::MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void UpstreamWindowTest::cleanup()
{
    m_session.reset();
    m_window.reset();
    qunsetenv("HEADWAY_UPSTREAM");
}

void UpstreamWindowTest::anEndpointIsChosenAndHeadwayListens()
{
    start();
    constexpr int endpoint = 2;
    QVERIFY(!child<QLineEdit>("upstream_url")->isVisible());
    child<QComboBox>("upstream_kind")->setCurrentIndex(endpoint);
    QVERIFY(!child<QPushButton>("upstream_use")->isEnabled()); // nothing is typed yet
    choose(endpoint, QStringLiteral("ws://127.0.0.1:9/v1/responses"), {});
    QTRY_VERIFY(listens());
    QVERIFY(!child<QComboBox>("upstream_kind")->isVisible());
    QVERIFY(!is(Kind::NoUpstream));
    QVERIFY2(file().contains("upstream=ws://127.0.0.1:9/v1/responses"), file().constData());
    QVERIFY(!file().contains("upstream_key"));
    constexpr QFileDevice::Permissions others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther;
    QVERIFY(!(QFileInfo(paths().settingsFile()).permissions() & others));
}

void UpstreamWindowTest::openAiIsKeptWithItsKey()
{
    start();
    child<QCheckBox>("upstream_anthropic")->setChecked(true);
    QCOMPARE(child<QLineEdit>("upstream_key")->echoMode(), QLineEdit::Password);
    choose(0, {}, QStringLiteral("sk-of-the-test"));
    QTRY_VERIFY(listens());
    QVERIFY2(file().contains("upstream_key=sk-of-the-test"), file().constData());
    QVERIFY(file().contains("upstream=\"openai,anthropic\"")
            || file().contains("upstream=openai,anthropic"));
    QVERIFY(!is(Kind::CredentialMissing));
}

void UpstreamWindowTest::thePlanAsksForItsSignInNext()
{
    start();
    constexpr int plan = 1;
    child<QComboBox>("upstream_kind")->setCurrentIndex(plan);
    QVERIFY(!child<QLineEdit>("upstream_key")->isVisible());
    QVERIFY2(words().contains(QLatin1String("sign-in comes next")), qPrintable(words()));
    qputenv("CODEX_HOME", m_folder->filePath(QStringLiteral("no-codex")).toLocal8Bit());
    choose(plan, {}, {});
    QTRY_VERIFY(listens());
    QVERIFY(file().contains("upstream=chatgpt"));
}

void UpstreamWindowTest::aKeyOfBeforeGoesToNobodyElse()
{
    QVERIFY(QDir().mkpath(QFileInfo(paths().settingsFile()).path()));
    QFile settings(paths().settingsFile());
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("upstream_key=sk-of-another\nburst=20\n");
    settings.close();
    start();
    choose(2, QStringLiteral("ws://127.0.0.1:9/v1/responses"), {});
    QTRY_VERIFY(listens());
    QVERIFY2(!file().contains("sk-of-another"), file().constData());
    QVERIFY(file().contains("burst=20"));
}

void UpstreamWindowTest::whatIsNoUpstreamIsRefusedAndNothingWritten()
{
    start();
    choose(2, QStringLiteral("ftp://somewhere"), QStringLiteral("key"));
    QVERIFY2(words().contains(QLatin1String("ftp")), qPrintable(words()));
    QVERIFY(!QFile::exists(paths().settingsFile()));
    QVERIFY(is(Kind::NoUpstream));
    QVERIFY(child<QComboBox>("upstream_kind")->isVisible());
}

void UpstreamWindowTest::whatTheEnvironmentSaysIsNotWrittenOver()
{
    start();
    qputenv("HEADWAY_UPSTREAM", "anthropic");
    choose(0, {}, {});
    QVERIFY2(words().contains(QLatin1String("HEADWAY_UPSTREAM was set when")), qPrintable(words()));
    QVERIFY(!QFile::exists(paths().settingsFile()));
}

void UpstreamWindowTest::aFolderThatCannotBeWrittenIsSaid()
{
    start();
    const QString settings = paths().settingsFile();
    QVERIFY(QDir().mkpath(settings)); // a folder stands where the file is to be
    choose(0, {}, {});
    QVERIFY2(words().contains(settings), qPrintable(words()));
    QVERIFY(is(Kind::NoUpstream));
}

QTEST_MAIN(UpstreamWindowTest)
#include "tst_upstreamwindow.moc"
