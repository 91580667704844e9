// SPDX-License-Identifier: GPL-3.0-or-later
// The yardstick against waits worked out by hand.
#include "tests/core/lab/runtools.h"

#include <QTest>

using namespace headway::lab;
using namespace headway::lab::test;

namespace {

RunResult oracle(const std::string &text)
{
    return compared(text).oracle;
}

} // namespace

class LabOracleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForTheNextTokenOfABucket();
    void waitsForTheWindowToMoveOn();
    void waitsOutAnOutageItKnowsOf();
    void closesIdleSocketsThatAreInTheWay();
    void waitsForTheTokensOfATurn();
    void dialsAgainAtOnceWhereChanceRejected();
    void isNeverRejectedByACertainLimit_data();
    void isNeverRejectedByACertainLimit();
};

void LabOracleTest::waitsForTheNextTokenOfABucket()
{
    const RunResult result
        = oracle(exact(R"({"kind":"token_bucket","rate_per_min":60,"burst":1})", session(3, 1)));
    // Waits of 0, 1 and 2 s.
    QCOMPARE(result.completed, 3.0);
    QCOMPARE(result.waitP50, 1.0);
    QCOMPARE(result.waitMax, 2.0);
    QCOMPARE(result.cost, 1.0);
    QCOMPARE(result.finish, 3.1); // 2 s, connecting, the turn
    QCOMPARE(result.rejections, 0.0);
}

void LabOracleTest::waitsForTheWindowToMoveOn()
{
    const RunResult result = oracle(
        exact(R"({"kind":"sliding_window","max":2,"window_s":10,"block_s":20})", session(5, 1)));
    // Two at 0, two at 10, one at 20.
    QCOMPARE(result.waitP50, 10.0);
    QCOMPARE(result.waitMax, 20.0);
    QCOMPARE(result.cost, 8.0);
    QCOMPARE(result.maxOpeningsPerMinute, 5.0);
}

void LabOracleTest::waitsOutAnOutageItKnowsOf()
{
    const RunResult result = oracle(
        exact({}, session(2, 1), R"(,"faults":[{"kind":"reject_upgrades","at_s":0,"for_s":30}])"));
    QCOMPARE(result.waitP50, 30.0);
    QCOMPARE(result.rejections, 0.0);
}

void LabOracleTest::closesIdleSocketsThatAreInTheWay()
{
    // Two agents share one socket's place: the second waits for the first one's turn (1.1 s).
    const RunResult result = oracle(exact(R"({"kind":"concurrent","max":1})", session(2, 1)));
    QCOMPARE(result.completed, 2.0);
    QCOMPARE(result.waitMax, 1.1);
    QCOMPARE(result.rejections, 0.0);
}

void LabOracleTest::waitsForTheTokensOfATurn()
{
    const RunResult result = oracle(
        exact({}, session(3, 1, R"(,"input_tokens":[1000,1000])"), R"(,"tokens_per_min":2000)"));
    // Two at once; the third when theirs have left the minute.
    QCOMPARE(result.waitP50, 0.0);
    QCOMPARE(result.waitMax, 60.0);
}

void LabOracleTest::dialsAgainAtOnceWhereChanceRejected()
{
    const RunResult result = oracle(exact(R"({"kind":"random","p":0.5})", session(200, 1)));
    QCOMPARE(result.completed, 200.0);
    // As many rejections as successes are expected; each costs 100 ms.
    QVERIFY(result.rejections > 140 && result.rejections < 260);
    QVERIFY(std::abs(result.cost * 200 - result.rejections * 2.1) < 1e-6);
}

void LabOracleTest::isNeverRejectedByACertainLimit_data()
{
    QTest::addColumn<QString>("limits");
    QTest::addColumn<QString>("provider");
    const auto row = [](const char *name, const char *limits, const char *provider) {
        QTest::newRow(name) << QString::fromLatin1(limits) << QString::fromLatin1(provider);
    };
    row("window", R"({"kind":"sliding_window","max":9,"window_s":20,"block_s":20})", "");
    row("window that changes",
        R"({"kind":"sliding_window","max":[9,2,5],"every_s":30,"window_s":20,"block_s":20})", "");
    row("window shared with others",
        R"({"kind":"sliding_window","max":9,"window_s":20,"block_s":20})",
        R"(,"others_per_min":15)");
    row("bucket", R"({"kind":"token_bucket","rate_per_min":37,"burst":3.5})", "");
    row("cap", R"({"kind":"concurrent","max":7})", "");
    row("cap that falls", R"({"kind":"concurrent","max":[20,3],"every_s":20})", "");
    row("total", R"({"kind":"after_total","max":11,"reset_s":25})", "");
    row("all of them",
        R"({"kind":"sliding_window","max":9,"window_s":20},{"kind":"concurrent","max":7},)"
        R"({"kind":"token_bucket","rate_per_min":30,"burst":4},)"
        R"({"kind":"after_total","max":11,"reset_s":25})",
        R"(,"others_per_min":5,"faults":[{"kind":"reject_upgrades","at_s":40,"for_s":20},)"
        R"({"kind":"reject_upgrades","at_s":55,"for_s":20}],"tokens_per_min":400000)");
}

void LabOracleTest::isNeverRejectedByACertainLimit()
{
    QFETCH(const QString, limits);
    QFETCH(const QString, provider);
    const std::string text = R"({"provider":{"upgrade_limits":[)" + limits.toStdString() + "]"
        + provider.toStdString()
        + R"(},"workload":{"sessions":[{"agents":15,"turns":5,"new_ratio":0.5}]}})";
    const RunResult result = compared(text, headway::pacing::Policy::Off, 10).oracle;
    QCOMPARE(result.rejections, 0.0);
    QCOMPARE(result.completed, 75.0);
}

QTEST_APPLESS_MAIN(LabOracleTest)

#include "tst_laboracle.moc"
