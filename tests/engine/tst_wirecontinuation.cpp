// SPDX-License-Identifier: GPL-3.0-or-later
// Section 5 of cases/reports.md, continuation and prompt cache: B39 to B47, told by the frames that
// arrive at the provider.
#include "tests/support/conversation.h"

#include <QJsonDocument>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::ProxyFixture;
using tests::Sent;

class WireContinuationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void b39AnExpiredParentIsNotFatal();
    void b40AnIdIsUsedOnItsOwnLiveSocketOnly();
    void b41RewrittenArgumentsContinue();
    void b42AThreadedContinueIsRefusedBeforeAnythingGoesUp();
    void b44TheCacheKeyIsTheSameInEveryTurn();
    void b45AgentsOfOneSessionContinueTheirOwnSockets();
    void b46TheCacheKeyPerAgentIsASetting_data();
    void b46TheCacheKeyPerAgentIsASetting();
    void b47NoAgentUsesAnothersContinuation();
};

namespace {

const QString hello = QStringLiteral("hello");
const QString more = QStringLiteral("more");

QString keyOf(const Sent &sent)
{
    return sent.body.value(QLatin1String("prompt_cache_key")).toString();
}

// Each later create goes on from the response its own socket completed last, and sends one item.
struct Checker
{
    std::map<QString, std::uint64_t> sockets; // by agent
    std::map<std::uint64_t, QString> latest;
    int wrong = 0;

    void take(const simulator::WireEvent &event)
    {
        using Kind = simulator::WireEvent::Kind;
        const QJsonObject json = QJsonDocument::fromJson(event.text).object();
        if (event.kind == Kind::Reply
            && json.value(QLatin1String("type")) == QLatin1String("response.completed"))
            latest[event.connection] = json.value(QLatin1String("response"))
                                           .toObject()
                                           .value(QLatin1String("id"))
                                           .toString();
        if (event.kind != Kind::Create)
            return;
        const Sent sent{event.connection, false, json};
        const QString agent = sent.input().last().section(u' ', 1, 1); // "user: a1 turn 2"
        const auto known = sockets.find(agent);
        if (known == sockets.end()) {
            sockets[agent] = event.connection;
            wrong += !sent.previous().isEmpty();
            return;
        }
        wrong += known->second != event.connection || sent.previous() != latest[event.connection]
            || sent.input().size() != 1;
    }
};

void overlap(ProxyFixture &proxy, int agents, int turns)
{
    std::vector<Conversation> all;
    for (int a = 0; a < agents; ++a)
        all.emplace_back(proxy, "session", 'a' + QByteArray::number(a + 1));
    for (int turn = 0; turn < turns; ++turn) {
        std::vector<std::unique_ptr<HttpCall>> calls;
        for (int a = 0; a < agents; ++a)
            calls.push_back(all[static_cast<std::size_t>(a)].begin(
                QStringLiteral("a%1 turn %2").arg(a + 1).arg(turn)));
        for (int a = 0; a < agents; ++a) {
            const auto &call = calls[static_cast<std::size_t>(a)];
            QTRY_VERIFY(call->isComplete());
            QVERIFY(all[static_cast<std::size_t>(a)].take(*call));
        }
    }
}

} // namespace

void WireContinuationTest::b39AnExpiredParentIsNotFatal()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Fault gone;
    gone.kind = Fault::Kind::ErrorEvent;
    gone.status = 400;
    gone.code = "previous_response_not_found";
    gone.message = "gone";
    gone.count = 1;
    proxy.provider().add(gone);
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input(),
             (QStringList{QStringLiteral("user: hello"), QStringLiteral("assistant: one"),
                          QStringLiteral("user: more")}));
}

void WireContinuationTest::b40AnIdIsUsedOnItsOwnLiveSocketOnly()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Fault reset;
    reset.kind = Fault::Kind::Reset;
    proxy.provider().strike(reset);
    QTRY_COMPARE(proxy.wire().gone().size(), 1);
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().sent().size(), 2);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input().size(), 3);
    QVERIFY(proxy.provider().statistics().errors.empty());
}

void WireContinuationTest::b41RewrittenArgumentsContinue()
{
    simulator::Scenario scenario = answering();
    scenario.replies.front()
        = {.kind = simulator::Reply::Kind::Tool,
           .name = QStringLiteral("Do"),
           .input = QJsonDocument::fromJson(R"({"a":1,"b":null,"c":[]})").object()};
    ProxyFixture proxy(scenario);
    proxy.start();
    const QByteArray head = R"({"model":"m","max_tokens":9,"stream":true,"tools":[{"name":"Do",
        "description":"does","input_schema":{"type":"object","required":["a"],"properties":
        {"a":{"type":"number"},"b":{"type":"string"},"c":{"type":"array"}}}}],
        "messages":[{"role":"user","content":"hello"})";
    const auto first = proxy.post("/v1/messages", head + "]}", "s");
    QTRY_VERIFY(first->isComplete());
    const qsizetype at = first->body().indexOf("\"tool_use\",\"id\":\"");
    QVERIFY2(at > 0, first->body().constData());
    const QByteArray id = first->body().mid(at + 17).split('"').first();
    const QByteArray echo = R"(,{"role":"assistant","content":[{"type":"tool_use","id":")" + id
        + R"(","name":"Do","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result",
        "tool_use_id":")"
        + id + R"(","content":"done"}]}]})";
    const auto second = proxy.post("/v1/messages", head + echo, "s");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->events().last(), QByteArray("message_stop"));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().last().previous(), proxy.wire().completed().at(0));
    QCOMPARE(proxy.wire().last().input(), QStringList{QStringLiteral("output: done")});
}

void WireContinuationTest::b42AThreadedContinueIsRefusedBeforeAnythingGoesUp()
{
    ProxyFixture proxy(answering());
    proxy.start();
    const HttpCall call(
        proxy.port(), "POST", "/v1/messages",
        {{"content-type", "application/json"},
         {"anthropic-version", "2023-06-01"},
         {"anthropic-beta", "message-threads-2026-08-12"}},
        R"({"model":"m","max_tokens":9,"thread":{"type":"continue","previous_message_id":"msg_1"},
            "messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1",
            "content":"x"}]}]})");
    QTRY_VERIFY(call.isComplete());
    QCOMPARE(call.status(), 400);
    QVERIFY(call.body().contains("capability_rejected"));
    QVERIFY(call.body().contains("message-threads-2026-08-12"));
    QVERIFY(proxy.wire().opened().isEmpty());
    QVERIFY(proxy.wire().sent().isEmpty());
}

void WireContinuationTest::b44TheCacheKeyIsTheSameInEveryTurn()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QVERIFY(agent.say(more));
    proxy.provider().strike([] {
        Fault reset;
        reset.kind = Fault::Kind::Reset;
        return reset;
    }());
    QTRY_COMPARE(proxy.wire().gone().size(), 1);
    QVERIFY(agent.say(more)); // on another socket, in full
    const QString key = keyOf(proxy.wire().sent().at(0));
    QVERIFY(!key.isEmpty());
    for (const Sent &sent : proxy.wire().sent())
        QCOMPARE(keyOf(sent), key);
    Conversation other(proxy, "other");
    QVERIFY(other.say(hello));
    QVERIFY(keyOf(proxy.wire().last()) != key);
}

void WireContinuationTest::b45AgentsOfOneSessionContinueTheirOwnSockets()
{
    simulator::Scenario scenario = answering();
    scenario.turn = {20ms, 40ms};
    ProxyFixture proxy(scenario);
    Checker checker;
    connect(&proxy.provider(), &simulator::Provider::wire, this,
            [&checker](const simulator::WireEvent &event) { checker.take(event); });
    proxy.start();
    overlap(proxy, 5, 10);
    QCOMPARE(proxy.wire().opened().size(), 5);
    QCOMPARE(proxy.wire().sent().size(), 50);
    QCOMPARE(checker.sockets.size(), std::size_t{5});
    QCOMPARE(checker.wrong, 0);
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{45});
    QVERIFY(proxy.provider().statistics().largestInFlight > 1); // they did overlap
    proxy.provider().disconnect(this);
}

void WireContinuationTest::b46TheCacheKeyPerAgentIsASetting_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("keys");
    QTest::newRow("one for the session: the shared prefix is found") << QByteArray("false") << 1;
    QTest::newRow("one for each agent") << QByteArray("true") << 5;
}

void WireContinuationTest::b46TheCacheKeyPerAgentIsASetting()
{
    QFETCH(const QByteArray, value);
    QFETCH(const int, keys);
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::CacheKeyPerAgent, value.toStdString());
    proxy.start();
    overlap(proxy, 5, 3);
    QSet<QString> seen;
    for (const Sent &sent : proxy.wire().sent())
        seen.insert(keyOf(sent));
    QCOMPARE(seen.size(), keys);
    // What is continued does not depend on it.
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{10});
    QVERIFY(proxy.provider().statistics().cachedTokens > 0);
}

void WireContinuationTest::b47NoAgentUsesAnothersContinuation()
{
    ProxyFixture proxy(answering());
    Checker checker;
    connect(&proxy.provider(), &simulator::Provider::wire, this,
            [&checker](const simulator::WireEvent &event) { checker.take(event); });
    proxy.start();
    Conversation one(proxy, "session", "a1");
    Conversation two(proxy, "session", "a2");
    for (int turn = 0; turn < 10; ++turn) {
        QVERIFY(one.say(QStringLiteral("a1 turn %1").arg(turn)));
        QVERIFY(two.say(QStringLiteral("a2 turn %1").arg(turn)));
    }
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(checker.wrong, 0);
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{18});
    proxy.provider().disconnect(this);
}

QTEST_GUILESS_MAIN(WireContinuationTest)
#include "tst_wirecontinuation.moc"
