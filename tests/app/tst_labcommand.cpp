// SPDX-License-Identifier: GPL-3.0-or-later
// headway lab from outside (spec/lab.md): output, exit status, files.
#include "proxy/store/sqlconnection.h"
#include "tests/support/httpcall.h"
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>

using headway::tests::HttpCall;
using headway::tests::Program;

namespace {

const QByteArray smallScenario = R"({"name":"small","duration_s":60,
"provider":{"upgrade_limits":[{"kind":"sliding_window","max":3,"window_s":10,"block_s":5}]},
"workload":{"sessions":[{"agents":6,"turns":2}]}})";

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class LabCommandTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runPrintsOneObjectWithTheOracle();
    void runComparesPoliciesOverSeedsTheSameEachTime();
    void runTakesTheSettingsOfTheCallBeforeThoseOfTheFile();
    void runTracesEveryEvent();
    void runMakesOneTableOfSeveralScenarios();
    void replayPrintsALineForEachArrival();
    void replayReadsALedger();
    void replayRefusesADatabaseThatIsNoLedger();
    void nothingOfThisMachineCounts();
    void badInputEndsWithTwoAndNothingOnStdout_data();
    void badInputEndsWithTwoAndNothingOnStdout();

private:
    QString write(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return file.fileName();
    }

    QByteArray outputOf(const QStringList &arguments)
    {
        Program program(QStringList{QStringLiteral("lab")} + arguments);
        if (program.waitForEnd() != 0)
            qWarning("%s", program.errors().constData());
        return program.output();
    }

    QTemporaryDir m_folder;
};

void LabCommandTest::runPrintsOneObjectWithTheOracle()
{
    const QByteArray output = outputOf(
        {QStringLiteral("run"), write(QStringLiteral("s.json"), smallScenario),
         QStringLiteral("--json"), QStringLiteral("--set"), QStringLiteral("policy=bucket")});
    const QJsonObject result = QJsonDocument::fromJson(output).object();
    QCOMPARE(result.value(QStringLiteral("scenario")).toString(), QStringLiteral("small"));
    QCOMPARE(result.value(QStringLiteral("seeds")).toInt(), 1);
    const QJsonObject policies = result.value(QStringLiteral("policies")).toObject();
    QCOMPARE(policies.keys(), QStringList{QStringLiteral("bucket")}); // the setting
    const QStringList members = policies.value(QStringLiteral("bucket")).toObject().keys();
    QCOMPARE(members.size(), 17);
    QCOMPARE(result.value(QStringLiteral("oracle")).toObject().keys(), members);
    QCOMPARE(policies.value(QStringLiteral("bucket"))
                 .toObject()
                 .value(QStringLiteral("offered"))
                 .toInt(),
             12);
}

void LabCommandTest::runComparesPoliciesOverSeedsTheSameEachTime()
{
    const QStringList call{
        QStringLiteral("run"),      write(QStringLiteral("s.json"), smallScenario),
        QStringLiteral("--policy"), QStringLiteral("all"),
        QStringLiteral("--seeds"),  QStringLiteral("3"),
        QStringLiteral("--json")};
    const QByteArray first = outputOf(call);
    const QJsonObject result = QJsonDocument::fromJson(first).object();
    QCOMPARE(result.value(QStringLiteral("seeds")).toInt(), 3);
    QStringList policies = result.value(QStringLiteral("policies")).toObject().keys();
    policies.sort();
    QCOMPARE(
        policies,
        QStringList({QStringLiteral("adaptive"), QStringLiteral("auto"), QStringLiteral("bucket"),
                     QStringLiteral("fixed"), QStringLiteral("off")}));
    QCOMPARE(outputOf(call), first);
}

void LabCommandTest::runTakesTheSettingsOfTheCallBeforeThoseOfTheFile()
{
    QByteArray text = smallScenario;
    text.insert(text.size() - 1, R"(,"settings":{"policy":"off"})");
    const QString file = write(QStringLiteral("off.json"), text);
    QVERIFY(
        outputOf({QStringLiteral("run"), file, QStringLiteral("--json")}).contains("\"off\":{"));
    QVERIFY(outputOf({QStringLiteral("run"), file, QStringLiteral("--json"),
                      QStringLiteral("--set"), QStringLiteral("policy=bucket")})
                .contains("\"bucket\":{"));
    QVERIFY(outputOf({QStringLiteral("run"), file, QStringLiteral("--json"),
                      QStringLiteral("--set"), QStringLiteral("policy=bucket"),
                      QStringLiteral("--policy"), QStringLiteral("off")})
                .contains("\"off\":{"));
}

void LabCommandTest::runTracesEveryEvent()
{
    const QString trace = m_folder.filePath(QStringLiteral("trace.jsonl"));
    const QByteArray output
        = outputOf({QStringLiteral("run"), write(QStringLiteral("s.json"), smallScenario),
                    QStringLiteral("--trace"), trace});
    QVERIFY(output.startsWith("small, 1 seed\n"));
    const QByteArray lines = contentOf(trace);
    QCOMPARE(lines.count("\"policy\":\"oracle\",\"seed\":1,"), lines.count("\"oracle\""));
    QCOMPARE(lines.count("\"event\":\"completed\""), 24); // 12 turns, bucket and oracle
    for (const QByteArray &line : lines.trimmed().split('\n'))
        QVERIFY2(QJsonDocument::fromJson(line).isObject(), line.constData());
}

void LabCommandTest::runMakesOneTableOfSeveralScenarios()
{
    const QString file = write(QStringLiteral("s.json"), smallScenario);
    const QByteArray output
        = outputOf({QStringLiteral("run"), file, file, QStringLiteral("--markdown"),
                    QStringLiteral("--policy"), QStringLiteral("bucket")});
    QVERIFY(output.startsWith("| cost + 0.5 | bucket | oracle |\n|---|--:|--:|\n| small |"));
    QCOMPARE(output.count("\n| small |"), 2);
    QCOMPARE(output.count("| geometric mean |"), 1);
    QCOMPARE(output.count('\n'), 6);
}

void LabCommandTest::replayPrintsALineForEachArrival()
{
    const QString file
        = write(QStringLiteral("a.jsonl"), "{\"t_ms\":0}\n{\"t_ms\":0,\"session\":\"s\"}\n");
    QCOMPARE(outputOf({QStringLiteral("replay"), file, QStringLiteral("--set"),
                       QStringLiteral("burst=1"), QStringLiteral("--set"),
                       QStringLiteral("policy=bucket"), QStringLiteral("--json")}),
             QByteArray("{\"i\":0,\"outcome\":\"admitted\",\"at_ms\":0,\"wait_ms\":0,"
                        "\"required_ms\":0,\"retry_after_s\":0}\n"
                        "{\"i\":1,\"outcome\":\"admitted\",\"at_ms\":1000,\"wait_ms\":1000,"
                        "\"required_ms\":1000,\"retry_after_s\":0}\n"
                        "{\"summary\":{\"arrivals\":2,\"admitted\":2,\"waited\":1,\"refused\":0,"
                        "\"cancelled\":0,\"wait_p50_ms\":0,\"wait_p95_ms\":1000,"
                        "\"wait_max_ms\":1000,\"max_per_min\":2}}\n"));
}

void LabCommandTest::replayReadsALedger()
{
    const QString ledger = m_folder.filePath(QStringLiteral("ledger.sqlite"));
    Program serve({QStringLiteral("serve"), QStringLiteral("--simulate"),
                   QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                   QStringLiteral("--set"), QStringLiteral("ledger=%1").arg(ledger)});
    const quint16 port = serve.port();
    const auto body = [](const char *text) -> QByteArray {
        return R"({"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":")"
            + QByteArray(text) + R"("}]})";
    };
    HttpCall first(port, "POST", "/v1/messages", {}, body("one"));
    HttpCall second(port, "POST", "/v1/messages", {}, body("two"));
    QTRY_VERIFY_WITH_TIMEOUT(first.isComplete() && second.isComplete(), 30'000);
    serve.send(SIGTERM);
    QCOMPARE(serve.waitForEnd(), 0);

    const QByteArray output = outputOf({QStringLiteral("replay"), ledger});
    QVERIFY2(output.contains("{\"summary\":{\"arrivals\":2,\"admitted\":2,\"waited\":0,"),
             output.constData());
    QVERIFY(output.startsWith("{\"i\":0,\"outcome\":\"admitted\",\"at_ms\":0,"));
}

void LabCommandTest::replayRefusesADatabaseThatIsNoLedger()
{
    const QString path = m_folder.filePath(QStringLiteral("other.sqlite"));
    {
        using headway::store::SqlConnection;
        const auto other
            = SqlConnection::open(path, SqlConnection::Access::ReadWrite, std::chrono::seconds(5));
        QVERIFY(other && other->run(QStringLiteral("CREATE TABLE notes (text)")));
    }
    Program program({QStringLiteral("lab"), QStringLiteral("replay"), path});
    QCOMPARE(program.waitForEnd(), 2);
    QCOMPARE(program.output(), QByteArray());
    QVERIFY2(program.errors().contains("a database of another program"),
             program.errors().constData());
}

void LabCommandTest::nothingOfThisMachineCounts()
{
    const QString file = write(QStringLiteral("a.jsonl"), "{\"t_ms\":0}\n{\"t_ms\":0}\n");
    const Program::Environment environment{{QStringLiteral("HEADWAY_BURST"), QStringLiteral("1")}};
    Program replay({QStringLiteral("lab"), QStringLiteral("replay"), file, QStringLiteral("--set"),
                    QStringLiteral("policy=bucket")},
                   environment);
    QCOMPARE(replay.waitForEnd(), 0);
    QVERIFY(replay.output().contains("\"waited\":0"));
}

void LabCommandTest::badInputEndsWithTwoAndNothingOnStdout_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row
        = [](const char *name, const QStringList &arguments, const QByteArray &text,
             const QByteArray &error) { QTest::newRow(name) << arguments << text << error; };
    const QString run = QStringLiteral("run");
    const QString replay = QStringLiteral("replay");
    QByteArray wrong = smallScenario;
    wrong.replace("\"max\":3", "\"most\":3");
    row("scenario with an unknown key", {run}, wrong,
        "input:2: provider.upgrade_limits[0].most: there is no such key");
    row("arrivals out of order", {replay}, "{\"t_ms\":1}\n\n{\"t_ms\":0}\n", "input:3: t_ms: ");
    row("a file that is something else", {replay}, QByteArray("\x89PNG\r\n\x1a\n"), "input:1: ");
    row("a ledger that is none", {replay}, QByteArray("SQLite format 3\0 and then not", 30),
        "input");
    row("unknown policy", {run, QStringLiteral("--policy"), QStringLiteral("greedy")},
        smallScenario, "greedy");
    row("no seeds", {run, QStringLiteral("--seeds"), QStringLiteral("0")}, smallScenario, "seeds");
    row("unknown setting", {run, QStringLiteral("--set"), QStringLiteral("speed=1")}, smallScenario,
        "speed");
}

void LabCommandTest::badInputEndsWithTwoAndNothingOnStdout()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, error);
    const QString file = write(QStringLiteral("input"), text);
    Program program(QStringList{QStringLiteral("lab")} + arguments + QStringList{file});
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains(error), program.errors().constData());
    QCOMPARE(program.output(), QByteArray());
}

QTEST_GUILESS_MAIN(LabCommandTest)

#include "tst_labcommand.moc"
