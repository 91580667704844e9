// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 5, case B09: a turn that waited looks again, adopts the head that became free,
// and hands its admission back.
#include "tests/support/proxyfixture.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class RescanTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQueuedTurnAdoptsTheHeadThatBecameFreeAndReturnsItsToken();
    void oneFreedHeadIsAdoptedByOneOfTwo();
};

namespace {

simulator::Scenario scenario()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {800ms, 800ms};
    return scenario;
}

void slowBucket(ProxyFixture &proxy)
{
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::RatePerMin, "30").accepted);
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Burst, "1").accepted);
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

// The simulator says the same to the same first turn of the same seed: what A will answer.
QByteArray answerToHello()
{
    ProxyFixture rehearsal(scenario());
    rehearsal.start();
    const auto call = rehearsal.post("/v1/messages", messagesBody({"hello"}), "s");
    if (!QTest::qWaitFor([&] { return call->isComplete(); }, 10'000))
        return {};
    return replyText(*call);
}

} // namespace

void RescanTest::aQueuedTurnAdoptsTheHeadThatBecameFreeAndReturnsItsToken()
{
    const QByteArray answer = answerToHello();
    QVERIFY(!answer.isEmpty());
    ProxyFixture proxy(scenario());
    slowBucket(proxy);
    proxy.start();
    const auto a = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    const auto b = proxy.post("/v1/messages", messagesBody({"hello", answer, "and more"}), "s");
    QTRY_VERIFY(a->isComplete());
    QCOMPARE(replyText(*a), answer);
    QVERIFY(!b->hasHead()); // in the queue
    QTRY_VERIFY(b->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{1});
    // The token is back: somebody else need not wait for the next refill.
    QElapsedTimer timer;
    timer.start();
    const auto c = proxy.post("/v1/messages", messagesBody({"new"}), "other");
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    QVERIFY(timer.elapsed() < 1000);
}

void RescanTest::oneFreedHeadIsAdoptedByOneOfTwo()
{
    const QByteArray answer = answerToHello();
    ProxyFixture proxy(scenario());
    slowBucket(proxy);
    proxy.start();
    const auto a = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    const auto b = proxy.post("/v1/messages", messagesBody({"hello", answer, "one way"}), "s");
    const auto c = proxy.post("/v1/messages", messagesBody({"hello", answer, "another way"}), "s");
    QTRY_VERIFY_WITH_TIMEOUT(a->isComplete() && b->isComplete() && c->isComplete(), 15'000);
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.turns, std::uint64_t{3});
    QVERIFY(seen.errors.empty());
    QVERIFY(seen.largestOverlap <= 1);
    QCOMPARE(seen.upgradesAccepted + seen.continuations, std::uint64_t{3});
    QVERIFY(seen.continuations >= 1);
}

QTEST_GUILESS_MAIN(RescanTest)
#include "tst_rescan.moc"
