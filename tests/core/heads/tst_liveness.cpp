// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/endpointprofile.h"
#include "proxy/core/heads/expectedwaits.h"
#include "proxy/core/heads/liveness.h"

#include <QTest>

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::Now;
using headway::base::TurnId;

// spec/heads.md section 2: liveness (cases B25 and B26), endpoint profiles; section 4: who waits
// for a head in flight.
class LivenessTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPingAfterFifteenSecondsOfSilence();
    void aDeadPeerIsKnownWithinFortyFiveSeconds();
    void aQuietPeerThatAnswersPingsLivesOn();
    void onePongForgivesTheMissBefore();
    void pausedReadingProvesNothing();
    void anIdleConnectionUnseenForAMinuteIsProbedBeforeReuse();
    void aMachineThatSleptProbes();
    void aProbeHasTenSecondsToo();
    void profiles_data();
    void profiles();
    void onlyVercelStatesAFrameLimit();
    void waitersLeaveOnceInTheOrderOfArrival();
    void waitersLeaveAtTheirTime();
    void aWaitThatIsReplacedOrCancelled();
    void probesAndHeadsAreApart();
};

namespace {

struct Clock
{
    Now now{.steady = headway::base::SteadyTime{1h}, .wall = headway::base::WallTime{1h}};

    void pass(std::chrono::nanoseconds time)
    {
        now.steady += time;
        now.wall += std::chrono::duration_cast<std::chrono::milliseconds>(time);
    }
};

using enum Liveness::Action;

} // namespace

void LivenessTest::aPingAfterFifteenSecondsOfSilence()
{
    Clock c;
    Liveness alive(c.now);
    QVERIFY(alive.next() == c.now.steady + 15s);
    c.pass(15s - 1ns);
    QVERIFY(alive.due(c.now) == Nothing);
    c.pass(1ns);
    QVERIFY(alive.due(c.now) == Ping);
    QVERIFY(alive.due(c.now) == Nothing); // once
    QVERIFY(alive.next() == c.now.steady + 10s);
}

void LivenessTest::aDeadPeerIsKnownWithinFortyFiveSeconds()
{
    Clock c;
    Liveness alive(c.now);
    const auto from = c.now.steady;
    int pings = 0;
    for (int i = 0; i < 10; ++i) {
        c.pass(*alive.next() - c.now.steady);
        const auto action = alive.due(c.now);
        if (action == Dead)
            break;
        pings += action == Ping ? 1 : 0;
    }
    QVERIFY(c.now.steady - from == 35s); // 15 + 10 + 10
    QCOMPARE(pings, 2);
}

void LivenessTest::aQuietPeerThatAnswersPingsLivesOn()
{
    Clock c;
    Liveness alive(c.now);
    for (int i = 0; i < 34; ++i) { // 510 s without anything but pongs
        c.pass(15s);
        QVERIFY(alive.due(c.now) == Ping);
        alive.seen(c.now);
    }
}

void LivenessTest::onePongForgivesTheMissBefore()
{
    Clock c;
    Liveness alive(c.now);
    c.pass(15s);
    QVERIFY(alive.due(c.now) == Ping);
    c.pass(10s - 1ns);
    QVERIFY(alive.due(c.now) == Nothing);
    c.pass(1ns);
    QVERIFY(alive.due(c.now) == Ping); // one miss
    alive.seen(c.now);
    c.pass(15s);
    QVERIFY(alive.due(c.now) == Ping);
    c.pass(10s);
    QVERIFY(alive.due(c.now) == Ping); // the first miss again
    c.pass(10s);
    QVERIFY(alive.due(c.now) == Dead);
}

void LivenessTest::pausedReadingProvesNothing()
{
    Clock c;
    Liveness alive(c.now);
    c.pass(15s);
    QVERIFY(alive.due(c.now) == Ping);
    alive.paused();
    QVERIFY(!alive.next().has_value());
    c.pass(1h);
    QVERIFY(alive.due(c.now) == Nothing);
    alive.resumed(c.now);
    QVERIFY(alive.due(c.now) == Nothing);
    c.pass(15s);
    QVERIFY(alive.due(c.now) == Ping);
}

void LivenessTest::anIdleConnectionUnseenForAMinuteIsProbedBeforeReuse()
{
    Clock c;
    Liveness alive(c.now);
    c.pass(60s - 1ms);
    QVERIFY(!alive.mustProbe(c.now));
    c.pass(1ms);
    QVERIFY(alive.mustProbe(c.now));
    alive.seen(c.now);
    QVERIFY(!alive.mustProbe(c.now));
}

void LivenessTest::aMachineThatSleptProbes()
{
    Clock c;
    Liveness alive(c.now);
    c.now.wall += 60s; // the steady clock stood still
    QVERIFY(alive.mustProbe(c.now));
}

void LivenessTest::aProbeHasTenSecondsToo()
{
    Clock c;
    Liveness alive(c.now);
    c.now.wall += 1h;
    alive.probe(c.now);
    QVERIFY(alive.next() == c.now.steady + 10s);
    c.pass(5s);
    alive.probe(c.now); // a second turn asks: one ping is on its way
    QVERIFY(alive.next() == c.now.steady + 5s);
    c.pass(5s);
    QVERIFY(alive.due(c.now) == Ping);
    c.pass(10s);
    QVERIFY(alive.due(c.now) == Dead);
}

void LivenessTest::profiles_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("nursery");
    QTest::addColumn<int>("established");
    QTest::addColumn<double>("rotateMinutes");
    QTest::addColumn<QByteArray>("lanes");
    const auto row = [](const char *host, const char *path, int nursery, int established,
                        double minutes, const char *lanes) {
        QTest::newRow(host) << QByteArray(host) << QByteArray(path) << nursery << established
                            << minutes << QByteArray(lanes);
    };
    row("api.openai.com", "/v1/responses", 128, 256, 55, "auto");
    row("chatgpt.com", "/backend-api/codex/responses", 24, 40, 55, "off");
    row("ChatGPT.com", "/Backend-API/codex/responses", 24, 40, 55, "off");
    row("notchatgpt.com", "/backend-api/codex/responses", 128, 256, 55, "auto");
    row("www.chatgpt.com", "/other", 128, 256, 55, "auto");
    // Before the provider's limit, as 55 min is before 60 (spec/heads.md section 2).
    row("api.x.ai", "/v1/responses", 128, 256, 25 * 55 / 60.0, "off");
    row("api.max.ai", "/v1/responses", 128, 256, 55, "auto");
    row("ai-gateway.vercel.sh", "/v1/responses", 128, 256, 13 * 55 / 60.0, "off");
    row("res.openai.azure.com", "/openai/v1/responses", 128, 256, 55, "off");
    row("res.openai.azure.us", "/openai/v1/responses", 128, 256, 55, "off");
    row("res.openai.azure.cn", "/openai/v1/responses", 128, 256, 55, "off");
    row("azure.com.example", "/openai/v1/responses", 128, 256, 55, "auto");
    row("127.0.0.1", "/backend-api/codex/responses", 128, 256, 55, "auto");
    row("", "", 128, 256, 55, "auto");
}

void LivenessTest::profiles()
{
    QFETCH(const QByteArray, host);
    QFETCH(const QByteArray, path);
    QFETCH(const int, nursery);
    QFETCH(const int, established);
    QFETCH(const double, rotateMinutes);
    QFETCH(const QByteArray, lanes);
    const PoolSettings settings = profileOf(host.toStdString(), path.toStdString());
    QCOMPARE(settings.nurseryCap, static_cast<std::size_t>(nursery));
    QCOMPARE(settings.establishedCap, static_cast<std::size_t>(established));
    QCOMPARE(settings.rotateAfter.count(), static_cast<qint64>(rotateMinutes * 60));
    QCOMPARE(QByteArray::fromStdString(std::string(name(settings.lanes))), lanes);
}

void LivenessTest::onlyVercelStatesAFrameLimit()
{
    const auto limit = frameLimitOf("AI-Gateway.vercel.sh");
    QVERIFY(limit.has_value());
    QVERIFY(*limit < (4U << 20U) && *limit > (4U << 20U) - 65536U);
    for (const char *host : {"api.openai.com", "chatgpt.com", "api.x.ai", "res.openai.azure.com"})
        QVERIFY(!frameLimitOf(host).has_value());
}

void LivenessTest::waitersLeaveOnceInTheOrderOfArrival()
{
    Clock c;
    ExpectedWaits waits;
    waits.forHead(TurnId{2}, HeadId{7}, 5s, c.now.steady);
    c.pass(1s);
    waits.forHead(TurnId{1}, HeadId{7}, 5s, c.now.steady);
    waits.forHead(TurnId{3}, HeadId{8}, 5s, c.now.steady);
    c.pass(1s);
    QVERIFY(waits.headFreed(HeadId{7}, c.now.steady)
            == (std::vector<ExpectedWaits::Woken>{{TurnId{2}, 2s}, {TurnId{1}, 1s}}));
    QVERIFY(waits.headFreed(HeadId{7}, c.now.steady).empty());
    QCOMPARE(waits.size(), std::size_t{1});
}

void LivenessTest::waitersLeaveAtTheirTime()
{
    Clock c;
    ExpectedWaits waits;
    QVERIFY(!waits.next().has_value());
    waits.forHead(TurnId{1}, HeadId{7}, 3s, c.now.steady);
    waits.forHead(TurnId{2}, HeadId{7}, 2s, c.now.steady);
    QVERIFY(waits.next() == c.now.steady + 2s);
    c.pass(2s - 1ns);
    QVERIFY(waits.due(c.now.steady).empty());
    c.pass(1ns);
    QVERIFY(waits.due(c.now.steady) == (std::vector<ExpectedWaits::Woken>{{TurnId{2}, 2s}}));
    QVERIFY(waits.next() == c.now.steady + 1s);
}

void LivenessTest::aWaitThatIsReplacedOrCancelled()
{
    Clock c;
    ExpectedWaits waits;
    waits.forHead(TurnId{1}, HeadId{7}, 3s, c.now.steady);
    waits.forHead(TurnId{1}, HeadId{8}, 3s, c.now.steady);
    QVERIFY(waits.headFreed(HeadId{7}, c.now.steady).empty());
    QVERIFY(waits.cancel(TurnId{1}));
    QVERIFY(!waits.cancel(TurnId{1}));
    QVERIFY(waits.headFreed(HeadId{8}, c.now.steady).empty());
}

void LivenessTest::probesAndHeadsAreApart()
{
    Clock c;
    ExpectedWaits waits;
    waits.forProbe(TurnId{1}, 2s, c.now.steady);
    waits.forHead(TurnId{2}, HeadId{7}, 2s, c.now.steady);
    QVERIFY(waits.headFreed(HeadId{}, c.now.steady).empty());
    QVERIFY(waits.probeAnswered(c.now.steady)
            == (std::vector<ExpectedWaits::Woken>{{TurnId{1}, 0s}}));
    QCOMPARE(waits.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(LivenessTest)
#include "tst_liveness.moc"
