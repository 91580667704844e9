// SPDX-License-Identifier: GPL-3.0-or-later
// What the policies and the provider's own limits do to turns in traffic. The provider's counters
// are the oracle.
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class PolicyFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fixedStartsASecondApart();
    void autoTakesARejectedTurnBackWithoutItsRetries();
    void autoDoesNotWaitForADoorThatExplainsItself();
    void bucketSpendsARetryOnARejection();
    void aPolicyChangedInFlightLosesNobody();
    void aThrottleByEventCoolsEverybodyDown();
    void aTurnWaitsForTheTokenBudgetBeforeItIsSent();
    void aPlanLimitIsAskedOnceAndThenAnsweredHere();
    void whatIsLeftOfThePlanIsToldWithEachReply();
    void b71APlanLimitIsProbedNowAndThen();
};

namespace {

simulator::Scenario quickTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {5ms, 5ms};
    return scenario;
}

void set(ProxyFixture &proxy, settings::Key key, const char *value)
{
    QVERIFY(proxy.settings.set(settings::Source::CommandLine, key, value).accepted);
}

Fault errorEvent(const char *code, int status, std::optional<base::Milliseconds> retryAfter = {})
{
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.code = code;
    fault.status = status;
    fault.count = 1;
    fault.retryAfter = retryAfter;
    return fault;
}

Fault rejectedUpgrades(int count, int status)
{
    Fault fault;
    fault.kind = Fault::Kind::RejectUpgrades;
    fault.count = count;
    fault.status = status;
    return fault;
}

} // namespace

void PolicyFlowTest::fixedStartsASecondApart()
{
    ProxyFixture proxy(quickTurns());
    set(proxy, settings::Key::Policy, "fixed");
    proxy.start();
    const auto one = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    const auto two = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_VERIFY(one->isComplete() && two->isComplete());
    const auto &at = proxy.provider().statistics().acceptedAt;
    QCOMPARE(at.size(), std::size_t(2));
    QVERIFY(at[1] - at[0] >= 950ms); // 1 s, less what the first upgrade took to arrive
}

void PolicyFlowTest::autoTakesARejectedTurnBackWithoutItsRetries()
{
    simulator::Scenario scenario = quickTurns();
    scenario.faults = {rejectedUpgrades(1, 429)};
    ProxyFixture proxy(scenario);
    set(proxy, settings::Key::Policy, "auto");
    set(proxy, settings::Key::Retries, "0");
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 20'000);
    QCOMPARE(call->status(), 200);
    QCOMPARE(proxy.provider().statistics().upgradesRejected, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
}

// A gateway that lets no WebSocket through is no throttle: HTTPS carries the turns.
void PolicyFlowTest::autoDoesNotWaitForADoorThatExplainsItself()
{
    Fault blocked = rejectedUpgrades(1000, 403);
    blocked.kind = Fault::Kind::UpgradeBody;
    blocked.body = R"({"error":{"message":"WebSockets are not allowed here"}})";
    simulator::Scenario scenario = quickTurns();
    scenario.faults = {blocked};
    ProxyFixture proxy(scenario);
    set(proxy, settings::Key::Policy, "auto");
    set(proxy, settings::Key::Retries, "0");
    proxy.start();
    const auto one = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    const auto two = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_VERIFY(one->isComplete() && two->isComplete());
    QCOMPARE(one->status(), 200);
    QCOMPARE(two->status(), 200);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{0});
    QCOMPARE(proxy.engine().snapshot()->estimate.shape, pacing::CeilingShape::Unknown);
}

void PolicyFlowTest::bucketSpendsARetryOnARejection()
{
    simulator::Scenario scenario = quickTurns();
    scenario.faults = {rejectedUpgrades(1, 429)};
    ProxyFixture proxy(scenario);
    set(proxy, settings::Key::Retries, "0");
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 429);
}

void PolicyFlowTest::aPolicyChangedInFlightLosesNobody()
{
    ProxyFixture proxy(quickTurns());
    set(proxy, settings::Key::RatePerMin, "15"); // one every 4 s: two wait
    set(proxy, settings::Key::Burst, "1");
    proxy.start();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (const char *session : {"one", "two"})
        calls.push_back(proxy.post("/v1/messages", messagesBody({"go"}), session));
    QTRY_COMPARE(proxy.engine().snapshot()->waiting, std::uint32_t{1});
    proxy.engine().changeSetting(QStringLiteral("policy"), QStringLiteral("auto"));
    for (const auto &call : calls) {
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 200);
    }
    QCOMPARE(proxy.engine().snapshot()->policy, std::string("auto"));
}

void PolicyFlowTest::aThrottleByEventCoolsEverybodyDown()
{
    simulator::Scenario scenario = quickTurns();
    scenario.faults = {errorEvent("rate_limit_exceeded", 429, 1000ms)};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    QTRY_COMPARE(proxy.engine().snapshot()->door, pacing::DoorState::CoolingDown);
    QElapsedTimer since;
    since.start();
    const auto second = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_COMPARE(proxy.engine().snapshot()->gated, std::uint32_t{1});
    QTRY_VERIFY(first->isComplete() && second->isComplete());
    QVERIFY2(since.elapsed() >= 800, QByteArray::number(since.elapsed()).constData());
    QCOMPARE(first->status(), 200);
    QCOMPARE(second->status(), 200);
    QCOMPARE(proxy.engine().snapshot()->gated, std::uint32_t{0});
}

// 60 000 tokens a minute: the floor is a quarter of it. What is left after a turn of some 50 000
// tokens is below, so the next one waits for the reset.
void PolicyFlowTest::aTurnWaitsForTheTokenBudgetBeforeItIsSent()
{
    simulator::Scenario scenario = quickTurns();
    scenario.tokensPerMinute = 60'000;
    ProxyFixture proxy(scenario);
    proxy.start();
    QByteArray words;
    while (words.size() < 200'000)
        words += "every good word counts ";
    const auto first = proxy.post("/v1/messages", messagesBody({words}), "one");
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    auto second = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_COMPARE(proxy.engine().snapshot()->gated, std::uint32_t{1});
    QCOMPARE(proxy.engine().snapshot()->turns.size(), std::size_t(1));
    QCOMPARE(proxy.engine().snapshot()->turns.front().phase, live::Phase::Gate);
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{1});
    second->abort();
    QTRY_COMPARE(proxy.engine().snapshot()->gated, std::uint32_t{0});
}

void PolicyFlowTest::aPlanLimitIsAskedOnceAndThenAnsweredHere()
{
    simulator::Scenario scenario = quickTurns();
    scenario.faults = {errorEvent("usage_limit_reached", 429)};
    ProxyFixture proxy(scenario);
    proxy.start();
    for (const char *session : {"one", "two"}) {
        const auto call = proxy.post("/v1/messages", messagesBody({"go"}), session);
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 429);
    }
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{1});
}

// Table 5.4: codex.rate_limits become the headers that a Messages client knows.
void PolicyFlowTest::whatIsLeftOfThePlanIsToldWithEachReply()
{
    tests::ScriptedProvider peer;
    peer.onCreate = [&peer](const tests::ScriptedProvider::Create &create) {
        peer.send(create.socket,
                  QJsonDocument::fromJson(R"({"type":"codex.rate_limits","rate_limits":{"primary":
                      {"used_percent":62,"window_minutes":300,"reset_after_seconds":600}}})")
                      .object());
        peer.answer(create, QStringLiteral("yes"));
    };
    ProxyFixture proxy(peer.url());
    proxy.start();
    const auto told = [&proxy](const QByteArray &path, const QByteArray &body) {
        const auto call = proxy.post(path, body, "s");
        if (!QTest::qWaitFor([&call] { return call->isComplete(); }) || call->status() != 200)
            qFatal("no reply");
        return call->header("anthropic-ratelimit-unified-5h-utilization");
    };
    QCOMPARE(told("/v1/messages", messagesBody({"go"})), QByteArray("0.62"));
    QCOMPARE(told("/v1/messages", messagesBody({"go"}, false)), QByteArray("0.62"));
    QCOMPARE(told("/v1/responses", R"({"model":"m","input":"hi","stream":true})"), QByteArray());
}

// It says that it lasts for six days, and may be gone earlier: not asked every second, nor never.
void PolicyFlowTest::b71APlanLimitIsProbedNowAndThen()
{
    simulator::Scenario scenario = quickTurns();
    Fault limit = errorEvent("usage_limit_reached", 429, base::Milliseconds(529'498s));
    limit.count = 2; // and one probe
    scenario.faults = {limit};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto asked = [&proxy] { return proxy.provider().statistics().creates; };
    const auto statusNow = [&proxy] {
        const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "s");
        if (!QTest::qWaitFor([&call] { return call->isComplete(); }))
            qFatal("no answer");
        return call->status();
    };
    QCOMPARE(statusNow(), 429);
    for (int i = 0; i < 9; ++i) { // up to 4:30 min
        proxy.passTime(30s);
        QCOMPARE(statusNow(), 429);
    }
    QCOMPARE(asked(), std::uint64_t{1});
    int minutes = 4;
    for (; asked() < 2 && minutes < 60; ++minutes) {
        proxy.passTime(60s);
        QCOMPARE(statusNow(), 429);
    }
    QVERIFY(minutes <= 30);
    int status = 429;
    for (minutes = 0; status == 429 && minutes < 60; ++minutes) {
        proxy.passTime(60s);
        status = statusNow();
    }
    QCOMPARE(status, 200); // it was gone by then
    QVERIFY2(minutes >= 5 && minutes <= 30, qPrintable(QString::number(minutes)));
    QCOMPARE(asked(), std::uint64_t{3});
    QCOMPARE(statusNow(), 200);
}

QTEST_GUILESS_MAIN(PolicyFlowTest)
#include "tst_policyflow.moc"
