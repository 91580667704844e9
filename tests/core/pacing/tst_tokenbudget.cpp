// SPDX-License-Identifier: GPL-3.0-or-later
// spec/pacing.md section 5.
#include "proxy/core/pacing/tokenbudget.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class TokenBudgetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsResetShapes_data();
    void readsResetShapes();
    void anUnknownBudgetNeverWaits();
    void waitsUnderTheFloorUntilTheReset();
    void theFloorIsAQuarterOfASmallLimit();
    void whatWasSentSinceCounts();
    void theNewestReadingWins();
    void theLastRequestIsKept();
    void projectTokensAreAFamilyOfTheirOwn();
    void aResetBeyondSeventyFiveSecondsIsNoReason();
    void afterTheResetTheBudgetIsUnknown();
    void placesAreFiftyMillisecondsApart();
    void aPersonWaitsFiveSecondsHereAndOwesTheRest();
    void agentsWaitSixtyFiveSecondsHere();
    void ignoresOtherNamesAndBrokenValues();
};

namespace {

TokenBudget reading(std::uint64_t remaining, const char *reset, const char *family = "tokens")
{
    TokenBudget budget(1);
    const std::string name(family);
    const std::string value = std::to_string(remaining);
    if (!budget.read("X-RateLimit-Remaining-" + name, value, at(0ms))
        || !budget.read("x-ratelimit-reset-" + name, reset, at(0ms)))
        qFatal("not read");
    return budget;
}

Nanoseconds total(const TokenBudget::Gate &gate)
{
    return gate.wait + gate.owed;
}

} // namespace

void TokenBudgetTest::readsResetShapes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ms"); // -1: ignored
    const auto row
        = [](const char *text, qint64 ms) { QTest::newRow(text) << QByteArray(text) << ms; };
    row("6m0s", 360'000);
    row("1.5s", 1'500);
    row("13ms", 13);
    row("2m", 120'000);
    row("1h2m3s", 3'723'000);
    row("1h", 3'600'000);
    row("1m500ms", 60'500);
    row("7", 7'000);
    row("0", 0);
    row("0.25", 250);
    for (const char *text : {"", "s", "5x", "5 s", "-5s", "-5", "1s2m", "1s1s", "m5", "1.2.3s",
                             "1e3s", "Wed, 21 Oct 2015 07:28:00 GMT", "5s ", "99999999999s"})
        row(text, -1);
}

void TokenBudgetTest::readsResetShapes()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, ms);
    const auto reset = parseReset(text.toStdString());
    QCOMPARE(reset ? qint64(reset->count()) : qint64(-1), ms);
}

void TokenBudgetTest::anUnknownBudgetNeverWaits()
{
    TokenBudget budget(1);
    QVERIFY(budget.ask(0, false, at(0ms)).isClear());
    budget.read("x-ratelimit-remaining-tokens", "0", at(0ms)); // no reset known
    QVERIFY(budget.ask(0, false, at(0ms)).isClear());
    TokenBudget other(1);
    other.read("x-ratelimit-reset-tokens", "10s", at(0ms)); // nothing remaining known
    QVERIFY(other.ask(0, false, at(0ms)).isClear());
}

void TokenBudgetTest::waitsUnderTheFloorUntilTheReset()
{
    QVERIFY(reading(35'000, "10s").ask(0, false, at(0ms)).isClear());
    TokenBudget budget = reading(34'999, "10s");
    for (int i = 0; i < 100; ++i) {
        const Nanoseconds wait = total(budget.ask(0, false, at(4'000ms)));
        QVERIFY(wait >= Nanoseconds(6'000ms) && wait <= Nanoseconds(7'000ms));
    }
}

void TokenBudgetTest::theFloorIsAQuarterOfASmallLimit()
{
    TokenBudget budget = reading(2'500, "10s");
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
    budget.read("x-ratelimit-limit-tokens", "10000", at(0ms));
    QVERIFY(budget.ask(0, false, at(0ms)).isClear());
    budget.read("x-ratelimit-remaining-tokens", "2499", at(0ms));
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
}

void TokenBudgetTest::whatWasSentSinceCounts()
{
    TokenBudget budget = reading(50'000, "10s");
    budget.sent(15'000);
    QVERIFY(budget.ask(0, false, at(0ms)).isClear());
    budget.sent(1);
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
    budget.sent(1'000'000); // below nothing is nothing
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
}

void TokenBudgetTest::theNewestReadingWins()
{
    TokenBudget budget = reading(1'000, "10s");
    budget.sent(5'000);
    budget.read("x-ratelimit-remaining-tokens", "35000", at(1'000ms));
    QVERIFY(budget.ask(0, false, at(1'000ms)).isClear());
}

void TokenBudgetTest::theLastRequestIsKept()
{
    TokenBudget budget = reading(1, "10s", "requests");
    QVERIFY(budget.ask(0, false, at(0ms)).isClear());
    budget.sent(20'000);
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
}

void TokenBudgetTest::projectTokensAreAFamilyOfTheirOwn()
{
    TokenBudget budget = reading(100'000, "10s");
    budget.read("x-ratelimit-remaining-project-tokens", "10", at(0ms));
    budget.read("x-ratelimit-reset-project-tokens", "30s", at(0ms));
    QVERIFY(total(budget.ask(0, false, at(0ms))) >= Nanoseconds(30'000ms));
}

void TokenBudgetTest::aResetBeyondSeventyFiveSecondsIsNoReason()
{
    QVERIFY(!reading(0, "75s").ask(0, false, at(0ms)).isClear());
    QVERIFY(reading(0, "75.001s").ask(0, false, at(0ms)).isClear());
    QVERIFY(reading(0, "6m0s").ask(0, false, at(0ms)).isClear());
}

void TokenBudgetTest::afterTheResetTheBudgetIsUnknown()
{
    TokenBudget budget = reading(0, "10s");
    QVERIFY(!budget.ask(0, false, at(9'999ms)).isClear());
    QVERIFY(budget.ask(0, false, at(10'000ms)).isClear());
}

void TokenBudgetTest::placesAreFiftyMillisecondsApart()
{
    TokenBudget budget = reading(0, "10s");
    for (int place : {1, 10, 40}) {
        const Nanoseconds wait = total(budget.ask(static_cast<std::size_t>(place), false, at(0ms)));
        QVERIFY(wait >= Nanoseconds(10'000ms + place * 50ms));
        QVERIFY(wait <= Nanoseconds(11'000ms + place * 50ms));
    }
}

void TokenBudgetTest::aPersonWaitsFiveSecondsHereAndOwesTheRest()
{
    TokenBudget budget = reading(0, "20s");
    const TokenBudget::Gate gate = budget.ask(0, true, at(0ms));
    QCOMPARE(gate.wait, Nanoseconds(5'000ms));
    QVERIFY(gate.owed >= Nanoseconds(15'000ms) && gate.owed <= Nanoseconds(16'000ms));
}

void TokenBudgetTest::agentsWaitSixtyFiveSecondsHere()
{
    TokenBudget budget = reading(0, "70s");
    const TokenBudget::Gate gate = budget.ask(0, false, at(0ms));
    QCOMPARE(gate.wait, Nanoseconds(65'000ms));
    QVERIFY(gate.owed >= Nanoseconds(5'000ms) && gate.owed <= Nanoseconds(6'000ms));
    QCOMPARE(reading(0, "20s").ask(0, false, at(0ms)).owed, Nanoseconds(0));
}

void TokenBudgetTest::ignoresOtherNamesAndBrokenValues()
{
    TokenBudget budget = reading(34'999, "10s");
    for (const char *name : {"x-ratelimit-remaining", "x-ratelimit-remaining-cats", "ratelimit",
                             "x-ratelimit-used-tokens", "", "x-ratelimit-"})
        QVERIFY(!budget.read(name, "50000", at(0ms)));
    for (const char *value : {"", "-1", "1.5", "many", "99999999999999999999999"})
        QVERIFY(!budget.read("x-ratelimit-remaining-tokens", value, at(0ms)));
    QVERIFY(!budget.read("x-ratelimit-reset-tokens", "tomorrow", at(0ms)));
    QVERIFY(!budget.ask(0, false, at(0ms)).isClear());
}

QTEST_APPLESS_MAIN(TokenBudgetTest)
#include "tst_tokenbudget.moc"
