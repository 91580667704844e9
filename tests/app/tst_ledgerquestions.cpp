// SPDX-License-Identifier: GPL-3.0-or-later
// `headway ledger evidence` and `headway ledger query` from outside.
#include "proxy/store/ceilingfile.h"
#include "proxy/store/ledgerdatabase.h"
#include "tests/support/program.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::Program;

class LedgerQuestionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void evidenceIsATableForAPerson();
    void evidenceIsOneObjectForAProgram();
    void evidenceCanBeAskedOfASpanAndAnotherRate();
    void evidenceIsJudgedByTheSettingWhenNoChangeIsRecorded();
    void evidenceRefusesWhatIsNoRate();
    void aQueryPrintsJsonLines();
    void aQueryPrintsCsvWithoutFormulas();
    void aQueryPrintsATableThatCannotActOnTheTerminal();
    void aQueryPrintsLongAnswersWhole_data();
    void aQueryPrintsLongAnswersWhole();
    void aQueryThatWritesIsAWrongCall_data();
    void aQueryThatWritesIsAWrongCall();
    void aQueryEndsAtItsTimeLimit();
    void aQueryTakesOneStatement();
    void theUsageNamesThemAll();

private:
    [[nodiscard]] QString at(const char *name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }
    [[nodiscard]] QStringList call(const char *what, const QStringList &more) const
    {
        return QStringList{QStringLiteral("ledger"), QString::fromLatin1(what),
                           QStringLiteral("--ledger"), at("ledger.sqlite")}
        + more;
    }
    [[nodiscard]] QByteArray answer(const char *format, const QString &statement) const
    {
        Program program(
            call("query", {QStringLiteral("--format"), QString::fromLatin1(format), statement}));
        if (program.waitForEnd() != 0)
            qFatal("%s", program.errors().constData());
        return program.output();
    }

    QTemporaryDir m_folder;
};

namespace {

constexpr base::WallTime start{std::chrono::seconds(1'772'395'200)}; // 2026-03-01T20:00:00Z

ledger::Record recordAt(base::Milliseconds offset, ledger::Body body)
{
    return {.at = start + offset, .turn = {}, .session = {}, .agent = {}, .body = std::move(body)};
}

ledger::Record connection(base::Milliseconds offset, const char *event)
{
    ledger::Connection body;
    body.event = event;
    if (body.event == "rejected")
        body.status = 429;
    return recordAt(offset, body);
}

QStringList evidenceOf(const QJsonObject &object)
{
    const QJsonObject perMinute = object.value(QLatin1String("openings_per_minute")).toObject();
    QStringList figures;
    for (const QJsonValue &value :
         {object.value(QLatin1String("openings")), object.value(QLatin1String("rejections")),
          object.value(QLatin1String("set_rate_per_min")), perMinute.value(QLatin1String("max"))})
        figures += QString::number(value.toDouble());
    figures
        += QString::number(object.value(QLatin1String("minutes_above_set_rate")).toArray().size());
    return figures;
}

} // namespace

void LedgerQuestionsTest::initTestCase()
{
    auto database = store::LedgerDatabase::open(at("ledger.sqlite"));
    QVERIFY(database.has_value());
    std::vector<ledger::Record> records;
    for (int i = 0; i < 70; ++i) // one minute with 70, the next with 4
        records.push_back(connection(i * 1ms, "opened"));
    for (int i = 0; i < 4; ++i)
        records.push_back(connection(60s + i * 1ms, "opened"));
    records.push_back(connection(61s, "rejected"));
    records.push_back(recordAt(0s, ledger::Warning{"=cmd()", "a,\"b\"\r\n\x1b[31mred"}));
    QVERIFY(database->write(records).has_value());
    store::CeilingFile ceilings(at("ceilings.json"));
    QVERIFY(ceilings.keep("account",
                          {.shape = pacing::CeilingShape::Window,
                           .perMinute = 68,
                           .confidence = 0.75,
                           .measuredAt = start}));
}

void LedgerQuestionsTest::evidenceIsATableForAPerson()
{
    Program program(call("evidence", {}));
    QCOMPARE(program.waitForEnd(), 0);
    QCOMPARE(program.errors(), QByteArray());
    const QByteArray text = program.output();
    for (const char *part : {"74 openings in 2 minutes: median 37, p90 70, p99 70, max 70\n",
                             "Set rate: 60 a minute now; no change of it is recorded",
                             "Minutes above the set rate: 1\n",
                             "2026-03-01T20:00Z  70 opened, 0 rejected; 60 a minute set\n",
                             "Rejections: 1, in 1 minute\n",
                             "2026-03-01T20:01Z  4 opened, 1 rejected (429: 1); 60 a minute set\n",
                             "about 68 openings in any minute, confidence 0.75"})
        QVERIFY2(text.contains(part), text.constData());
}

void LedgerQuestionsTest::evidenceIsOneObjectForAProgram()
{
    Program program(call("evidence", {QStringLiteral("--json")}));
    QCOMPARE(program.waitForEnd(), 0);
    QJsonParseError error{};
    const QJsonObject object = QJsonDocument::fromJson(program.output(), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(evidenceOf(object), QStringLiteral("74 1 60 70 1").split(u' '));
    const QJsonArray ceilings = object.value(QLatin1String("estimated_ceilings")).toArray();
    QCOMPARE(ceilings.size(), 1);
    QCOMPARE(ceilings.at(0).toObject().value(QLatin1String("per_min")), QJsonValue(68));
    QCOMPARE(ceilings.at(0).toObject().value(QLatin1String("confidence")), QJsonValue(0.75));
}

void LedgerQuestionsTest::evidenceCanBeAskedOfASpanAndAnotherRate()
{
    Program program(call("evidence",
                         {QStringLiteral("--json"), QStringLiteral("--rate=3"),
                          QStringLiteral("--since=2026-03-01T20:01:00Z"),
                          QStringLiteral("--until=2026-03-01T20:01:01Z")}));
    QCOMPARE(program.waitForEnd(), 0);
    QCOMPARE(evidenceOf(QJsonDocument::fromJson(program.output()).object()),
             QStringLiteral("4 0 3 4 1").split(u' '));
}

void LedgerQuestionsTest::evidenceIsJudgedByTheSettingWhenNoChangeIsRecorded()
{
    Program program(
        call("evidence", {QStringLiteral("--json")}),
        Program::Environment{{QStringLiteral("HEADWAY_RATE_PER_MIN"), QStringLiteral("70")}});
    QCOMPARE(program.waitForEnd(), 0);
    QCOMPARE(evidenceOf(QJsonDocument::fromJson(program.output()).object()),
             QStringLiteral("74 1 70 70 0").split(u' '));
}

void LedgerQuestionsTest::evidenceRefusesWhatIsNoRate()
{
    Program program(call("evidence", {QStringLiteral("--rate=fast")}));
    QCOMPARE(program.waitForEnd(), 2);
    QCOMPARE(program.output(), QByteArray());
    QVERIFY(program.errors().contains("rate"));
}

void LedgerQuestionsTest::aQueryPrintsJsonLines()
{
    QCOMPARE(
        answer("jsonl",
               QStringLiteral("SELECT event, count(*) AS n, status, 0.5 AS half, 1 AS n FROM "
                              "connection GROUP BY event ORDER BY event")),
        QByteArray("{\"event\":\"opened\",\"n\":74,\"status\":null,\"half\":0.5,\"n_2\":1}\n"
                   "{\"event\":\"rejected\",\"n\":1,\"status\":429,\"half\":0.5,\"n_2\":1}\n"));
    QCOMPARE(answer("jsonl",
                    QStringLiteral("SELECT 9223372036854775807 AS i, 9e999 AS x, "
                                   "x'00FF' AS b")),
             QByteArray("{\"i\":9223372036854775807,\"x\":null,\"b\":\"00ff\"}\n"));
}

void LedgerQuestionsTest::aQueryPrintsCsvWithoutFormulas()
{
    QCOMPARE(
        answer("csv", QStringLiteral("SELECT key, text, -1 AS \"=n\", NULL AS x FROM warning")),
        QByteArray("key,text,'=n,x\r\n'=cmd(),\"a,\"\"b\"\"\r\n\x1b[31mred\",-1,\r\n"));
}

void LedgerQuestionsTest::aQueryPrintsATableThatCannotActOnTheTerminal()
{
    QCOMPARE(answer("table", QStringLiteral("SELECT key, text, NULL AS x FROM warning")),
             QByteArray("key     text             x\n"
                        "=cmd()  a,\"b\"···[31mred  –\n"));
}

void LedgerQuestionsTest::aQueryPrintsLongAnswersWhole_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<int>("lines");
    QTest::newRow("table") << QByteArray("table") << 50'001;
    QTest::newRow("csv") << QByteArray("csv") << 50'001;
    QTest::newRow("jsonl") << QByteArray("jsonl") << 50'000;
}

void LedgerQuestionsTest::aQueryPrintsLongAnswersWhole()
{
    QFETCH(const QByteArray, format);
    QFETCH(const int, lines);
    const QByteArray text
        = answer(format.constData(),
                 QStringLiteral("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n "
                                "WHERE x < 50000) SELECT x, 'text' AS t FROM n"));
    QCOMPARE(text.count('\n'), lines);
    QVERIFY(text.trimmed().split('\n').constLast().contains("50000"));
}

void LedgerQuestionsTest::aQueryThatWritesIsAWrongCall_data()
{
    QTest::addColumn<QString>("statement");
    for (const char *statement :
         {"DELETE FROM warning", "PRAGMA writable_schema = ON", "ATTACH 'x.sqlite' AS x",
          "INSERT INTO warning (seq) VALUES (1)", "WITH x AS (SELECT 1) DELETE FROM warning",
          "SELECT 1; DROP TABLE warning"})
        QTest::newRow(statement) << QString::fromLatin1(statement);
}

void LedgerQuestionsTest::aQueryThatWritesIsAWrongCall()
{
    QFETCH(const QString, statement);
    Program program(call("query", {statement}));
    QCOMPARE(program.waitForEnd(), 2);
    QCOMPARE(program.output(), QByteArray());
    QCOMPARE(program.errors().count('\n'), 1);
    QCOMPARE(answer("csv", QStringLiteral("SELECT count(*) FROM warning")),
             QByteArray("count(*)\r\n1\r\n"));
}

void LedgerQuestionsTest::aQueryEndsAtItsTimeLimit()
{
    QElapsedTimer timer;
    timer.start();
    Program program(call("query",
                         {QStringLiteral("--limit=1"),
                          QStringLiteral("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL "
                                         "SELECT x + 1 FROM n) SELECT max(x) FROM n")}));
    QCOMPARE(program.waitForEnd(), 1);
    QVERIFY(timer.elapsed() >= 1'000);
    QCOMPARE(program.output(), QByteArray());
    QVERIFY2(program.errors().contains("given up after 1 s"), program.errors().constData());
}

void LedgerQuestionsTest::aQueryTakesOneStatement()
{
    for (const QStringList &statements :
         {QStringList(), QStringList{QStringLiteral("SELECT 1"), QStringLiteral("SELECT 2")}})
    {
        Program program(call("query", statements));
        QCOMPARE(program.waitForEnd(), 2);
        QVERIFY(!program.errors().isEmpty());
    }
}

void LedgerQuestionsTest::theUsageNamesThemAll()
{
    Program program({QStringLiteral("ledger"), QStringLiteral("--help")});
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(program.output().contains("export|verify|evidence|query"));
}

QTEST_GUILESS_MAIN(LedgerQuestionsTest)
#include "tst_ledgerquestions.moc"
