// SPDX-License-Identifier: GPL-3.0-or-later
// What a turn holds is given back however it ends, and a machine that stands still for a while
// costs nobody a turn (cases B53, B54 and B57).
#include "tests/support/conversation.h"

#include <QElapsedTimer>
#include <QTest>

#include <memory>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class SlotsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStreamThatItsClientDropsMakesRoom();
    void aBadTurnAndASilentProviderMakeRoom();
    void aStarvedLoopRefusesNobody();
};

namespace {

// One connection at a time; another one would be rejected, and be seen.
simulator::Scenario oneAtATime(std::chrono::milliseconds turn)
{
    simulator::Scenario scenario = answering();
    simulator::UpgradeLimit limit;
    limit.kind = simulator::UpgradeLimit::Kind::Concurrent;
    limit.max = {1};
    scenario.upgradeLimits = {limit};
    scenario.replies.clear(); // a text of many deltas
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {turn, turn};
    return scenario;
}

Fault badRequest()
{
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.status = 400;
    fault.code = "invalid_prompt";
    fault.count = 1;
    return fault;
}

Fault silence()
{
    Fault fault;
    fault.kind = Fault::Kind::Silence;
    fault.count = 1;
    return fault;
}

} // namespace

void SlotsTest::aStreamThatItsClientDropsMakesRoom()
{
    ProxyFixture proxy(oneAtATime(10s));
    proxy.start();
    for (int i = 0; i < 5; ++i) {
        const auto call
            = proxy.post("/v1/messages", messagesBody({"hello"}), QByteArray::number(i));
        QTRY_VERIFY(call->body().contains("text_delta"));
        call->abort();
        QTRY_COMPARE(proxy.wire().gone().size(), i + 1);
    }
    QCOMPARE(proxy.wire().rejections(), QList<int>());
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
}

void SlotsTest::aBadTurnAndASilentProviderMakeRoom()
{
    ProxyFixture proxy(oneAtATime(1ms));
    proxy.set(settings::Key::Retries, "0");
    proxy.start();
    proxy.provider().add(badRequest());
    const auto bad = proxy.post("/v1/messages", messagesBody({"bad"}), "bad");
    QTRY_VERIFY(bad->isComplete());
    QCOMPARE(bad->status(), 400);
    QTRY_COMPARE(proxy.wire().gone().size(), 1);
    Fault thinking = silence();
    thinking.afterEvents = 2;
    proxy.provider().add(thinking);
    const auto silent = proxy.post("/v1/messages", messagesBody({"silent"}, false), "silent");
    QTRY_COMPARE(proxy.wire().sent().size(), 2);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::FirstByte);
    (void)proxy.passTimeAlive(135s); // beyond its idle deadline
    QTRY_VERIFY(silent->isComplete());
    QCOMPARE(silent->status(), 504);
    QTRY_COMPARE(proxy.wire().gone().size(), 2);
    Conversation third(proxy, "third");
    QVERIFY(third.say(QStringLiteral("hello")));
    QCOMPARE(proxy.wire().rejections(), QList<int>());
}

void SlotsTest::aStarvedLoopRefusesNobody()
{
    constexpr int agents = 26;
    constexpr auto standing = 40s; // more than a ping may take
    simulator::Scenario scenario = answering();
    scenario.firstToken = scenario.turn = {150ms, 150ms};
    ProxyFixture proxy(scenario);
    proxy.set(settings::Key::Policy, "off");
    proxy.start();
    std::vector<std::unique_ptr<Conversation>> all;
    for (int i = 0; i < agents; ++i) {
        all.push_back(std::make_unique<Conversation>(proxy, "s" + QByteArray::number(i)));
        QVERIFY(all.back()->say(QStringLiteral("hello")));
    }
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (const auto &agent : all)
        calls.push_back(agent->begin(QStringLiteral("more")));
    QTRY_VERIFY(proxy.engine().turnsInFlight() > 0); // some have come in, others have not
    proxy.passTime(standing);
    for (int i = 0; i < agents; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(calls[std::size_t(i)]->isComplete(), 20'000);
        QVERIFY2(all[std::size_t(i)]->take(*calls[std::size_t(i)]),
                 calls[std::size_t(i)]->body().constData());
    }
    QCOMPARE(proxy.wire().opened().size(), agents); // and each went on where it was
    QCOMPARE(proxy.wire().sent().size(), 2 * agents);
}

QTEST_GUILESS_MAIN(SlotsTest)
#include "tst_slots.moc"
