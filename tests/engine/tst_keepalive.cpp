// SPDX-License-Identifier: GPL-3.0-or-later
// A turn that waits keeps its client alive (spec/turns.md, "What the client is told"; cases B28,
// B29 and B30).
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QWebSocket>

using namespace headway;
using namespace std::chrono_literals;
using tests::messagesBody;
using tests::ProxyFixture;
using tests::ScriptedProvider;

class KeepAliveTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLongWaitOpensTheStreamWithAPing();
    void anErrorAfterThatIsAStreamErrorAndACut();
    void aTurnThatIsNotStreamedIsNeverOpenedEarly();
    void aThinkingModelLeavesNoClientWithoutBytes_data();
    void aThinkingModelLeavesNoClientWithoutBytes();
    void aThinkingModelLeavesNoSocketWithoutFrames();
    void bookkeepingUpstreamLeavesNoClientWithoutBytes();
    void aFailureIsToldThoughTheSocketStaysOpen_data();
    void aFailureIsToldThoughTheSocketStaysOpen();
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

// Events of the turn so far: created, in_progress; then nothing but pongs.
simulator::Fault thinking()
{
    simulator::Fault fault;
    fault.kind = simulator::Fault::Kind::Silence;
    fault.afterEvents = 2;
    fault.count = 1;
    return fault;
}

QJsonObject object(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
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

void KeepAliveTest::aThinkingModelLeavesNoClientWithoutBytes_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("messages") << QByteArray("/v1/messages") << messagesBody({"hello"});
    QTest::newRow("responses") << QByteArray("/v1/responses")
                               << QByteArray(R"({"model":"m","input":"hello","stream":true})");
    QTest::newRow("chat completions")
        << QByteArray("/v1/chat/completions")
        << QByteArray(
               R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hello"}]})");
}

void KeepAliveTest::aThinkingModelLeavesNoClientWithoutBytes()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, body);
    ProxyFixture proxy(silent());
    proxy.provider().add(thinking());
    proxy.start();
    const auto call = proxy.post(path, body, "s");
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    QVERIFY(proxy.passTimeAlive(15s)); // what came so far has been read
    for (int i = 0; i < 6; ++i) { // 90 s, less than the idle deadline
        const qsizetype before = call->body().size();
        QVERIFY(proxy.passTimeAlive(15s));
        QTRY_VERIFY(call->body().size() > before);
    }
    QCOMPARE(call->status(), 200);
    QVERIFY(!call->isClosed());
    if (path == "/v1/messages")
        QCOMPARE(call->events(), QList<QByteArray>(call->events().size(), "ping"));
}

void KeepAliveTest::aThinkingModelLeavesNoSocketWithoutFrames()
{
    ProxyFixture proxy(silent());
    proxy.provider().add(thinking());
    proxy.start();
    QWebSocket client;
    qsizetype frames = 0; // data: Codex counts nothing else
    connect(&client, &QWebSocket::textMessageReceived, this, [&frames] { ++frames; });
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(proxy.port())));
    QTRY_COMPARE(client.state(), QAbstractSocket::ConnectedState);
    client.sendTextMessage(QStringLiteral(
        R"({"type":"response.create","model":"m","store":false,"prompt_cache_key":"k","input":"hello"})"));
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    for (int i = 0; i < 6; ++i) {
        const qsizetype before = frames;
        QVERIFY(proxy.passTimeAlive(15s));
        QTRY_VERIFY(frames > before);
    }
    QCOMPARE(client.state(), QAbstractSocket::ConnectedState);
}

// Events that the client is not shown keep the turn alive, but not the client.
void KeepAliveTest::bookkeepingUpstreamLeavesNoClientWithoutBytes()
{
    ScriptedProvider provider;
    ProxyFixture proxy(provider.url());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(provider.creates().size(), 1);
    const ScriptedProvider::Create create = provider.creates().first();
    provider.created(create);
    provider.send(create.socket,
                  object(R"({"type":"response.output_item.added","output_index":1,)"
                         R"("item":{"type":"reasoning","id":"rs","summary":[]}})"));
    qsizetype last = 0;
    for (int seconds = 5; seconds <= 200; seconds += 5) {
        provider.send(create.socket,
                      object(R"({"type":"response.reasoning_summary_part.added","output_index":1,)"
                             R"("summary_index":0,"part":{"type":"summary_text","text":""}})"));
        proxy.passTime(5s);
        QCoreApplication::processEvents();
        if (seconds % 15 != 0 || seconds == 15) // by then it has been accepted
            continue;
        QTRY_VERIFY2(call->body().size() > last, qPrintable(QString::number(seconds)));
        last = call->body().size();
    }
    QVERIFY(!call->isClosed());
    provider.inProgress(create);
    provider.text(create, QStringLiteral("done"));
    provider.complete(create, QStringLiteral("done"));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
}

void KeepAliveTest::aFailureIsToldThoughTheSocketStaysOpen_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::newRow("response.failed") << QByteArray(
        R"({"type":"response.failed","response":{"id":"resp_hello","status":"failed",)"
        R"("error":{"code":"invalid_prompt","message":"not this"}}})");
    QTest::newRow("error") << QByteArray(
        R"({"type":"error","status":400,"error":{"type":"invalid_request_error",)"
        R"("code":"invalid_prompt","message":"not this"}})");
    QTest::newRow("error, flat") << QByteArray(
        R"({"type":"error","code":"invalid_prompt","message":"not this"})");
}

void KeepAliveTest::aFailureIsToldThoughTheSocketStaysOpen()
{
    QFETCH(const QByteArray, event);
    ScriptedProvider provider;
    ProxyFixture proxy(provider.url());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(provider.creates().size(), 1);
    provider.created(provider.creates().first());
    provider.send(0, object(event));
    QTRY_VERIFY(call->isComplete()); // long before any deadline
    QCOMPARE(call->status(), 400);
    QVERIFY2(call->body().contains("not this"), call->body().constData());
}

QTEST_GUILESS_MAIN(KeepAliveTest)
#include "tst_keepalive.moc"
