// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 8, last line: after output a fault is an honest error on the stream, never
// a replay, never a clean-looking end. B20 of cases/reports.md.
#include "tests/support/conversation.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::ProxyFixture;

class AfterOutputTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFaultIsAnErrorOnTheStream_data();
    void aFaultIsAnErrorOnTheStream();
    void theSameForAResponsesClient_data() { aFaultIsAnErrorOnTheStream_data(); }
    void theSameForAResponsesClient();
    void aDeadSocketIsToldByTheProbe();
    void silenceIsToldByTheIdleDeadline();
};

namespace {

// created, in_progress, output_item.added, content_part.added, one delta.
constexpr int afterTheFirstDelta = 5;

Fault fault(Fault::Kind kind, int status = 500, const QByteArray &code = "server_error")
{
    Fault made;
    made.kind = kind;
    made.status = status;
    made.code = code;
    made.afterEvents = afterTheFirstDelta;
    made.count = 10; // a replay would meet it too, and be seen
    return made;
}

Fault closing(std::uint16_t code)
{
    Fault made = fault(Fault::Kind::Close);
    made.closeCode = code;
    return made;
}

// Plays the fault once the client has output: bytes before a RST may be lost with it, so that one
// waits for them.
bool play(ProxyFixture &proxy, const Fault &played, const HttpCall &call)
{
    if (played.kind != Fault::Kind::Reset)
        return true;
    if (!QTest::qWaitFor([&] { return call.body().contains("delta"); }))
        return false;
    proxy.provider().strike(played);
    return true;
}

void prepare(ProxyFixture &proxy, const Fault &played)
{
    proxy.provider().add(played.kind == Fault::Kind::Reset ? fault(Fault::Kind::Silence) : played);
}

// The client saw output, then an error as the last event, and no proper end of the body.
void expectHonestEnd(const HttpCall &call)
{
    QCOMPARE(call.status(), 200); // it had begun well
    QVERIFY(call.body().contains("text_delta"));
    QCOMPARE(call.events().last(), QByteArray("error"));
    QCOMPARE(call.events().count("error"), 1);
    QCOMPARE(call.events().count("message_start"), 1);
    QVERIFY(!call.events().contains("message_stop"));
    QVERIFY(!call.isComplete()); // the last chunk is missing
}

void expectNoReplay(const ProxyFixture &proxy)
{
    QCOMPARE(proxy.wire().sent().size(), 1);
    QCOMPARE(proxy.wire().opened().size(), 1);
}

} // namespace

void AfterOutputTest::aFaultIsAnErrorOnTheStream_data()
{
    QTest::addColumn<Fault>("played");
    QTest::newRow("reset") << fault(Fault::Kind::Reset);
    QTest::newRow("end of file") << fault(Fault::Kind::Eof);
    QTest::newRow("close 1000") << closing(1000);
    QTest::newRow("close 1009") << closing(1009);
    QTest::newRow("close 1011") << closing(1011);
    QTest::newRow("close 4402") << closing(4402);
    QTest::newRow("server error") << fault(Fault::Kind::ErrorEvent);
    QTest::newRow("rate limit") << fault(Fault::Kind::ErrorEvent, 429, "rate_limit_exceeded");
    QTest::newRow("B20: lifetime limit")
        << fault(Fault::Kind::ErrorEvent, 400, "websocket_connection_limit_reached");
    QTest::newRow("parent gone") << fault(Fault::Kind::ErrorEvent, 400,
                                          "previous_response_not_found");
    QTest::newRow("reasoning") << fault(Fault::Kind::ErrorEvent, 400, "invalid_encrypted_content");
}

void AfterOutputTest::aFaultIsAnErrorOnTheStream()
{
    QFETCH(const Fault, played);
    ProxyFixture proxy(answering());
    proxy.start();
    prepare(proxy, played);
    Conversation agent(proxy, "s");
    const auto call = agent.begin(QStringLiteral("hello"));
    QVERIFY(play(proxy, played, *call));
    QTRY_VERIFY(call->isClosed());
    expectHonestEnd(*call);
    expectNoReplay(proxy);
    QTRY_COMPARE(proxy.wire().gone().size(), 1); // nobody goes on from half a reply
}

void AfterOutputTest::theSameForAResponsesClient()
{
    QFETCH(const Fault, played);
    ProxyFixture proxy(answering());
    proxy.start();
    prepare(proxy, played);
    const auto call = proxy.post(
        "/v1/responses", R"({"model":"m","stream":true,"store":false,"input":"hello"})", "s");
    QVERIFY(play(proxy, played, *call));
    QTRY_VERIFY(call->isClosed());
    QCOMPARE(call->status(), 200);
    QVERIFY(call->body().contains("response.output_text.delta"));
    const QByteArray last = call->events().last();
    QVERIFY2(last == "response.failed" || last == "error", last.constData());
    QVERIFY(!call->events().contains("response.completed"));
    expectNoReplay(proxy);
}

void AfterOutputTest::aDeadSocketIsToldByTheProbe()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Fault dead = fault(Fault::Kind::Silence);
    dead.pongs = false;
    proxy.provider().add(dead);
    Conversation agent(proxy, "s");
    const auto call = agent.begin(QStringLiteral("hello"));
    QTRY_VERIFY(call->body().contains("text_delta"));
    for (const auto step : {15s, 10s, 10s})
        proxy.passTime(step);
    QTRY_VERIFY(call->isClosed());
    expectHonestEnd(*call);
    expectNoReplay(proxy);
}

void AfterOutputTest::silenceIsToldByTheIdleDeadline()
{
    ProxyFixture proxy(answering());
    proxy.start();
    proxy.provider().add(fault(Fault::Kind::Silence));
    Conversation agent(proxy, "s");
    const auto call = agent.begin(QStringLiteral("hello"));
    QTRY_VERIFY(call->body().contains("text_delta"));
    proxy.passTime(119s);
    QTRY_COMPARE(proxy.wire().pings(), 1);
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{1}); // a pong is no model event
    proxy.passTime(2s);
    QTRY_VERIFY(call->isClosed());
    expectHonestEnd(*call);
    expectNoReplay(proxy);
}

QTEST_GUILESS_MAIN(AfterOutputTest)
#include "tst_afteroutput.moc"
