// SPDX-License-Identifier: GPL-3.0-or-later
// The program from outside: exit status, first line, signals, ledger (spec/cli.md).
#include "tests/support/httpcall.h"
#include "tests/support/program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTest>

#include <csignal>

using headway::tests::HttpCall;
using headway::tests::Program;

class CommandLineTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWrongCallEndsWithTwoAndSaysWhy_data();
    void aWrongCallEndsWithTwoAndSaysWhy();
    void helpGoesToStdoutAndEndsWithZero_data();
    void helpGoesToStdoutAndEndsWithZero();
    void helpNamesTheWindowsOptionsAndEveryCommand();
    void helpSaysWhatASettingMayBe_data();
    void helpSaysWhatASettingMayBe();
    void agentsSayThatNothingListens();
    void serveSaysWhereItListensOnItsFirstLine();
    void theSimulatedProviderHasLanesOnRequest();
    void serveDrainsOnSigterm();
    void aKilledProxyLeavesALedgerThatOpensClean();
    void twoProxiesOnOnePortAreToldApart();
    void settingsFromTheEnvironmentGiveOneNoticeEach();
    void aWrongSettingIsOneClearMessage_data();
    void aWrongSettingIsOneClearMessage();
    void anUpstreamWithoutACredentialIsWarnedOf_data();
    void anUpstreamWithoutACredentialIsWarnedOf();
    void envPrintsWhatClaudeNeeds();
};

namespace {

QByteArray messages()
{
    return R"({"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]})";
}

} // namespace

void CommandLineTest::aWrongCallEndsWithTwoAndSaysWhy_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("word");
    const auto row = [](const char *name, const QStringList &arguments, const char *word) {
        QTest::newRow(name) << arguments << QByteArray(word);
    };
    row("unknown command", {QStringLiteral("fly")}, "fly");
    row("unknown option", {QStringLiteral("serve"), QStringLiteral("--fly")}, "fly");
    row("no upstream", {QStringLiteral("serve")}, "upstream");
    row("upstream that is no URL",
        {QStringLiteral("serve"), QStringLiteral("--upstream"), QStringLiteral("nonsense")},
        "wss://HOST");
    row("plain text beyond this machine",
        {QStringLiteral("serve"), QStringLiteral("--upstream"),
         QStringLiteral("ws://example.org/v1/responses")},
        "example.org");
    row("unknown setting",
        {QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--set"),
         QStringLiteral("speed=1")},
        "speed");
    row("malformed setting",
        {QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--set"),
         QStringLiteral("burst=many")},
        "burst");
    row("address that is none",
        {QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--listen"),
         QStringLiteral("here")},
        "here");
    row("address of another machine",
        {QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--listen"),
         QStringLiteral("0.0.0.0:0")},
        "loopback");
    row("scenario that is not there",
        {QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--scenario"),
         QStringLiteral("missing.json")},
        "missing.json");
    row("lanes of a provider that is not simulated",
        {QStringLiteral("serve"), QStringLiteral("--lanes"), QStringLiteral("--upstream"),
         QStringLiteral("wss://example.org/v1/responses")},
        "--simulate");
    row("agents without a number",
        {QStringLiteral("agents"), QStringLiteral("--base-url"),
         QStringLiteral("http://127.0.0.1:1"), QStringLiteral("--count"), QStringLiteral("some")},
        "count");
    row("unknown client", {QStringLiteral("env"), QStringLiteral("emacs")}, "claude");
    row("unknown record kind",
        {QStringLiteral("ledger"), QStringLiteral("export"), QStringLiteral("--kind"),
         QStringLiteral("gossip")},
        "gossip");
}

void CommandLineTest::aWrongCallEndsWithTwoAndSaysWhy()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, word);
    Program program(arguments);
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains(word), program.errors().constData());
    QCOMPARE(program.output(), QByteArray());
}

void CommandLineTest::helpGoesToStdoutAndEndsWithZero_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("program") << QStringList{QStringLiteral("--help")};
    for (const char *command :
         {"serve", "simulate", "agents", "lab", "ledger", "env", "doctor", "version"})
    {
        QTest::newRow(command) << QStringList{QString::fromLatin1(command),
                                              QStringLiteral("--help")};
    }
}

void CommandLineTest::helpGoesToStdoutAndEndsWithZero()
{
    QFETCH(const QStringList, arguments);
    Program program(arguments);
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(!program.output().isEmpty());
    QCOMPARE(program.errors(), QByteArray());
}

void CommandLineTest::helpNamesTheWindowsOptionsAndEveryCommand()
{
    Program program({QStringLiteral("--demo"), QStringLiteral("--help")});
    QCOMPARE(program.waitForEnd(), 0);
    const QByteArray help = program.output();
    QVERIFY2(help.startsWith("Usage: headway [options]\n"), help.constData());
    // spec/cli.md, first row of the table, in every build.
    for (const char *option : {"--demo", "--screenshot", "--view", "--after", "--dark", "--set"})
        QVERIFY2(help.contains(QByteArray("\n  ").append(option)), option);
    for (const char *place : {"live", "heads", "ledger", "setup"})
        QVERIFY2(help.contains(place), place);
    for (const char *command :
         {"serve", "simulate", "agents", "ledger", "env", "doctor", "version"})
        QVERIFY2(help.contains(QByteArray("\n  ").append(command).append(' ')), command);
}

void CommandLineTest::helpSaysWhatASettingMayBe_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("program") << QStringList{};
    for (const char *command : {"serve", "env", "doctor"})
        QTest::newRow(command) << QStringList{QString::fromLatin1(command)};
}

void CommandLineTest::helpSaysWhatASettingMayBe()
{
    QFETCH(QStringList, arguments);
    Program program(arguments << QStringLiteral("--help"));
    QCOMPARE(program.waitForEnd(), 0);
    const QByteArray help = program.output().simplified();
    for (const char *line :
         {"rate_per_min 60 (0 to 600 per minute) ", "rate_pinned false (true or false) ",
          "log_level info (debug, info, warning or error) ", "listen* 127.0.0.1:17421 "})
        QVERIFY2(help.contains(line), line);
}

void CommandLineTest::agentsSayThatNothingListens()
{
    QTcpServer gone;
    QVERIFY(gone.listen(QHostAddress(QHostAddress::LocalHost), 0));
    const QString url = QStringLiteral("http://127.0.0.1:%1").arg(gone.serverPort());
    gone.close();
    Program agents({QStringLiteral("agents"), QStringLiteral("--base-url"),
                    url + QStringLiteral("/k/SECRET"), QStringLiteral("--json")});
    QCOMPARE(agents.waitForEnd(), 1);
    QCOMPARE(agents.output(), QByteArray());
    QVERIFY2(agents.errors().contains(QByteArray("nothing listens at ").append(url.toLatin1())),
             agents.errors().constData());
    QVERIFY(!agents.errors().contains("SECRET"));
}

void CommandLineTest::serveSaysWhereItListensOnItsFirstLine()
{
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    const QJsonObject line = QJsonDocument::fromJson(serve.firstLine()).object();
    QVERIFY(line.value(QStringLiteral("listening"))
                .toString()
                .startsWith(QStringLiteral("http://127.0.0.1:")));
    QCOMPARE(line.value(QStringLiteral("pid")).toInteger(), serve.pid());
    HttpCall health(serve.port(), "GET", "/healthz", {}, {});
    QTRY_VERIFY(health.isComplete());
    QCOMPARE(health.status(), 200);
}

void CommandLineTest::theSimulatedProviderHasLanesOnRequest()
{
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"), QStringLiteral("--lanes"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    HttpCall first(serve.port(), "POST", "/v1/messages", {}, messages());
    QTRY_VERIFY(first.body().contains("text_delta"));
    HttpCall second(serve.port(), "POST", "/v1/messages", {}, messages());
    QTRY_VERIFY(second.body().contains("text_delta"));
    QTRY_VERIFY_WITH_TIMEOUT(serve.exported().contains("\"place\":\"lane\""), 10'000);
}

void CommandLineTest::serveDrainsOnSigterm()
{
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    HttpCall turn(serve.port(), "POST", "/v1/messages", {}, messages());
    QTRY_VERIFY(turn.body().contains("text_delta"));
    serve.send(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(turn.isComplete(), 20'000); // the turn in flight ends well
    QCOMPARE(turn.events().last(), QByteArray("message_stop"));
    QCOMPARE(serve.waitForEnd(), 0);
}

void CommandLineTest::aKilledProxyLeavesALedgerThatOpensClean()
{
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    HttpCall turn(serve.port(), "POST", "/v1/messages", {}, messages());
    QTRY_VERIFY(turn.body().contains("text_delta"));
    QTRY_VERIFY_WITH_TIMEOUT(serve.exported().contains("turn_started"), 10'000);
    serve.send(SIGKILL);
    (void)serve.waitForEnd();
    QTRY_VERIFY(turn.isClosed());

    Program again({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")},
                  serve);
    (void)again.firstLine();
    QTRY_VERIFY_WITH_TIMEOUT(again.exported().contains("process_died"), 10'000);
    again.send(SIGTERM);
    QCOMPARE(again.waitForEnd(), 0);
    Program verify({QStringLiteral("ledger"), QStringLiteral("verify")}, serve);
    QCOMPARE(verify.waitForEnd(), 0);
    QVERIFY2(verify.output().contains("no disagreement"), verify.output().constData());
    QCOMPARE(verify.errors(), QByteArray());
}

void CommandLineTest::twoProxiesOnOnePortAreToldApart()
{
    Program first({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    const QString address = QStringLiteral("127.0.0.1:%1").arg(first.port());
    Program second({QStringLiteral("serve"), QStringLiteral("--simulate"),
                    QStringLiteral("--listen"), address});
    QCOMPARE(second.waitForEnd(), 1);
    QVERIFY2(second.errors().contains(QByteArray::number(first.port())),
             second.errors().constData());
}

void CommandLineTest::settingsFromTheEnvironmentGiveOneNoticeEach()
{
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")},
                  {{QStringLiteral("HEADWAY_BURST"), QStringLiteral("100000")},
                   {QStringLiteral("HEADWAY_RETRIES"), QStringLiteral("lots")},
                   {QStringLiteral("HEADWAY_RATE_PER_MIN"), QStringLiteral("-5")},
                   {QStringLiteral("HEADWAY_IDLE"), QStringLiteral("60000")}});
    (void)serve.firstLine();
    const QByteArray errors = serve.errors();
    QCOMPARE(errors.count("burst"), 1);
    QCOMPARE(errors.count("retries"), 1);
    QCOMPARE(errors.count("rate_per_min"), 1);
    QCOMPARE(errors.count("HEADWAY_IDLE (environment)"), 1);
    QCOMPARE(errors.count("Did you mean HEADWAY_IDLE_MS?"), 1);
}

void CommandLineTest::aWrongSettingIsOneClearMessage_data()
{
    QTest::addColumn<QString>("pair");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char *name, const char *pair, const char *message) {
        QTest::newRow(name) << QString::fromLatin1(pair)
                            << "headway: --set" + QByteArray(message) + '\n';
    };
    row("choice", "policy=fast", " policy: \"fast\" is not one of: off fixed bucket adaptive auto");
    row("number", "burst=many", " burst: \"many\" is not a whole decimal number");
    row("name", "ploicy=off", ": there is no setting \"ploicy\"; did you mean policy?");
    row("no value", "policy", " takes key=value, not \"policy\"");
}

void CommandLineTest::aWrongSettingIsOneClearMessage()
{
    QFETCH(const QString, pair);
    QFETCH(const QByteArray, message);
    for (const char *command : {"serve", "doctor", "env"}) {
        Program program({QString::fromLatin1(command), QStringLiteral("--set"), pair});
        QCOMPARE(program.waitForEnd(), 2);
        QCOMPARE(program.errors(), message);
        QCOMPARE(program.output(), QByteArray());
    }
}

void CommandLineTest::anUpstreamWithoutACredentialIsWarnedOf_data()
{
    QTest::addColumn<QString>("upstream");
    QTest::addColumn<QString>("upstreamKey");
    QTest::addColumn<QString>("openAiKey");
    QTest::addColumn<bool>("warned");
    const auto row = [](const char *name, const char *upstream, const char *upstreamKey,
                        const char *openAiKey, bool warned) {
        QTest::newRow(name) << QString::fromLatin1(upstream) << QString::fromLatin1(upstreamKey)
                            << QString::fromLatin1(openAiKey) << warned;
    };
    // spec/cli.md: OPENAI_API_KEY is used for api.openai.com only.
    row("none", "wss://api.openai.com/v1/responses", "", "", true);
    row("OpenAI's", "wss://api.openai.com/v1/responses", "", "sk-1", false);
    row("OpenAI's elsewhere", "wss://example.org/v1/responses", "", "sk-1", true);
    row("its own", "wss://example.org/v1/responses", "key", "", false);
    row("none needed here", "ws://127.0.0.1:9/v1/responses", "", "", false);
}

void CommandLineTest::anUpstreamWithoutACredentialIsWarnedOf()
{
    QFETCH(const QString, upstream);
    QFETCH(const QString, upstreamKey);
    QFETCH(const QString, openAiKey);
    QFETCH(const bool, warned);
    Program::Environment environment{{QStringLiteral("OPENAI_API_KEY"), openAiKey}};
    if (!upstreamKey.isEmpty())
        environment.append({QStringLiteral("HEADWAY_UPSTREAM_KEY"), upstreamKey});
    Program serve({QStringLiteral("serve"), QStringLiteral("--listen"),
                   QStringLiteral("127.0.0.1:0"), QStringLiteral("--upstream"), upstream},
                  environment);
    QVERIFY(!serve.firstLine().isEmpty());
    const QByteArray errors = serve.errors();
    QCOMPARE(errors.count("there is no credential for "), warned ? 1 : 0);
    QCOMPARE(errors.count("HEADWAY_UPSTREAM_KEY"), warned ? 1 : 0);
}

void CommandLineTest::envPrintsWhatClaudeNeeds()
{
    Program env({QStringLiteral("env"), QStringLiteral("claude"), QStringLiteral("--redact"),
                 QStringLiteral("--set"), QStringLiteral("models=gpt-5.5,gpt-5.5-mini")});
    QCOMPARE(env.waitForEnd(), 0);
    QVERIFY(env.output().contains("ANTHROPIC_BASE_URL=http://127.0.0.1:17421/k/ACCESS_KEY"));
    QVERIFY(env.output().contains("ANTHROPIC_MODEL=gpt-5.5\n"));
    QVERIFY(env.output().contains("ANTHROPIC_DEFAULT_HAIKU_MODEL=gpt-5.5-mini"));
}

QTEST_GUILESS_MAIN(CommandLineTest)
#include "tst_commandline.moc"
