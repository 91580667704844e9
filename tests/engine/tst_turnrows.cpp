// SPDX-License-Identifier: GPL-3.0-or-later
// What the window is told, with the clients' own ends as the oracle.
#include "tests/support/proxyfixture.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class TurnRowsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoWillBeRefusedIsShownBefore();
    void whomAPersonHoldsLacksNoConnection();
    void aRateThatIsNotKeptIsTold();
    void everySecondIsKnownThoughNobodyLooked();
    void tokensOfAReplyAreCountedWhileItRuns();
};

namespace {

simulator::Scenario longTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {20s, 20s};
    return scenario;
}

void set(ProxyFixture &proxy, settings::Key key, const char *value)
{
    QVERIFY(proxy.settings.set(settings::Source::CommandLine, key, value).accepted);
}

} // namespace

// `fixed` starts one a second, and the last start is 4 s before the idle deadline of 10.5 s: of
// twelve that come at once the first goes at once, six more within 6.5 s, and five never.
void TurnRowsTest::whoWillBeRefusedIsShownBefore()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::Policy, "fixed");
    set(proxy, settings::Key::IdleMs, "10500");
    proxy.start();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 12; ++i)
        calls.push_back(
            proxy.post("/v1/messages", messagesBody({"go"}), "s" + QByteArray::number(i)));
    const auto waiting = [&proxy] {
        const auto turns = proxy.engine().snapshot()->turns;
        return std::ranges::count(turns, live::Phase::Queued, &live::TurnRow::phase);
    };
    QTRY_COMPARE(waiting(), 11);
    const auto turns = proxy.engine().snapshot()->turns;
    QCOMPARE(std::ranges::count_if(turns, &live::TurnRow::refusedThen), 5);
    for (const live::TurnRow &turn : turns) {
        QCOMPARE(turn.refusedThen, turn.queuePlace > 6);
        QCOMPARE(turn.lacksOpening, turn.phase == live::Phase::Queued);
    }
    const auto refused = [&calls] {
        return std::ranges::count_if(
            calls, [](const auto &call) { return call->hasHead() && call->status() >= 400; });
    };
    QTRY_COMPARE_WITH_TIMEOUT(proxy.engine().snapshot()->totals.turnsRefused, std::uint64_t{5},
                              15'000);
    QTRY_COMPARE(refused(), 5);
}

// Nor is the time that it was held counted when it queues for one.
void TurnRowsTest::whomAPersonHoldsLacksNoConnection()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::Policy, "fixed");
    proxy.start();
    proxy.engine().setPaused(true);
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 3; ++i)
        calls.push_back(
            proxy.post("/v1/messages", messagesBody({"go"}), "s" + QByteArray::number(i)));
    const auto turns = [&proxy] { return proxy.engine().snapshot()->turns; };
    QTRY_COMPARE(std::ranges::count_if(turns(), &live::TurnRow::held), 3);
    QCOMPARE(std::ranges::count_if(turns(), &live::TurnRow::lacksOpening), 0);
    proxy.passTime(20s);
    proxy.engine().setPaused(false);
    QTRY_COMPARE(std::ranges::count_if(turns(), &live::TurnRow::lacksOpening), 2);
    for (const live::TurnRow &turn : turns())
        QVERIFY(turn.lackedOpening < 10s);
}

// Within 10 s of idle there is no room for a minute's six slots and five retries.
void TurnRowsTest::aRateThatIsNotKeptIsTold()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::Policy, "bucket");
    set(proxy, settings::Key::RatePerMin, "6");
    set(proxy, settings::Key::IdleMs, "10000");
    proxy.start();
    QVERIFY(!proxy.engine().snapshot()->unpaced.empty());
    proxy.engine().changeSetting(QStringLiteral("idle_ms"), QStringLiteral("120000"));
    QCOMPARE(proxy.engine().snapshot()->unpaced, std::string());
    proxy.engine().changeSetting(QStringLiteral("idle_ms"), QStringLiteral("10000"));
    QVERIFY(!proxy.engine().snapshot()->unpaced.empty());
    proxy.engine().changeSetting(QStringLiteral("policy"), QStringLiteral("auto"));
    QCOMPARE(proxy.engine().snapshot()->unpaced, std::string());
}

// Without a window snapshots are made only when somebody asks.
void TurnRowsTest::everySecondIsKnownThoughNobodyLooked()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    for (int i = 0; i < 25; ++i)
        proxy.passTime(900ms);
    const auto seconds = proxy.engine().snapshot()->seconds;
    QVERIFY2(seconds.size() >= 20, qPrintable(QString::number(seconds.size())));
    for (std::size_t i = 1; i < seconds.size(); ++i)
        QCOMPARE(seconds[i].second, seconds[i - 1].second + 1);
    QCOMPARE(seconds[5].queueLength, 0U);
}

void TurnRowsTest::tokensOfAReplyAreCountedWhileItRuns()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "s");
    const auto row = [&proxy] {
        const auto turns = proxy.engine().snapshot()->turns;
        return turns.empty() ? live::TurnRow{} : turns.front();
    };
    QTRY_VERIFY_WITH_TIMEOUT(row().outputTokens >= 5, 15'000);
    const QByteArray body = call->body();
    qsizetype letters = 0;
    for (qsizetype at = body.indexOf("\"text_delta\",\"text\":\""); at >= 0;
         at = body.indexOf("\"text_delta\",\"text\":\"", at))
    {
        at += 21;
        letters += body.indexOf('"', at) - at;
    }
    const auto tokens = static_cast<qsizetype>(row().outputTokens);
    QVERIFY2(tokens <= letters + 20 && tokens * 12 >= letters,
             qPrintable(QString::number(letters)));
}

QTEST_GUILESS_MAIN(TurnRowsTest)
#include "tst_turnrows.moc"
