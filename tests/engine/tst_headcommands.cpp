// SPDX-License-Identifier: GPL-3.0-or-later
// What the Heads view can ask of the engine (spec/window.md, view 2; spec/heads.md section 2,
// reason `user`), with the provider's open sockets as the oracle.
#include "tests/support/proxyfixture.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::messagesBody;
using tests::ProxyFixture;

class HeadCommandsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anIdleConnectionIsEvictedAtOnce();
    void aTurnInFlightEndsBeforeItsConnectionGoes();
    void aPinnedHeadOutlivesTheCap();
};

namespace {

simulator::Scenario lasting(base::Milliseconds turn)
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {turn, turn};
    return scenario;
}

live::HeadRow onlyHead(ProxyFixture &proxy)
{
    const auto heads = proxy.engine().snapshot()->heads;
    return heads.size() == 1 ? heads.front() : live::HeadRow{};
}

} // namespace

void HeadCommandsTest::anIdleConnectionIsEvictedAtOnce()
{
    ProxyFixture proxy(lasting(0ms));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    const live::HeadRow head = onlyHead(proxy);
    QVERIFY(head.head != 0 && !head.inFlight && !head.pinned && !head.spare);
    proxy.engine().evictHead(head.connection.value(), head.head);
    QVERIFY(proxy.engine().snapshot()->heads.empty());
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{0});
    proxy.engine().evictHead(head.connection.value(), head.head); // gone already
}

void HeadCommandsTest::aTurnInFlightEndsBeforeItsConnectionGoes()
{
    ProxyFixture proxy(lasting(400ms));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{1});
    proxy.engine().evictHead(onlyHead(proxy).connection.value(), 0);
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    QTRY_VERIFY(call->isComplete());
    QVERIFY(call->events().contains("message_stop"));
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{0});
    QCOMPARE(proxy.provider().statistics().cancelled, std::uint64_t{0});
}

void HeadCommandsTest::aPinnedHeadOutlivesTheCap()
{
    ProxyFixture proxy(lasting(0ms));
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::NurseryCap, "1").accepted);
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "a");
    QTRY_VERIFY(first->isComplete());
    const live::HeadRow head = onlyHead(proxy);
    proxy.engine().pinConnection(head.connection.value(), true);
    QVERIFY(onlyHead(proxy).pinned);
    const auto second = proxy.post("/v1/messages", messagesBody({"hello"}), "b");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(proxy.provider().statistics().openSockets, std::uint64_t{2});
    proxy.engine().pinConnection(head.connection.value(), false);
    const auto third = proxy.post("/v1/messages", messagesBody({"hello"}), "c");
    QTRY_VERIFY(third->isComplete());
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{1});
}

QTEST_GUILESS_MAIN(HeadCommandsTest)
#include "tst_headcommands.moc"
