// SPDX-License-Identifier: GPL-3.0-or-later
// How long HTTPS is remembered, and how it is found where nobody says that WebSocket is not to be
// had (spec/heads.md section 8), with the clock moved on and the provider's wire as the oracle.
#include "tests/support/conversation.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using settings::Key;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::ProxyFixture;

class HttpsMemoryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void webSocketIsTriedAgainAfterHalfAnHour();
    void aTryThatIsRefusedLastsForAsLongAgain();
    void aTryThatIsThrottledIsMadeAgainAMinuteLater();
    void upgradesThatAreSwallowedGoByHttpsFromTheSecondOn();
    void oneSwallowedUpgradeIsChance();
    void aProviderThatIsAwayIsNotCalledByHttps();
    void swallowedUpgradesAreTriedAgainAfterHalfAnHour();
    void everyRiderOfASwallowedDialGoesByHttps();
    void aLargeDeltaGoesByHttpsAndItsHeadStays();
};

namespace {

const QString hello = QStringLiteral("hello");
const QString more = QStringLiteral("more");

Fault upgrades(Fault::Kind kind, int count, int status = 426)
{
    Fault fault;
    fault.kind = kind;
    fault.count = count;
    fault.status = status;
    return fault;
}

simulator::Scenario with(Fault fault)
{
    simulator::Scenario scenario = answering();
    scenario.faults = {std::move(fault)};
    return scenario;
}

qsizetype posts(const ProxyFixture &proxy)
{
    const auto &sent = proxy.wire().sent();
    return std::count_if(sent.begin(), sent.end(),
                         [](const tests::Sent &one) { return one.overPost; });
}

std::uint64_t swallowed(ProxyFixture &proxy)
{
    return proxy.provider().statistics().upgradesSwallowed;
}

bool notices(ProxyFixture &proxy, std::string_view words)
{
    const auto snapshot = proxy.engine().snapshot();
    return std::ranges::any_of(snapshot->notices, [words](const std::string &notice) {
        return notice.find(words) != std::string::npos;
    });
}

} // namespace

void HttpsMemoryTest::webSocketIsTriedAgainAfterHalfAnHour()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::RejectUpgrades, 1)));
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QCOMPARE(posts(proxy), 1);
    proxy.passTime(30min - 10s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 2);
    QVERIFY(notices(proxy, "HTTPS"));
    proxy.passTime(10s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 2);
    QCOMPARE(proxy.wire().opened().size(), 1);
    QVERIFY(!notices(proxy, "HTTPS"));
    QVERIFY(agent.say(more)); // and stays
    QCOMPARE(posts(proxy), 2);
    QVERIFY(!proxy.wire().last().previous().isEmpty());
}

void HttpsMemoryTest::aTryThatIsRefusedLastsForAsLongAgain()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::RejectUpgrades, 2)));
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.passTime(30min);
    QVERIFY(agent.say(more)); // no error for the client
    QCOMPARE(proxy.wire().rejections().size(), 2);
    QCOMPARE(posts(proxy), 2);
    proxy.passTime(30min - 10s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 3);
    proxy.passTime(10s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 3);
    QCOMPARE(proxy.wire().opened().size(), 1);
}

void HttpsMemoryTest::aTryThatIsThrottledIsMadeAgainAMinuteLater()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::RejectUpgrades, 1)));
    proxy.set(Key::Retries, "0");
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.provider().add(upgrades(Fault::Kind::RejectUpgrades, 1, 429));
    proxy.passTime(30min);
    (void)agent.say(more); // whatever becomes of it
    QCOMPARE(proxy.wire().rejections(), (QList<int>{426, 429}));
    const qsizetype before = posts(proxy);
    proxy.passTime(59s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), before + 1);
    QVERIFY(proxy.wire().opened().isEmpty());
    proxy.passTime(2s);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), before + 1);
    QCOMPARE(proxy.wire().opened().size(), 1);
}

void HttpsMemoryTest::upgradesThatAreSwallowedGoByHttpsFromTheSecondOn()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::SwallowUpgrades, 1000)));
    proxy.openTimeout = 150ms;
    proxy.start();
    Conversation agent(proxy, "s");
    const auto first = agent.begin(hello);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    QCOMPARE(swallowed(proxy), std::uint64_t{1});
    QCOMPARE(posts(proxy), 0);
    proxy.passTime(2s);
    QTRY_VERIFY(first->isComplete());
    QVERIFY(agent.take(*first));
    QCOMPARE(swallowed(proxy), std::uint64_t{2});
    QCOMPARE(posts(proxy), 1);
    QVERIFY(notices(proxy, "not to a WebSocket upgrade"));
    Conversation other(proxy, "t");
    QVERIFY(other.say(hello)); // at once
    QCOMPARE(swallowed(proxy), std::uint64_t{2});
    QCOMPARE(posts(proxy), 2);
    proxy.stop();
}

void HttpsMemoryTest::oneSwallowedUpgradeIsChance()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::SwallowUpgrades, 1)));
    proxy.openTimeout = 150ms;
    proxy.start();
    Conversation agent(proxy, "s");
    const auto first = agent.begin(hello);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(2s);
    QTRY_VERIFY(first->isComplete());
    QVERIFY(agent.take(*first));
    QCOMPARE(posts(proxy), 0);
    proxy.provider().add(upgrades(Fault::Kind::SwallowUpgrades, 1)); // not the second in a row
    Conversation other(proxy, "t");
    const auto second = other.begin(hello);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(2s);
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(posts(proxy), 0);
}

void HttpsMemoryTest::aProviderThatIsAwayIsNotCalledByHttps()
{
    ProxyFixture proxy(QUrl(QStringLiteral("ws://127.0.0.1:1/v1/responses"))); // nobody listens
    proxy.set(Key::Retries, "2");
    proxy.start();
    const auto call = proxy.post("/v1/messages", tests::messagesBody({"hello"}), "s");
    for (int retry = 0; retry < 2; ++retry) {
        QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
        proxy.passTime(10s);
    }
    QTRY_VERIFY(call->isComplete());
    QVERIFY(call->status() >= 500);
    QVERIFY(!notices(proxy, "HTTPS"));
}

void HttpsMemoryTest::swallowedUpgradesAreTriedAgainAfterHalfAnHour()
{
    ProxyFixture proxy(with(upgrades(Fault::Kind::SwallowUpgrades, 3)));
    proxy.openTimeout = 150ms;
    proxy.start();
    Conversation agent(proxy, "s");
    const auto first = agent.begin(hello);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(2s);
    QTRY_VERIFY(first->isComplete());
    QVERIFY(agent.take(*first));
    proxy.passTime(30min);
    QVERIFY(agent.say(more)); // swallowed once more, and by HTTPS at once
    QCOMPARE(swallowed(proxy), std::uint64_t{3});
    QCOMPARE(posts(proxy), 2);
    proxy.passTime(29min);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 3);
    proxy.passTime(2min);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 3);
    QCOMPARE(proxy.wire().opened().size(), 1);
    QVERIFY(!notices(proxy, "HTTPS"));
}

void HttpsMemoryTest::everyRiderOfASwallowedDialGoesByHttps()
{
    simulator::Scenario scenario = with(upgrades(Fault::Kind::SwallowUpgrades, 1000));
    scenario.lanes = true;
    ProxyFixture proxy(scenario);
    proxy.openTimeout = 300ms;
    proxy.set(Key::Lanes, "on");
    proxy.start();
    std::vector<std::unique_ptr<tests::HttpCall>> calls;
    for (int i = 0; i < 4; ++i)
        calls.push_back(proxy.post("/v1/messages", tests::messagesBody({"hello"}), "s",
                                   "agent-" + QByteArray::number(i)));
    const auto allBackOff = [&] {
        const auto turns = proxy.engine().snapshot()->turns;
        return turns.size() == 4 && std::ranges::all_of(turns, [](const live::TurnRow &turn) {
                   return turn.phase == live::Phase::Backoff;
               });
    };
    QTRY_VERIFY(allBackOff()); // one silence, whoever rode on it
    QCOMPARE(swallowed(proxy), std::uint64_t{1});
    QCOMPARE(posts(proxy), 0);
    proxy.passTime(3s);
    for (const auto &call : calls) {
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 200);
    }
    QCOMPARE(swallowed(proxy), std::uint64_t{2});
    QCOMPARE(posts(proxy), 4);
}

void HttpsMemoryTest::aLargeDeltaGoesByHttpsAndItsHeadStays()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    const auto large = proxy.post(
        "/v1/messages",
        tests::messagesBody({"hello", agent.lastReply().toUtf8(), QByteArray(9 << 20, 'x'), "yes",
                             QByteArray(9 << 20, 'y')}),
        "s");
    QTRY_VERIFY_WITH_TIMEOUT(large->isComplete(), 30'000);
    QCOMPARE(large->status(), 200);
    QCOMPARE(posts(proxy), 1);
    QCOMPARE(proxy.wire().opened().size(), 1);
    QVERIFY(agent.say(more));
    QCOMPARE(posts(proxy), 1);
    QCOMPARE(proxy.wire().last().input(), QStringList{QStringLiteral("user: more")});
}

QTEST_GUILESS_MAIN(HttpsMemoryTest)
#include "tst_httpsmemory.moc"
