// SPDX-License-Identifier: GPL-3.0-or-later
// The plan's sign-in from outside: case B96 with two real processes, login, logout, doctor, and a
// marker secret that is searched for in everything they leave (spec/safety.md).
#include "proxy/simulator/provider.h"
#include "tests/support/httpcall.h"
#include "tests/support/planstandin.h"
#include "tests/support/program.h"
#include "tests/support/proxyfixture.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <csignal>
#include <memory>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::PlanStandIn;
using tests::Program;

namespace {

simulator::Scenario plan()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    scenario.planEndpoint = true;
    return scenario;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class PlanSignInTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void twoProcessesRedeemOneTokenOnce();
    void signsInByDeviceCodeAndOutAgain();
    void neverTouchesWhatCodexStored();
    void leavesNoSecretAnywhere();
    void sendsThePlansSignInToNoOtherHost();
    void dumpsNoCore();

private:
    [[nodiscard]] QStringList serve() const
    {
        return {QStringLiteral("serve"),
                QStringLiteral("--listen"),
                QStringLiteral("127.0.0.1:0"),
                QStringLiteral("--upstream"),
                m_server->upstream(),
                QStringLiteral("--set"),
                QStringLiteral("access_key=accesskeyaccesskeyaccesskeyaccess")};
    }
    [[nodiscard]] QStringList plain(const QString &command, const QStringList &more = {}) const
    {
        return QStringList{command} + more
            + QStringList{QStringLiteral("--set"),
                          QStringLiteral("upstream=") + m_server->upstream()};
    }
    [[nodiscard]] static QString own(const Program &program)
    {
        return program.home() + QStringLiteral("/config/headway/chatgpt-standin.json");
    }
    static void put(const QString &path, const QByteArray &content);
    [[nodiscard]] static std::unique_ptr<HttpCall> post(quint16 port, const QByteArray &session);

    std::unique_ptr<simulator::Provider> m_provider;
    std::unique_ptr<PlanStandIn> m_server;
};

void PlanSignInTest::init()
{
    m_provider = std::make_unique<simulator::Provider>(plan());
    m_server = std::make_unique<PlanStandIn>(
        m_provider->listen(QHostAddress(QHostAddress::LocalHost), 0).value());
}

void PlanSignInTest::put(const QString &path, const QByteArray &content)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

std::unique_ptr<HttpCall> PlanSignInTest::post(quint16 port, const QByteArray &session)
{
    return std::make_unique<HttpCall>(
        port, "POST", "/v1/messages",
        HttpCall::Headers{{"content-type", "application/json"},
                          {"x-headway-key", "accesskeyaccesskeyaccesskeyaccess"},
                          {"X-Claude-Code-Session-Id", session}},
        messagesBody({"hello"}));
}

void PlanSignInTest::twoProcessesRedeemOneTokenOnce()
{
    Program one(serve());
    Program other(serve(), one);
    const quint16 first = one.port();
    const quint16 second = other.port();
    QVERIFY(first != 0 && second != 0);
    put(own(one), m_server->signIn(-60));
    m_server->holding = true; // both are at it before it is answered
    const auto call = post(first, "s1");
    const auto sibling = post(second, "s2");
    QTRY_COMPARE_WITH_TIMEOUT(m_server->requests().size(), 1, 20'000);
    m_server->release();
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete() && sibling->isComplete(), 20'000);
    QCOMPARE(call->status(), 200);
    QCOMPARE(sibling->status(), 200);
    QCOMPARE(m_server->redeemed(), 1);
    QCOMPARE(m_server->reused(), 0);
    QVERIFY(contentOf(own(one)).contains("SECRETMARKERrefresh2"));
}

void PlanSignInTest::signsInByDeviceCodeAndOutAgain()
{
    m_server->pendingPolls = 1;
    Program login(plain(QStringLiteral("login"), {QStringLiteral("chatgpt")}));
    QTRY_VERIFY_WITH_TIMEOUT(login.errors().contains("signed in"), 20'000);
    QCOMPARE(login.waitForEnd(), 0);
    QVERIFY2(login.errors().contains("/codex/device") && login.errors().contains("ABCD-EFGH"),
             login.errors().constData());
    QVERIFY(!login.errors().contains(PlanStandIn::marker));
    QVERIFY(login.output().isEmpty());
    QCOMPARE(m_server->polls(), 2);
    QVERIFY(contentOf(own(login)).contains("SECRETMARKERrefresh1"));
    QCOMPARE(QFile::permissions(own(login)) & (QFile::ReadGroup | QFile::ReadOther),
             QFileDevice::Permissions());

    Program doctor(plain(QStringLiteral("doctor")), login);
    QTRY_VERIFY_WITH_TIMEOUT(doctor.output().contains("answers"), 20'000);
    (void)doctor.waitForEnd();
    QVERIFY2(doctor.output().contains("signed in to the ChatGPT plan"),
             doctor.output().constData());
    QVERIFY(!doctor.output().contains(PlanStandIn::marker));

    Program logout(plain(QStringLiteral("logout")), login);
    QCOMPARE(logout.waitForEnd(), 0);
    QVERIFY(!QFile::exists(own(login)));
    Program again(plain(QStringLiteral("doctor")), login);
    QCOMPARE(again.waitForEnd(), 1);
    QVERIFY2(again.output().contains("headway login chatgpt"), again.output().constData());
}

void PlanSignInTest::neverTouchesWhatCodexStored()
{
    Program proxy(serve());
    const quint16 port = proxy.port();
    const QString codex = proxy.home() + QStringLiteral("/codex/auth.json");
    const QByteArray before = m_server->codexSignIn(3600);
    put(codex, before);
    const auto call = post(port, "s1");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 20'000);
    QCOMPARE(call->status(), 200);
    Program logout(plain(QStringLiteral("logout")), proxy);
    QCOMPARE(logout.waitForEnd(), 0);
    QCOMPARE(contentOf(codex), before);
    QCOMPARE(m_server->redeemed() + m_server->reused(), 0);
}

void PlanSignInTest::leavesNoSecretAnywhere()
{
    Program proxy(serve()
                  + QStringList{QStringLiteral("--set"), QStringLiteral("log_level=debug")});
    const quint16 port = proxy.port();
    put(own(proxy), m_server->signIn(-60));
    const auto renewed = post(port, "s1");
    QTRY_VERIFY_WITH_TIMEOUT(renewed->isComplete(), 20'000);
    m_server->refusal = 400;
    m_server->refusalBody = R"({"error":"refresh_token_reused","message":"SECRETMARKERrefresh2"})";
    m_server->revokeAccess();
    const auto refused = post(port, "s2");
    QTRY_VERIFY_WITH_TIMEOUT(refused->isComplete(), 20'000);
    QCOMPARE(refused->status(), 401);
    const QString process = QStringLiteral("/proc/%1/").arg(proxy.pid());
    QByteArray all = renewed->body() + refused->body();
    all += contentOf(process + QStringLiteral("cmdline"));
    all += contentOf(process + QStringLiteral("environ"));
    proxy.send(SIGTERM);
    QCOMPARE(proxy.waitForEnd(), 0);
    all += proxy.output() + proxy.errors() + proxy.exported();
    QVERIFY(all.contains("req_")); // the export is there
    QVERIFY2(!all.contains(PlanStandIn::marker), all.constData());
    int files = 0;
    QDirIterator entries(proxy.home(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        ++files;
        QCOMPARE(contentOf(path).contains(PlanStandIn::marker), path == own(proxy));
    }
    QVERIFY(files >= 3);
}

void PlanSignInTest::sendsThePlansSignInToNoOtherHost()
{
    Program proxy({QStringLiteral("serve"), QStringLiteral("--listen"),
                   QStringLiteral("127.0.0.1:0"), QStringLiteral("--upstream"),
                   QStringLiteral("chatgpt=https://elsewhere.example/backend-api/x")});
    QCOMPARE(proxy.waitForEnd(), 2);
    QVERIFY2(proxy.errors().contains("elsewhere.example"), proxy.errors().constData());
}

void PlanSignInTest::dumpsNoCore()
{
    Program proxy({QStringLiteral("serve"), QStringLiteral("--listen"),
                   QStringLiteral("127.0.0.1:0"), QStringLiteral("--simulate")});
    QVERIFY(proxy.port() != 0);
    const QByteArray limits = contentOf(QStringLiteral("/proc/%1/limits").arg(proxy.pid()));
    for (const QByteArray &line : limits.split('\n')) {
        if (line.startsWith("Max core file size"))
            QCOMPARE(line.mid(18).simplified(), QByteArray("0 0 bytes"));
    }
    QVERIFY(limits.contains("Max core file size"));
}

QTEST_GUILESS_MAIN(PlanSignInTest)
#include "tst_plansignin.moc"
