// SPDX-License-Identifier: GPL-3.0-or-later
// The pacer in traffic: who may open, who waits, and what a changed rate does to those who wait.
// The provider's clock of accepted upgrades is the oracle.
#include "tests/support/proxyfixture.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class PacingFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBurstGoesAtOnceAndTheRestOneRefillApart();
    void continuationsAreNeverPaced();
    void aRaisedRateLetsTheQueueGoEarlier();
    void aLoweredRateChangesTheNextAdmission();
    void aRefusalThatExhaustsTheLadderIsA429WithRetryAfter();
    void aWaiterWhoseClientLeavesGivesItsPlaceBack();
};

namespace {

simulator::Scenario longTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {60s, 60s};
    return scenario;
}

void set(ProxyFixture &proxy, settings::Key key, const char *value)
{
    QVERIFY(proxy.settings.set(settings::Source::CommandLine, key, value).accepted);
}

std::vector<std::unique_ptr<HttpCall>> fanOut(const ProxyFixture &proxy, int count)
{
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < count; ++i)
        calls.push_back(
            proxy.post("/v1/messages", messagesBody({"go"}), "session-" + QByteArray::number(i)));
    return calls;
}

} // namespace

void PacingFlowTest::theBurstGoesAtOnceAndTheRestOneRefillApart()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::RatePerMin, "600"); // one every 100 ms
    set(proxy, settings::Key::Burst, "3");
    proxy.start();
    const auto calls = fanOut(proxy, 6);
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{6});
    const auto &at = proxy.provider().statistics().acceptedAt;
    for (std::size_t i = 3; i < 6; ++i)
        QVERIFY(at[i] - at[i - 1] > 60ms);
    QVERIFY(at[5] - at[0] >= 280ms);
}

void PacingFlowTest::continuationsAreNeverPaced()
{
    simulator::Scenario scenario = longTurns();
    scenario.turn = {1ms, 1ms};
    ProxyFixture proxy(scenario);
    set(proxy, settings::Key::RatePerMin, "1");
    set(proxy, settings::Key::Burst, "1");
    proxy.start();
    QList<QByteArray> texts{"hello"};
    for (int turn = 0; turn < 5; ++turn) {
        const auto call = proxy.post("/v1/messages", messagesBody(texts), "one");
        QTRY_VERIFY(call->isComplete());
        QByteArray reply;
        for (const QByteArray &line : call->body().split('\n')) {
            const qsizetype at = line.indexOf("\"text_delta\",\"text\":\"");
            if (at >= 0) {
                const QByteArray rest = line.mid(at + 21);
                reply += rest.left(rest.indexOf('"'));
            }
        }
        texts << reply << "next";
    }
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{4});
}

void PacingFlowTest::aRaisedRateLetsTheQueueGoEarlier()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::RatePerMin, "15"); // one every 4 s
    set(proxy, settings::Key::Burst, "1");
    proxy.start();
    const auto calls = fanOut(proxy, 2);
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{2});
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    proxy.engine().changeSetting(QStringLiteral("rate_per_min"), QStringLiteral("600"));
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2},
                              1500);
}

void PacingFlowTest::aLoweredRateChangesTheNextAdmission()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::RatePerMin, "60"); // the third would go after 1 s
    set(proxy, settings::Key::Burst, "2");
    proxy.start();
    const auto calls = fanOut(proxy, 2);
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    proxy.engine().changeSetting(QStringLiteral("rate_per_min"), QStringLiteral("20"));
    const auto third = proxy.post("/v1/messages", messagesBody({"go"}), "third");
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().upgradesAccepted, std::uint64_t{3},
                              6000);
    const auto &at = proxy.provider().statistics().acceptedAt;
    QVERIFY(at[2] - at[1] >= 2500ms); // 3 s at 20 a minute, less what had refilled before
}

void PacingFlowTest::aRefusalThatExhaustsTheLadderIsA429WithRetryAfter()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::RatePerMin, "30");
    set(proxy, settings::Key::Burst, "1");
    set(proxy, settings::Key::IdleMs, "10000"); // 2 retries, bound 666 ms
    proxy.start();
    const auto calls = fanOut(proxy, 12);
    const auto refused = [&] {
        return std::ranges::count_if(calls, [](const auto &call) { return call->status() == 429; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(refused() >= 1, 15'000);
    const auto &call
        = *std::ranges::find_if(calls, [](const auto &c) { return c->status() == 429; });
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->header("retry-after"), QByteArray("1")); // hintCap of a bound of 666 ms
    QVERIFY(call->body().contains("rate_limit_error"));
    QVERIFY(call->body().contains("retry after 1s"));
}

void PacingFlowTest::aWaiterWhoseClientLeavesGivesItsPlaceBack()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::RatePerMin, "30"); // one every 2 s
    set(proxy, settings::Key::Burst, "1");
    proxy.start();
    auto calls = fanOut(proxy, 3); // now, after 2 s, after 4 s
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{3});
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    calls[1]->abort();
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{2});
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2},
                              3000);
    const auto &at = proxy.provider().statistics().acceptedAt;
    QVERIFY(at[1] - at[0] < 2600ms); // the third moved into the second's place
}

QTEST_GUILESS_MAIN(PacingFlowTest)
#include "tst_pacingflow.moc"
