// SPDX-License-Identifier: GPL-3.0-or-later
// Turns over HTTPS (spec/heads.md section 8, cases B14, B18, B32, B36, B75), with what the provider
// saw on the wire as the oracle.
#include "proxy/core/json/document.h"
#include "proxy/simulator/wireevent.h"
#include "proxy/store/ledgerverify.h"
#include "tests/support/proxyfixture.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using simulator::WireEvent;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

namespace {

simulator::Scenario quick(std::vector<Fault> faults = {})
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    scenario.faults = std::move(faults);
    return scenario;
}

Fault fault(Fault::Kind kind, int count, int status = 500, QByteArray code = {})
{
    Fault fault;
    fault.kind = kind;
    fault.count = count;
    fault.status = status;
    fault.code = std::move(code);
    return fault;
}

Fault noUpgrades(int status)
{
    return fault(Fault::Kind::RejectUpgrades, 1000, status);
}

QByteArray replyText(const HttpCall &call)
{
    QByteArray text;
    const QByteArray start = "\"text_delta\",\"text\":\"";
    for (const QByteArray &line : call.body().split('\n')) {
        const qsizetype at = line.indexOf(start);
        if (at >= 0)
            text += line.mid(at + start.size()).split('"').first();
    }
    return text;
}

// What came over the provider's wire.
struct Wire : public QObject
{
    explicit Wire(simulator::Provider &provider)
    {
        connect(&provider, &simulator::Provider::wire, this,
                [this](const WireEvent &event) { events.append(event); });
    }

    [[nodiscard]] qsizetype count(WireEvent::Kind kind) const
    {
        return std::count_if(events.begin(), events.end(),
                             [kind](const WireEvent &event) { return event.kind == kind; });
    }
    [[nodiscard]] qsizetype upgrades() const
    {
        return count(WireEvent::Kind::Opened) + count(WireEvent::Kind::Rejected);
    }
    [[nodiscard]] qsizetype posts() const { return count(WireEvent::Kind::Post); }
    [[nodiscard]] QJsonObject post(qsizetype number) const
    {
        for (const WireEvent &event : events) {
            if (event.kind == WireEvent::Kind::Post && number-- == 0)
                return QJsonDocument::fromJson(event.text).object();
        }
        return {};
    }
    [[nodiscard]] QSet<std::uint64_t> postConnections() const
    {
        QSet<std::uint64_t> connections;
        for (const WireEvent &event : events) {
            if (event.kind == WireEvent::Kind::Post)
                connections.insert(event.connection);
        }
        return connections;
    }

    QList<WireEvent> events;
};

bool noticesHttps(ProxyFixture &proxy)
{
    const auto snapshot = proxy.engine().snapshot();
    return std::any_of(
        snapshot->notices.begin(), snapshot->notices.end(),
        [](const std::string &notice) { return notice.find("HTTPS") != std::string::npos; });
}

} // namespace

class HttpsFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aServerWithoutWebSocketIsCalledOverHttpsFromThenOn_data();
    void aServerWithoutWebSocketIsCalledOverHttpsFromThenOn();
    void anUpgradeThatIsRefusedToTheEndGivesWayToHttps();
    void aRefusedCredentialIsTriedOnceMoreAndThenOverHttps();
    void aCredentialThatHttpsRefusesTooIsToldAndNotRemembered();
    void turnsThatWaitedLearnOfItWithoutAnUpgrade();
    void aMessageThatIsTooBigGoesOverHttpsForThisTurnOnly();
    void aLargeRequestGoesOverHttpsFirst();
    void theWholeConversationGoesUpEveryTime();
    void eachDoorIsAnswered_data();
    void eachDoorIsAnswered();
    void aWarmUpIsAnsweredHere();
    void aResetBeforeOutputIsTriedOnceMoreAtOnce();
    void afterOutputTheErrorIsTold();
    void anErrorStatusIsTheClients_data();
    void anErrorStatusIsTheClients();
    void aThrottleIsRetriedAfterItsRetryAfter();
    void aPlanLimitIsOneAnswer();
    void anEmptyReplyIsAskedForOnceMore();
    void silenceCountsAsALostConnection();
    void aClientThatLeavesEndsTheCall();
    void deltasArriveAsTheyCome();
    void everyNewConnectionTakesAnAdmission();
    void theLedgerAgrees();
};

void HttpsFlowTest::aServerWithoutWebSocketIsCalledOverHttpsFromThenOn_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("426") << 426;
    QTest::newRow("404") << 404;
    QTest::newRow("405") << 405;
}

void HttpsFlowTest::aServerWithoutWebSocketIsCalledOverHttpsFromThenOn()
{
    QFETCH(const int, status);
    ProxyFixture proxy(quick({noUpgrades(status)}));
    Wire wire(proxy.provider());
    proxy.start();
    QVERIFY(!noticesHttps(proxy));
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    QCOMPARE(first->events().last(), QByteArray("message_stop"));
    QCOMPARE(wire.upgrades(), 1);
    QCOMPARE(wire.posts(), 1);
    QVERIFY(noticesHttps(proxy));
    QCOMPARE(proxy.engine().snapshot()->upstreamState, std::string("ok"));
    const auto second = proxy.post("/v1/messages", messagesBody({"hello"}), "other");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
    QCOMPARE(wire.upgrades(), 1); // not asked again
    QCOMPARE(wire.posts(), 2);
    QCOMPARE(wire.postConnections().size(), 1); // kept alive
}

void HttpsFlowTest::anUpgradeThatIsRefusedToTheEndGivesWayToHttps()
{
    ProxyFixture proxy(quick({noUpgrades(502)}));
    proxy.set(settings::Key::Retries, "1");
    Wire wire(proxy.provider());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(first->isComplete(), 20'000);
    QCOMPARE(first->status(), 200);
    QCOMPARE(wire.upgrades(), 2);
    QCOMPARE(wire.posts(), 1);
    QVERIFY(noticesHttps(proxy));
    const auto second = proxy.post("/v1/messages", messagesBody({"hello"}), "other");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
    QCOMPARE(wire.upgrades(), 2); // remembered
    QCOMPARE(wire.posts(), 2);
}

void HttpsFlowTest::aRefusedCredentialIsTriedOnceMoreAndThenOverHttps()
{
    ProxyFixture proxy(quick({noUpgrades(401)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    QCOMPARE(wire.upgrades(), 2); // B14: one refresh and one more upgrade
    QCOMPARE(wire.posts(), 1);
    QVERIFY(noticesHttps(proxy));
    const auto second = proxy.post("/v1/messages", messagesBody({"hello"}), "s2");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(wire.upgrades(), 2);
    QCOMPARE(wire.posts(), 2);
}

void HttpsFlowTest::aCredentialThatHttpsRefusesTooIsToldAndNotRemembered()
{
    ProxyFixture proxy(
        quick({noUpgrades(401), fault(Fault::Kind::ErrorEvent, 1000, 401, "invalid_api_key")}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    QVERIFY(call->body().contains("authentication_error"));
    QCOMPARE(wire.posts(), 1);
    QVERIFY(!noticesHttps(proxy));
}

void HttpsFlowTest::turnsThatWaitedLearnOfItWithoutAnUpgrade()
{
    ProxyFixture proxy(quick({noUpgrades(426)}));
    Wire wire(proxy.provider());
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Burst, "1").accepted);
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::RatePerMin, "60").accepted);
    proxy.start();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 3; ++i)
        calls.push_back(proxy.post("/v1/messages", messagesBody({"hello"}),
                                   "session " + QByteArray::number(i)));
    for (const auto &call : calls) {
        QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 15'000);
        QCOMPARE(call->status(), 200);
    }
    QCOMPARE(wire.upgrades(), 1);
    QCOMPARE(wire.posts(), 3);
}

void HttpsFlowTest::aMessageThatIsTooBigGoesOverHttpsForThisTurnOnly()
{
    auto scenario = quick();
    scenario.maxFrameBytes = 100'000;
    ProxyFixture proxy(std::move(scenario));
    Wire wire(proxy.provider());
    proxy.start();
    const QByteArray large(200'000, 'x');
    const auto first = proxy.post("/v1/messages", messagesBody({large}), "s");
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    QCOMPARE(wire.upgrades(), 1); // 1009 on it
    QCOMPARE(wire.posts(), 1);
    QVERIFY(wire.post(0).value(QLatin1String("stream")).toBool());
    QVERIFY(!noticesHttps(proxy));
    const auto second = proxy.post("/v1/messages", messagesBody({"small"}), "t");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(wire.upgrades(), 2);
    QCOMPARE(wire.posts(), 1);
}

void HttpsFlowTest::aLargeRequestGoesOverHttpsFirst()
{
    ProxyFixture proxy(quick());
    Wire wire(proxy.provider());
    proxy.start();
    const QByteArray half(8 << 20, 'x'); // one text may have 10 MiB
    const auto first = proxy.post("/v1/messages", messagesBody({half, "ok", half}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(first->isComplete(), 30'000);
    QCOMPARE(first->status(), 200);
    QCOMPARE(wire.upgrades(), 0);
    QCOMPARE(wire.posts(), 1);
    QVERIFY(!noticesHttps(proxy));
}

void HttpsFlowTest::theWholeConversationGoesUpEveryTime()
{
    ProxyFixture proxy(quick({noUpgrades(426)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(first->isComplete());
    const auto second
        = proxy.post("/v1/messages", messagesBody({"hello", replyText(*first), "go on"}), "s");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
    const QJsonObject post = wire.post(1);
    QCOMPARE(post.value(QLatin1String("input")).toArray().size(), 3);
    QVERIFY(!post.contains(QLatin1String("previous_response_id")));
    QCOMPARE(post.value(QLatin1String("store")), QJsonValue(false));
    QCOMPARE(post.value(QLatin1String("stream")), QJsonValue(true));
    QVERIFY(!post.contains(QLatin1String("type")));
    QVERIFY(!post.value(QLatin1String("prompt_cache_key")).toString().isEmpty());
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{0});
}

void HttpsFlowTest::eachDoorIsAnswered_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("holds");
    QTest::newRow("messages") << QByteArray("/v1/messages") << messagesBody({"hello"}, true)
                              << QByteArray("event: message_stop");
    QTest::newRow("messages, whole") << QByteArray("/v1/messages") << messagesBody({"hello"}, false)
                                     << QByteArray("\"stop_reason\":\"end_turn\"");
    QTest::newRow("responses") << QByteArray("/v1/responses")
                               << QByteArray(R"({"model":"m","input":"hello","stream":true})")
                               << QByteArray("event: response.completed");
    QTest::newRow("responses, whole")
        << QByteArray("/v1/responses") << QByteArray(R"({"model":"m","input":"hello"})")
        << QByteArray("\"status\":\"completed\"");
}

void HttpsFlowTest::eachDoorIsAnswered()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, holds);
    ProxyFixture proxy(quick({noUpgrades(426)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post(path, body, "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QVERIFY2(call->body().contains(holds), call->body().constData());
    QCOMPARE(wire.posts(), 1);
}

void HttpsFlowTest::aWarmUpIsAnsweredHere()
{
    ProxyFixture proxy(quick({noUpgrades(426)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto learn = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(learn->isComplete());
    const auto call = proxy.post(
        "/v1/responses",
        R"({"model":"m","input":"hello","stream":true,"generate":false,"store":false})", "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events(), (QList<QByteArray>{"response.created", "response.completed"}));
    QCOMPARE(wire.posts(), 1); // nothing went up for it
}

void HttpsFlowTest::aResetBeforeOutputIsTriedOnceMoreAtOnce()
{
    ProxyFixture proxy(quick({noUpgrades(426), fault(Fault::Kind::Reset, 1)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 1500); // no backoff
    QCOMPARE(call->status(), 200);
    QCOMPARE(wire.posts(), 2);
    QCOMPARE(wire.postConnections().size(), 2);
}

void HttpsFlowTest::afterOutputTheErrorIsTold()
{
    Fault cut = fault(Fault::Kind::Eof, 1);
    cut.afterEvents = 6; // created, in_progress, item, part, two deltas
    ProxyFixture proxy(quick({noUpgrades(426), cut}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isClosed());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events().last(), QByteArray("error"));
    QVERIFY(!call->isComplete());
    QCOMPARE(wire.posts(), 1); // never a replay
}

void HttpsFlowTest::anErrorStatusIsTheClients_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("told");
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("400 (B36)") << 400 << QByteArray("invalid_prompt") << 400
                               << QByteArray("invalid_request_error");
    QTest::newRow("404") << 404 << QByteArray("model_not_found") << 404
                         << QByteArray("not_found_error");
    QTest::newRow("413") << 413 << QByteArray() << 413 << QByteArray("request_too_large");
    QTest::newRow("403") << 403 << QByteArray("unsupported_country_region_territory") << 403
                         << QByteArray("permission_error");
}

void HttpsFlowTest::anErrorStatusIsTheClients()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, code);
    QFETCH(const int, told);
    QFETCH(const QByteArray, type);
    ProxyFixture proxy(
        quick({noUpgrades(426), fault(Fault::Kind::ErrorEvent, 1000, status, code)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), told);
    QVERIFY2(call->body().contains(type), call->body().constData());
    QCOMPARE(wire.posts(), 1);
}

void HttpsFlowTest::aThrottleIsRetriedAfterItsRetryAfter()
{
    Fault slow = fault(Fault::Kind::ErrorEvent, 1, 429, "rate_limit_exceeded");
    slow.retryAfter = 3s;
    ProxyFixture proxy(quick({noUpgrades(426), slow}));
    Wire wire(proxy.provider());
    proxy.start();
    QElapsedTimer timer;
    timer.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 15'000);
    QCOMPARE(call->status(), 200);
    QVERIFY(timer.elapsed() >= 3000);
    QCOMPARE(wire.posts(), 2);
}

void HttpsFlowTest::aPlanLimitIsOneAnswer()
{
    ProxyFixture proxy(
        quick({noUpgrades(426), fault(Fault::Kind::ErrorEvent, 1000, 429, "usage_limit_reached")}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 429);
    QCOMPARE(call->header("x-should-retry"), QByteArray("false"));
    QCOMPARE(wire.posts(), 1);
}

void HttpsFlowTest::anEmptyReplyIsAskedForOnceMore()
{
    ProxyFixture proxy(quick({noUpgrades(426), fault(Fault::Kind::EmptyCompleted, 1)}));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(wire.posts(), 2);
}

void HttpsFlowTest::silenceCountsAsALostConnection()
{
    ProxyFixture proxy(quick({noUpgrades(426), fault(Fault::Kind::Silence, 1)}));
    Wire wire(proxy.provider());
    QVERIFY(
        proxy.settings.set(settings::Source::File, settings::Key::FirstEventMs, "1000").accepted);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(wire.postConnections().size(), 2);
}

void HttpsFlowTest::aClientThatLeavesEndsTheCall()
{
    auto scenario = quick({noUpgrades(426)});
    scenario.turn = {60s, 60s};
    ProxyFixture proxy(std::move(scenario));
    Wire wire(proxy.provider());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{1});
    QElapsedTimer timer;
    timer.start();
    call->abort();
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{0});
    QVERIFY(timer.elapsed() < 1000); // spec/safety.md
    QCOMPARE(proxy.provider().statistics().cancelled, std::uint64_t{1});
}

void HttpsFlowTest::deltasArriveAsTheyCome()
{
    auto scenario = quick({noUpgrades(426)});
    scenario.turn = {8s, 8s};
    ProxyFixture proxy(std::move(scenario));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(call->events().contains("content_block_delta"), 6000); // B32
    QVERIFY(!call->isComplete());
}

void HttpsFlowTest::everyNewConnectionTakesAnAdmission()
{
    auto scenario = quick({noUpgrades(426)});
    scenario.turn = {3s, 3s};
    ProxyFixture proxy(std::move(scenario));
    Wire wire(proxy.provider());
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Burst, "2").accepted);
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::RatePerMin, "60").accepted);
    proxy.start();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 4; ++i)
        calls.push_back(proxy.post("/v1/messages", messagesBody({"hello"}),
                                   "session " + QByteArray::number(i)));
    // Two at once (and their fallback outside the queue), the others one and two seconds later.
    QElapsedTimer timer;
    timer.start();
    QTRY_COMPARE(wire.posts(), 2);
    QVERIFY(timer.elapsed() < 900);
    QTRY_COMPARE_WITH_TIMEOUT(wire.posts(), 4, 10'000);
    QVERIFY(timer.elapsed() >= 1800);
    QCOMPARE(wire.postConnections().size(), 4);
    for (const auto &call : calls)
        QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 10'000);
    // What is open now is used without any.
    timer.restart();
    const auto more = proxy.post("/v1/messages", messagesBody({"hello"}), "more");
    QTRY_COMPARE(wire.posts(), 5);
    QVERIFY(timer.elapsed() < 500);
    QCOMPARE(wire.postConnections().size(), 4);
}

void HttpsFlowTest::theLedgerAgrees()
{
    ProxyFixture proxy(quick({noUpgrades(426), fault(Fault::Kind::Reset, 1),
                              fault(Fault::Kind::ErrorEvent, 1, 400, "invalid_prompt")}));
    proxy.start();
    for (int i = 0; i < 3; ++i) {
        const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
        QTRY_VERIFY(call->isComplete());
    }
    const auto snapshot = proxy.engine().snapshot();
    QCOMPARE(snapshot->totals.turnsStarted, std::uint64_t{3});
    QCOMPARE(snapshot->totals.turnsCompleted, std::uint64_t{2});
    proxy.stop();
    const auto verified = store::verifyLedger(proxy.ledgerPath());
    QVERIFY(verified.has_value());
    QVERIFY2(verified->disagreements.isEmpty(),
             qPrintable(verified->disagreements.join(QLatin1Char('\n'))));
    QVERIFY(verified->open.requests.empty());
    QVERIFY(verified->open.turns.empty());
}

QTEST_GUILESS_MAIN(HttpsFlowTest)
#include "tst_httpsflow.moc"
