// SPDX-License-Identifier: GPL-3.0-or-later
// Each row of spec/heads.md section 8 that stays on WebSocket, told by the frames that arrive at
// the provider: how many sockets, which previous_response_id, which input items. What comes after
// output is in tst_afteroutput; what falls back to HTTPS, elsewhere.
#include "tests/store/sqliterows.h"
#include "tests/support/conversation.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::ProxyFixture;
using tests::Sent;

class WireRecoveryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFaultOfTheDeltaIsSentInFullOnTheSameSocket_data();
    void aFaultOfTheDeltaIsSentInFullOnTheSameSocket();
    void aFaultOfTheDeltaIsCuredOnce();
    void whatWasSentInFullIsNotSentAgain();
    void anOldSocketIsReplacedWithoutSpendingARetry();
    void aSocketThatTheProviderRetiresIsForgotten();
    void aLostSocketIsReplacedOnce_data();
    void aLostSocketIsReplacedOnce();
    void aSecondLostSocketTakesTheLadder();
    void aTerminalCloseCodeIsToldAtOnce_data();
    void aTerminalCloseCodeIsToldAtOnce();
    void anEmptyRejectionIsTriedAgain();
    void aBlockIsTerminal_data();
    void aBlockIsTerminal();
    void reasoningThatCannotBeReadIsLeftOutOnce();
    void anEmptyReplyIsAskedForAgainOnTheSameSocket();
    void aSecondEmptyReplyIsToldAndItsHeadStays();
    void aServerErrorIsTriedOnceOnANewSocket();
    void anotherBadRequestIsPassedOn();
};

namespace {

const QString hello = QStringLiteral("hello");
const QString more = QStringLiteral("more");
const QStringList whole{QStringLiteral("user: hello"), QStringLiteral("assistant: one"),
                        QStringLiteral("user: more")};
const QStringList delta{QStringLiteral("user: more")};
constexpr auto aSecond = 1'000;

Fault errorEvent(int status, const QByteArray &code, int count = 1, const QByteArray &message = {})
{
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.status = status;
    fault.code = code;
    fault.message = message;
    fault.count = count;
    return fault;
}

Fault cut(Fault::Kind kind, int closeCode = 1011)
{
    Fault fault;
    fault.kind = kind;
    fault.closeCode = static_cast<std::uint16_t>(closeCode);
    fault.count = 1;
    return fault;
}

const Sent &sent(const ProxyFixture &proxy, qsizetype index)
{
    return proxy.wire().sent().at(index);
}

// An agent whose second turn meets the fault.
struct Case
{
    explicit Case(const QList<Fault> &faults, const char *retries = nullptr)
        : proxy(answering())
        , agent(proxy, "s")
    {
        if (retries != nullptr)
            proxy.set(settings::Key::Retries, retries);
        proxy.start();
        if (!agent.say(hello))
            qFatal("the first turn failed");
        for (const Fault &fault : faults)
            proxy.provider().add(fault);
    }

    ProxyFixture proxy;
    Conversation agent;
};

} // namespace

void WireRecoveryTest::aFaultOfTheDeltaIsSentInFullOnTheSameSocket_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("the parent is gone")
        << QByteArray("previous_response_not_found") << QByteArray("gone");
    QTest::newRow("a call is missing")
        << QByteArray()
        << QByteArray("No tool call found for function call output with call_id call_1.");
}

void WireRecoveryTest::aFaultOfTheDeltaIsSentInFullOnTheSameSocket()
{
    QFETCH(const QByteArray, code);
    QFETCH(const QByteArray, message);
    Case c({errorEvent(400, code, 1, message)}, "0");
    QVERIFY(c.agent.say(more));
    QCOMPARE(c.agent.lastReply(), QStringLiteral("two"));
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.sent().size(), 3);
    QCOMPARE(wire.opened().size(), 1);
    QCOMPARE(sent(c.proxy, 1).previous(), wire.completed().at(0));
    QCOMPARE(sent(c.proxy, 1).input(), delta);
    QCOMPARE(sent(c.proxy, 2).previous(), QString());
    QCOMPARE(sent(c.proxy, 2).input(), whole);
    // And the conversation goes on from there.
    QVERIFY(c.agent.say(more));
    QCOMPARE(wire.opened().size(), 1);
    QCOMPARE(wire.last().previous(), wire.completed().at(1));
    QCOMPARE(wire.last().input(), delta);
}

void WireRecoveryTest::aFaultOfTheDeltaIsCuredOnce()
{
    Case c({errorEvent(400, "previous_response_not_found", 2)});
    QVERIFY(!c.agent.say(more));
    QCOMPARE(c.agent.lastStatus(), 400);
    QCOMPARE(c.proxy.wire().sent().size(), 3);
    QCOMPARE(c.proxy.wire().opened().size(), 1);
}

void WireRecoveryTest::whatWasSentInFullIsNotSentAgain()
{
    ProxyFixture proxy(answering());
    proxy.start();
    proxy.provider().add(
        errorEvent(400, {}, 1, "No tool call found for function call output with call_id call_1."));
    Conversation agent(proxy, "s");
    QVERIFY(!agent.say(hello));
    QCOMPARE(agent.lastStatus(), 400);
    QCOMPARE(proxy.wire().sent().size(), 1);
}

void WireRecoveryTest::anOldSocketIsReplacedWithoutSpendingARetry()
{
    Case c({errorEvent(400, "websocket_connection_limit_reached")}, "0"); // none to spend
    QVERIFY(c.agent.say(more));
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.sent().size(), 3);
    QCOMPARE(wire.opened().size(), 2);
    QCOMPARE(sent(c.proxy, 2).socket, wire.opened().at(1));
    QCOMPARE(sent(c.proxy, 2).previous(), QString());
    QCOMPARE(sent(c.proxy, 2).input(), whole);
    QTRY_COMPARE(wire.gone(), QList<std::uint64_t>{wire.opened().at(0)});
    QVERIFY(c.agent.say(more));
    QCOMPARE(wire.last().socket, wire.opened().at(1));
    QCOMPARE(wire.last().previous(), wire.completed().at(1));
}

void WireRecoveryTest::aSocketThatTheProviderRetiresIsForgotten()
{
    simulator::Scenario scenario = answering();
    scenario.connectionMaxAge = 300ms;
    ProxyFixture proxy(scenario);
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QTRY_COMPARE(proxy.wire().gone().size(), 1); // the error event, then close 1001
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().sent().size(), 2);
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input(), whole);
}

void WireRecoveryTest::aLostSocketIsReplacedOnce_data()
{
    QTest::addColumn<Fault>("fault");
    QTest::newRow("reset") << cut(Fault::Kind::Reset);
    QTest::newRow("end without a close frame") << cut(Fault::Kind::Eof);
    for (const int code : {1000, 1001, 1011, 1012})
        QTest::addRow("close %d", code) << cut(Fault::Kind::Close, code);
}

void WireRecoveryTest::aLostSocketIsReplacedOnce()
{
    QFETCH(const Fault, fault);
    Case c({fault}, "0");
    QElapsedTimer timer;
    timer.start();
    QVERIFY(c.agent.say(more));
    QVERIFY(timer.elapsed() < aSecond); // at once
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.opened().size(), 2);
    QCOMPARE(wire.sent().size(), 3);
    QCOMPARE(sent(c.proxy, 1).previous(), wire.completed().at(0));
    QCOMPARE(sent(c.proxy, 2).socket, wire.opened().at(1));
    QCOMPARE(sent(c.proxy, 2).previous(), QString());
    QCOMPARE(sent(c.proxy, 2).input(), whole);
}

void WireRecoveryTest::aSecondLostSocketTakesTheLadder()
{
    Case c({cut(Fault::Kind::Reset), cut(Fault::Kind::Reset)}, "1");
    const auto call = c.agent.begin(more);
    QTRY_COMPARE(c.proxy.wire().gone().size(), 2);
    QTRY_COMPARE(c.proxy.turn().phase, live::Phase::Backoff);
    QCOMPARE(c.proxy.wire().sent().size(), 3);
    c.proxy.passTime(2s); // the first rung at its longest
    QTRY_VERIFY(call->isComplete());
    QVERIFY(c.agent.take(*call));
    QCOMPARE(c.proxy.wire().opened().size(), 3);
    QCOMPARE(c.proxy.wire().sent().size(), 4);
}

void WireRecoveryTest::aTerminalCloseCodeIsToldAtOnce_data()
{
    QTest::addColumn<int>("code");
    QTest::newRow("policy violation") << 1008;
    QTest::newRow("out of credits") << 4402;
}

void WireRecoveryTest::aTerminalCloseCodeIsToldAtOnce()
{
    QFETCH(const int, code);
    Case c({cut(Fault::Kind::Close, code)});
    QVERIFY(!c.agent.say(more));
    QVERIFY(c.agent.lastStatus() >= 400);
    QCOMPARE(c.proxy.wire().opened().size(), 1);
    QCOMPARE(c.proxy.wire().sent().size(), 2);
}

void WireRecoveryTest::anEmptyRejectionIsTriedAgain()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Fault reject;
    reject.status = 403;
    reject.count = 1;
    proxy.provider().add(reject);
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().rejections(), QList<int>{403});
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(3s);
    QTRY_VERIFY(call->isComplete());
    QVERIFY(agent.take(*call));
    QCOMPARE(proxy.wire().opened().size(), 1);
}

void WireRecoveryTest::aBlockIsTerminal_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("header");
    for (const QByteArray policy : {"bucket", "auto", "off", "fixed", "adaptive"}) {
        QTest::addRow("region, %s", policy.constData())
            << policy << QByteArray(R"({"error":{"code":"unsupported_country_region_territory"}})")
            << QByteArray();
        QTest::addRow("bot wall, %s", policy.constData())
            << policy << QByteArray() << QByteArray("cf-mitigated");
        QTest::addRow("page, %s", policy.constData())
            << policy << QByteArray("<html><body>Sorry, you have been blocked</body></html>")
            << QByteArray();
    }
}

void WireRecoveryTest::aBlockIsTerminal()
{
    QFETCH(const QByteArray, policy);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, header);
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::Policy, policy.toStdString());
    proxy.start();
    Fault block;
    block.kind = Fault::Kind::UpgradeBody;
    block.status = 403;
    block.body = body;
    if (!header.isEmpty())
        block.headers.emplace_back(header, "challenge");
    proxy.provider().add(block);
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 403);
    QVERIFY(call->body().contains("permission_error"));
    QCOMPARE(proxy.wire().rejections(), QList<int>{403}); // asked once
    QVERIFY(proxy.wire().opened().isEmpty());
}

// B68
void WireRecoveryTest::reasoningThatCannotBeReadIsLeftOutOnce()
{
    ProxyFixture proxy(answering());
    proxy.start();
    // The provider did not make this blob and says so by itself.
    const QByteArray body = R"({"model":"m","stream":true,"store":false,"input":[
        {"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]},
        {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAbad"},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"one"}]},
        {"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}]})";
    const auto call = proxy.post("/v1/responses", body, "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QVERIFY(call->body().contains("response.completed"));
    const auto &wire = proxy.wire();
    QCOMPARE(wire.sent().size(), 2);
    QCOMPARE(sent(proxy, 0).input(),
             (QStringList{QStringLiteral("user: hello"), QStringLiteral("reasoning"),
                          QStringLiteral("assistant: one"), QStringLiteral("user: more")}));
    QCOMPARE(sent(proxy, 1).input(), whole);
    QCOMPARE(sent(proxy, 1).previous(), QString());
    proxy.stop();
    QCOMPARE(testsupport::number(
                 proxy.ledgerPath(),
                 QStringLiteral(
                     "SELECT count(*) FROM warning WHERE key = 'upstream.reasoning.dropped'")),
             1);
}

void WireRecoveryTest::anEmptyReplyIsAskedForAgainOnTheSameSocket()
{
    Fault empty;
    empty.kind = Fault::Kind::EmptyCompleted;
    empty.count = 1;
    Case c({empty}, "0");
    QVERIFY(c.agent.say(more));
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.opened().size(), 1);
    QCOMPARE(wire.sent().size(), 3);
    QVERIFY(c.agent.say(more));
    QCOMPARE(wire.opened().size(), 1);
    QCOMPARE(wire.last().previous(), wire.completed().at(2)); // the empty one is the second
    QCOMPARE(wire.last().input(), delta);
}

// B70
void WireRecoveryTest::aSecondEmptyReplyIsToldAndItsHeadStays()
{
    Fault empty;
    empty.kind = Fault::Kind::EmptyCompleted;
    empty.count = 2;
    Case c({empty});
    QVERIFY(!c.agent.say(more));
    QVERIFY(c.agent.lastStatus() >= 500);
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.sent().size(), 3);
    QCOMPARE(wire.opened().size(), 1);
    QVERIFY(wire.gone().isEmpty());
    // It completed, with nothing to echo: what is said next goes on from there.
    QVERIFY(c.agent.say(QStringLiteral("please")));
    QCOMPARE(wire.opened().size(), 1);
    QCOMPARE(wire.last().previous(), wire.completed().at(2));
    QCOMPARE(wire.last().input(), QStringList{QStringLiteral("user: please")});
}

void WireRecoveryTest::aServerErrorIsTriedOnceOnANewSocket()
{
    Case c({errorEvent(500, "server_error", 2)});
    const auto call = c.agent.begin(more);
    QTRY_COMPARE(c.proxy.wire().gone().size(), 1);
    QTRY_COMPARE(c.proxy.turn().phase, live::Phase::Backoff);
    c.proxy.passTime(2s);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 500);
    const auto &wire = c.proxy.wire();
    QCOMPARE(wire.sent().size(), 3);
    QCOMPARE(wire.opened().size(), 2);
    QCOMPARE(sent(c.proxy, 2).input(), whole);
    QCOMPARE(sent(c.proxy, 2).socket, wire.opened().at(1));
}

void WireRecoveryTest::anotherBadRequestIsPassedOn()
{
    Case c({errorEvent(400, "invalid_prompt")});
    QVERIFY(!c.agent.say(more));
    QCOMPARE(c.agent.lastStatus(), 400);
    QCOMPARE(c.proxy.wire().sent().size(), 2);
    QCOMPARE(c.proxy.wire().opened().size(), 1);
}

QTEST_GUILESS_MAIN(WireRecoveryTest)
#include "tst_wirerecovery.moc"
