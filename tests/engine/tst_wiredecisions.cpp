// SPDX-License-Identifier: GPL-3.0-or-later
// Each decision of spec/heads.md section 4 that needs no lanes, told by the frames that arrive at
// the provider: on which socket, with which previous_response_id, with which input items.
#include "tests/support/conversation.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::answering;
using tests::Conversation;
using tests::ProxyFixture;
using tests::Sent;

class WireDecisionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstTurnOfAnAgentOpensASocketAndSendsEverything();
    void aTurnThatGoesOnSendsOnlyItsNewItemsOnTheSameSocket();
    void anotherAgentOfTheSessionHasItsOwnPartition();
    void aChangedHistoryGoesElsewhereAndTheOldHeadGoesOn();
    void aBusyParentIsLeftAlone();
    void anUnrelatedBusySiblingIsolatesNobody();
    void anIsolatedTurnBesideItsParentIsNotKept();
    void anIsolatedTurnWhoseParentIsGoneIsKept();
    void aParentThatWillSoonBeDoneIsWaitedFor();
    void withoutAKeyNothingIsEverContinued();
};

namespace {

QString idOf(const ProxyFixture &proxy, qsizetype turn)
{
    return proxy.wire().completed().at(turn);
}

const Sent &sent(const ProxyFixture &proxy, qsizetype index)
{
    return proxy.wire().sent().at(index);
}

simulator::Scenario taking(std::chrono::milliseconds turn)
{
    simulator::Scenario scenario = answering();
    scenario.turn = {turn, turn};
    return scenario;
}

// A turn that has begun at the provider.
std::unique_ptr<tests::HttpCall> underWay(ProxyFixture &proxy, Conversation &agent,
                                          const QString &text)
{
    const qsizetype before = proxy.wire().sent().size();
    auto call = agent.begin(text);
    if (!QTest::qWaitFor([&] { return proxy.wire().sent().size() > before; }, 10'000))
        qFatal("the turn did not reach the provider");
    return call;
}

} // namespace

void WireDecisionsTest::theFirstTurnOfAnAgentOpensASocketAndSendsEverything()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(QStringLiteral("hello")));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().sent().size(), 1);
    QCOMPARE(sent(proxy, 0).previous(), QString());
    QCOMPARE(sent(proxy, 0).input(), QStringList{QStringLiteral("user: hello")});
}

void WireDecisionsTest::aTurnThatGoesOnSendsOnlyItsNewItemsOnTheSameSocket()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(QStringLiteral("hello")));
    QVERIFY(agent.say(QStringLiteral("more")));
    QVERIFY(agent.say(QStringLiteral("still more")));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().sent().size(), 3);
    QCOMPARE(sent(proxy, 1).previous(), idOf(proxy, 0));
    QCOMPARE(sent(proxy, 1).input(), QStringList{QStringLiteral("user: more")});
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 1));
    QCOMPARE(sent(proxy, 2).input(), QStringList{QStringLiteral("user: still more")});
    QCOMPARE(agent.lastReply(), QStringLiteral("three"));
}

void WireDecisionsTest::anotherAgentOfTheSessionHasItsOwnPartition()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation one(proxy, "s", "a1");
    Conversation two(proxy, "s", "a2");
    QVERIFY(one.say(QStringLiteral("hello")));
    QVERIFY(two.say(QStringLiteral("hello"))); // the very same words
    QVERIFY(one.say(QStringLiteral("more")));
    QVERIFY(two.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(sent(proxy, 1).previous(), QString());
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 0));
    QCOMPARE(sent(proxy, 2).socket, sent(proxy, 0).socket);
    QCOMPARE(sent(proxy, 3).previous(), idOf(proxy, 1));
    QCOMPARE(sent(proxy, 3).socket, sent(proxy, 1).socket);
}

void WireDecisionsTest::aChangedHistoryGoesElsewhereAndTheOldHeadGoesOn()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(QStringLiteral("hello")));
    Conversation rewound(proxy, "s");
    QVERIFY(rewound.say(QStringLiteral("hello again")));
    QVERIFY(agent.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QVERIFY(sent(proxy, 1).socket != sent(proxy, 0).socket);
    QCOMPARE(sent(proxy, 1).previous(), QString());
    QCOMPARE(sent(proxy, 1).input(), QStringList{QStringLiteral("user: hello again")});
    QCOMPARE(sent(proxy, 2).socket, sent(proxy, 0).socket);
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 0));
    QCOMPARE(sent(proxy, 2).input(), QStringList{QStringLiteral("user: more")});
}

void WireDecisionsTest::aBusyParentIsLeftAlone()
{
    ProxyFixture proxy(taking(300ms));
    proxy.start();
    Conversation agent(proxy, "s");
    const auto parent = underWay(proxy, agent, QStringLiteral("hello"));
    Conversation again(proxy, "s");
    const auto beside = underWay(proxy, again, QStringLiteral("hello"));
    QCOMPARE(proxy.wire().completed().size(), 0); // both run
    QCOMPARE(proxy.wire().opened().size(), 2);
    QVERIFY(sent(proxy, 1).socket != sent(proxy, 0).socket);
    QCOMPARE(sent(proxy, 1).previous(), QString());
    QCOMPARE(sent(proxy, 1).input(), QStringList{QStringLiteral("user: hello")});
    QTRY_VERIFY(parent->isComplete() && beside->isComplete());
    QVERIFY(agent.take(*parent));
    QVERIFY(agent.say(QStringLiteral("more")));
    QCOMPARE(sent(proxy, 2).socket, sent(proxy, 0).socket);
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 0));
}

void WireDecisionsTest::anUnrelatedBusySiblingIsolatesNobody()
{
    ProxyFixture proxy(taking(300ms));
    proxy.start();
    Conversation one(proxy, "s");
    Conversation two(proxy, "s");
    const auto first = underWay(proxy, one, QStringLiteral("hello"));
    const auto second = underWay(proxy, two, QStringLiteral("something else"));
    QTRY_VERIFY(first->isComplete() && second->isComplete());
    QVERIFY(two.take(*second));
    // An isolated head would be gone; this one is continued.
    QVERIFY(two.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().gone().size(), 0);
    QCOMPARE(sent(proxy, 2).socket, sent(proxy, 1).socket);
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 1));
}

void WireDecisionsTest::anIsolatedTurnBesideItsParentIsNotKept()
{
    ProxyFixture proxy(taking(300ms));
    proxy.start();
    Conversation agent(proxy, "s");
    Conversation again(proxy, "s");
    const auto parent = underWay(proxy, agent, QStringLiteral("hello"));
    const auto beside = underWay(proxy, again, QStringLiteral("hello"));
    QTRY_VERIFY(parent->isComplete() && beside->isComplete());
    QTRY_COMPARE(proxy.wire().gone(), QList<std::uint64_t>{sent(proxy, 1).socket});
}

void WireDecisionsTest::anIsolatedTurnWhoseParentIsGoneIsKept()
{
    ProxyFixture proxy(taking(300ms));
    proxy.start();
    Conversation agent(proxy, "s");
    Conversation again(proxy, "s");
    const auto parent = underWay(proxy, agent, QStringLiteral("hello"));
    const auto beside = underWay(proxy, again, QStringLiteral("hello"));
    parent->abort(); // the client tries again after a while, say
    QTRY_COMPARE(proxy.wire().gone(), QList<std::uint64_t>{sent(proxy, 0).socket});
    QTRY_VERIFY(beside->isComplete());
    QVERIFY(again.take(*beside));
    QVERIFY(again.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(sent(proxy, 2).socket, sent(proxy, 1).socket);
    QCOMPARE(sent(proxy, 2).previous(), idOf(proxy, 0));
}

void WireDecisionsTest::aParentThatWillSoonBeDoneIsWaitedFor()
{
    ProxyFixture proxy(taking(300ms));
    proxy.start();
    Conversation agent(proxy, "s");
    for (int i = 0; i < 5; ++i) // five turns tell how long one takes
        QVERIFY(agent.say(QString::number(i)));
    const auto parent = underWay(proxy, agent, QStringLiteral("hello"));
    // A client that knows the reply before the proxy has seen its end.
    Conversation ahead(proxy, "s");
    ahead.messages() = agent.messages();
    ahead.messages().append(QJsonObject{{QStringLiteral("role"), QStringLiteral("assistant")},
                                        {QStringLiteral("content"), QStringLiteral("four")}});
    const auto next = ahead.begin(QStringLiteral("more"));
    QTRY_VERIFY(parent->isComplete() && next->isComplete());
    QVERIFY(ahead.take(*next));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().last().previous(), idOf(proxy, 5));
    QCOMPARE(proxy.wire().last().input(), QStringList{QStringLiteral("user: more")});
}

void WireDecisionsTest::withoutAKeyNothingIsEverContinued()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation nobody(proxy, {});
    QVERIFY(nobody.say(QStringLiteral("hello")));
    QVERIFY(nobody.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(sent(proxy, 1).previous(), QString());
    QCOMPARE(sent(proxy, 1).input(),
             (QStringList{QStringLiteral("user: hello"), QStringLiteral("assistant: one"),
                          QStringLiteral("user: more")}));
    QTRY_COMPARE(proxy.wire().gone().size(), 2); // of no use to anybody
}

QTEST_GUILESS_MAIN(WireDecisionsTest)
#include "tst_wiredecisions.moc"
