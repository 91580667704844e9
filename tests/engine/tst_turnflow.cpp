// SPDX-License-Identifier: GPL-3.0-or-later
// A turn end to end over real sockets; the provider's own counts are the oracle.
#include "tests/support/proxyfixture.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class TurnFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStreamedTurnIsACompleteMessage();
    void aTurnThatIsNotStreamedIsOneJsonMessage();
    void theSecondTurnContinuesOnTheSameConnectionWithTheDeltaOnly();
    void aDifferentAgentOfTheSessionGetsItsOwnConnection();
    void aChangedHistoryOpensANewConnectionAndKeepsTheOldOne();
    void aResponsesTurnPassesEventsOn();
    void theErrorOfABadBodyHasAStatusAndNamesTheFault();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

// The text of a streamed Messages reply, as a client puts it together.
QByteArray textOf(const HttpCall &call)
{
    QByteArray text;
    for (const QByteArray &line : call.body().split('\n')) {
        if (!line.startsWith("data: "))
            continue;
        const QJsonObject event = QJsonDocument::fromJson(line.mid(6)).object();
        const QJsonObject delta = event.value(QStringLiteral("delta")).toObject();
        text += delta.value(QStringLiteral("text")).toString().toUtf8();
    }
    return text;
}

} // namespace

void TurnFlowTest::aStreamedTurnIsACompleteMessage()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/messages?beta=true", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->header("content-type").left(17), QByteArray("text/event-stream"));
    QVERIFY(call->header("request-id").startsWith("req_"));
    const QList<QByteArray> events = call->events();
    QCOMPARE(events.first(), QByteArray("message_start"));
    QCOMPARE(events.last(), QByteArray("message_stop"));
    QCOMPARE(events.count("message_delta"), 1);
    QVERIFY(!textOf(*call).isEmpty());
    QCOMPARE(proxy.provider().statistics().turns, std::uint64_t{1});
}

void TurnFlowTest::aTurnThatIsNotStreamedIsOneJsonMessage()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}, false), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    const QJsonObject message = QJsonDocument::fromJson(call->body()).object();
    QCOMPARE(message.value(QStringLiteral("type")).toString(), QStringLiteral("message"));
    QCOMPARE(message.value(QStringLiteral("stop_reason")).toString(), QStringLiteral("end_turn"));
    QCOMPARE(message.value(QStringLiteral("model")).toString(), QStringLiteral("test-model"));
}

void TurnFlowTest::theSecondTurnContinuesOnTheSameConnectionWithTheDeltaOnly()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(first->isComplete());
    const auto second
        = proxy.post("/v1/messages", messagesBody({"hello", textOf(*first), "and now?"}), "s1");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->events().last(), QByteArray("message_stop"));
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.upgradesAccepted, std::uint64_t{1});
    QCOMPARE(seen.turns, std::uint64_t{2});
    QCOMPARE(seen.continuations, std::uint64_t{1});
}

void TurnFlowTest::aDifferentAgentOfTheSessionGetsItsOwnConnection()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto main = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(main->isComplete());
    const auto agent = proxy.post("/v1/messages", messagesBody({"hello", textOf(*main), "more"}),
                                  "s1", "a0123456789abcdef");
    QTRY_VERIFY(agent->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{0});
}

void TurnFlowTest::aChangedHistoryOpensANewConnectionAndKeepsTheOldOne()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(first->isComplete());
    const auto rewound = proxy.post("/v1/messages", messagesBody({"something else"}), "s1");
    QTRY_VERIFY(rewound->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    const auto third
        = proxy.post("/v1/messages", messagesBody({"hello", textOf(*first), "go on"}), "s1");
    QTRY_VERIFY(third->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{1});
}

void TurnFlowTest::aResponsesTurnPassesEventsOn()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/responses", R"({"model":"m","input":"hi","stream":true})");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events().first(), QByteArray("response.created"));
    QCOMPARE(call->events().last(), QByteArray("response.completed"));
}

void TurnFlowTest::theErrorOfABadBodyHasAStatusAndNamesTheFault()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/messages", R"({"model":"m","messages":[)");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 400);
    const QJsonObject error
        = QJsonDocument::fromJson(call->body()).object().value(QStringLiteral("error")).toObject();
    QCOMPARE(error.value(QStringLiteral("type")).toString(),
             QStringLiteral("invalid_request_error"));
    QVERIFY(error.value(QStringLiteral("message")).toString().contains(QStringLiteral("byte")));
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{0});
}

QTEST_GUILESS_MAIN(TurnFlowTest)
#include "tst_turnflow.moc"
