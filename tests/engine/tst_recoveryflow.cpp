// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery inside a turn, before output (spec/heads.md section 8), with the provider's counts as
// the oracle.
#include "tests/store/sqliterows.h"
#include "tests/support/proxyfixture.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class RecoveryFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRejectedUpgradeIsTriedAgainAfterItsRetryAfter_data();
    void aRejectedUpgradeIsTriedAgainAfterItsRetryAfter();
    void theLifetimeLimitCostsOneNewSocketAndNoRetry();
    void aLostPreviousResponseIsSentInFullOnTheSameSocket();
    void aClosedIdleSocketIsForgotten();
    void anEmptyCompletionIsTriedOnceAndThenToldHonestly();
    void silenceAfterTheCreateCountsAsALostSocket();
    void aPlanLimitIsOneAnswer();
    void aKnownPlanLimitStatesItsReset();
    void aServerErrorIsRetriedOnceAndThenPassedOn();
};

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

Fault fault(Fault::Kind kind, int count)
{
    Fault fault;
    fault.kind = kind;
    fault.count = count;
    return fault;
}

QByteArray replyText(const HttpCall &call)
{
    QByteArray text;
    const QByteArray start = "\"text_delta\",\"text\":\"";
    for (const QByteArray &line : call.body().split('\n')) {
        const qsizetype at = line.indexOf(start);
        if (at < 0)
            continue;
        const QByteArray rest = line.mid(at + start.size());
        text += rest.left(rest.indexOf('"'));
    }
    return text;
}

} // namespace

// spec/pacing.md section 6: "seconds, HTTP date, `retry-after-ms`, a field of the body".
void RecoveryFlowTest::aRejectedUpgradeIsTriedAgainAfterItsRetryAfter_data()
{
    QTest::addColumn<QByteArray>("body"); // empty: it stands in a header
    QTest::newRow("header") << QByteArray();
    QTest::newRow("body") << QByteArray(
        R"({"error":{"type":"rate_limit_error","message":"slow","retry_after":3}})");
}

void RecoveryFlowTest::aRejectedUpgradeIsTriedAgainAfterItsRetryAfter()
{
    QFETCH(const QByteArray, body);
    Fault reject
        = fault(body.isEmpty() ? Fault::Kind::RejectUpgrades : Fault::Kind::UpgradeBody, 1);
    reject.status = 429;
    reject.body = body;
    if (body.isEmpty())
        reject.retryAfter = 3s;
    ProxyFixture proxy(quick({reject}));
    proxy.start();
    QElapsedTimer timer;
    timer.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 15'000);
    QCOMPARE(call->status(), 200);
    QVERIFY(timer.elapsed() >= 3000); // the stated time, not the rung of at most 2 s
    QCOMPARE(proxy.provider().statistics().upgradesRejected, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    proxy.stop();
    QCOMPARE(testsupport::number(proxy.ledgerPath(),
                                 QStringLiteral("SELECT retry_after_ms FROM connection "
                                                "WHERE event = 'rejected'")),
             3000);
}

void RecoveryFlowTest::theLifetimeLimitCostsOneNewSocketAndNoRetry()
{
    Fault old = fault(Fault::Kind::ErrorEvent, 1);
    old.status = 400;
    old.code = "websocket_connection_limit_reached";
    ProxyFixture proxy(quick({old}));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 1500); // at once, no backoff
    QCOMPARE(call->status(), 200);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
}

void RecoveryFlowTest::aLostPreviousResponseIsSentInFullOnTheSameSocket()
{
    Fault lost = fault(Fault::Kind::ErrorEvent, 1);
    lost.status = 400;
    lost.code = "previous_response_not_found";
    lost.at = 1500ms;
    ProxyFixture proxy(quick({lost}));
    proxy.start();
    QElapsedTimer timer;
    timer.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(first->isComplete());
    QVERIFY2(timer.elapsed() < 1500, "too slow a machine to tell");
    QTRY_VERIFY(timer.elapsed() > 1700);
    const auto second
        = proxy.post("/v1/messages", messagesBody({"hello", replyText(*first), "go on"}), "s");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->events().last(), QByteArray("message_stop"));
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.upgradesAccepted, std::uint64_t{1});
    QCOMPARE(seen.creates, std::uint64_t{3}); // turn 1, the lost delta, the same in full
    QCOMPARE(seen.turns, std::uint64_t{2});
}

void RecoveryFlowTest::aClosedIdleSocketIsForgotten()
{
    Fault close;
    close.kind = Fault::Kind::Close;
    close.at = 1500ms; // hits every open socket
    close.closeCode = 1001;
    ProxyFixture proxy(quick({close}));
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(first->isComplete());
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{0});
    const auto second
        = proxy.post("/v1/messages", messagesBody({"hello", replyText(*first), "go on"}), "s");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->events().last(), QByteArray("message_stop"));
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{0});
}

void RecoveryFlowTest::anEmptyCompletionIsTriedOnceAndThenToldHonestly()
{
    ProxyFixture once(quick({fault(Fault::Kind::EmptyCompleted, 1)}));
    once.start();
    const auto recovered = once.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(recovered->isComplete());
    QCOMPARE(recovered->status(), 200);
    QCOMPARE(once.provider().statistics().upgradesAccepted, std::uint64_t{1});

    ProxyFixture twice(quick({fault(Fault::Kind::EmptyCompleted, 2)}));
    twice.start();
    const auto failed = twice.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(failed->isComplete());
    QVERIFY(failed->status() >= 500);
    QVERIFY(failed->body().contains("without any output"));
    QCOMPARE(twice.provider().statistics().creates, std::uint64_t{2});
}

void RecoveryFlowTest::silenceAfterTheCreateCountsAsALostSocket()
{
    ProxyFixture proxy(quick({fault(Fault::Kind::Silence, 1)}));
    QVERIFY(
        proxy.settings.set(settings::Source::File, settings::Key::FirstEventMs, "1000").accepted);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
}

void RecoveryFlowTest::aPlanLimitIsOneAnswer()
{
    Fault limit = fault(Fault::Kind::ErrorEvent, 100);
    limit.status = 429;
    limit.code = "usage_limit_reached";
    ProxyFixture proxy(quick({limit}));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 429);
    QCOMPARE(call->header("x-should-retry"), QByteArray("false"));
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{1});
}

// B72: what Headway answers without asking has the time that the provider stated.
void RecoveryFlowTest::aKnownPlanLimitStatesItsReset()
{
    Fault limit = fault(Fault::Kind::ErrorEvent, 100);
    limit.status = 429;
    limit.code = "usage_limit_reached";
    limit.retryAfter = 9'568s;
    ProxyFixture proxy(quick({limit}));
    proxy.start();
    const QByteArray body = R"({"model":"m","input":"hi","stream":true})";
    const auto first = proxy.post("/v1/responses", body);
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->header("retry-after"), QByteArray("9568"));
    const auto second = proxy.post("/v1/responses", body);
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 429);
    const int seconds = second->header("retry-after").toInt();
    QVERIFY2(seconds > 9'500 && seconds <= 9'568, second->header("retry-after").constData());
    QVERIFY(second->body().contains("usage_limit_reached"));
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{1});
}

void RecoveryFlowTest::aServerErrorIsRetriedOnceAndThenPassedOn()
{
    Fault broken = fault(Fault::Kind::ErrorEvent, 100);
    broken.status = 500;
    broken.code = "server_error";
    ProxyFixture proxy(quick({broken}));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 5000);
    QCOMPARE(call->status(), 500);
    QVERIFY(call->body().contains("api_error"));
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{2});
}

QTEST_GUILESS_MAIN(RecoveryFlowTest)
#include "tst_recoveryflow.moc"
