// SPDX-License-Identifier: GPL-3.0-or-later
// A turn that waits keeps its client alive (spec/turns.md, "What the client is told").
#include "tests/support/proxyfixture.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::messagesBody;
using tests::ProxyFixture;

class KeepAliveTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLongWaitOpensTheStreamWithAPing();
    void anErrorAfterThatIsAStreamErrorAndACut();
    void aTurnThatIsNotStreamedIsNeverOpenedEarly();
};

namespace {

simulator::Scenario silent()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {60s, 60s};
    scenario.turn = {60s, 60s};
    return scenario;
}

void openAfterOneSecond(ProxyFixture &proxy)
{
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::OpenStreamAfterMs, "1000")
                .accepted);
}

} // namespace

void KeepAliveTest::aLongWaitOpensTheStreamWithAPing()
{
    ProxyFixture proxy(silent());
    openAfterOneSecond(proxy);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->hasHead());
    QCOMPARE(call->status(), 200);
    QTRY_COMPARE(call->events().value(0), QByteArray("ping"));
    QVERIFY(!call->events().contains("message_start")); // held until the first output
}

void KeepAliveTest::anErrorAfterThatIsAStreamErrorAndACut()
{
    simulator::Scenario scenario = silent();
    simulator::Fault broken;
    broken.kind = simulator::Fault::Kind::ErrorEvent;
    broken.status = 400;
    broken.code = "invalid_prompt";
    broken.count = 1;
    broken.afterEvents = 3; // the third comes with the first token
    scenario.faults = {broken};
    scenario.firstToken = {3s, 3s};
    ProxyFixture proxy(scenario);
    openAfterOneSecond(proxy);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isClosed(), 10'000);
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events().value(0), QByteArray("ping"));
    QCOMPARE(call->events().last(), QByteArray("error"));
    QVERIFY(!call->isComplete());
}

void KeepAliveTest::aTurnThatIsNotStreamedIsNeverOpenedEarly()
{
    simulator::Scenario scenario = silent();
    scenario.firstToken = {2500ms, 2500ms};
    scenario.turn = {2600ms, 2600ms};
    ProxyFixture proxy(scenario);
    openAfterOneSecond(proxy);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}, false), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 10'000);
    QVERIFY(call->header("content-type").startsWith("application/json"));
}

QTEST_GUILESS_MAIN(KeepAliveTest)
#include "tst_keepalive.moc"
