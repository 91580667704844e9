// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;

// spec/heads.md section 2: idle limits by the steady clock, rotation by the wall.
class HeadExpiryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNurseryHeadGoesAtFiveMinutesIdleAndNotOneTickBefore();
    void anEstablishedHeadGoesAtThirtyMinutesIdleAndNotOneTickBefore();
    void idleTimeStartsAtCompletion();
    void aHeadInFlightNeverExpires();
    void rotationAgeLiesBetween50And55MinutesAndDiffersByHead();
    void rotationComesAtItsInstantAndNotOneTickBefore();
    void rotationCountsSuspensionAndIdleLimitsDoNot();
    void anOverAgeHeadInFlightGoesWhenItCompletes();
    void anIsolatedOverAgeHeadGoesByAge();
    void theAgeWinsWhenBothLimitsArePassed();
    void nextExpiryIsWhenTheSweepFindsSomething();
    void nextExpiryIsNowAfterTheWallJumped();
    void shortRotationAgesAreNeverRandomisedToNothing();
};

namespace {

// Keeps idle limits out of the way of tests about rotation.
PoolSettings ageOnly()
{
    return {.nurseryIdle = 24h, .establishedIdle = 24h};
}

constexpr auto tick = 1ns;

} // namespace

void HeadExpiryTest::aNurseryHeadGoesAtFiveMinutesIdleAndNotOneTickBefore()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    t.pass(5min - tick);
    QCOMPARE(t.sweep(), QStringList{});
    t.pass(tick);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("nursery_idle_ttl 1")});
    QCOMPARE(t.pool.size(), std::size_t{0});
}

void HeadExpiryTest::anEstablishedHeadGoesAtThirtyMinutesIdleAndNotOneTickBefore()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    (void)t.turn("U1 A1 U2", "A2");
    t.pass(30min - tick);
    QCOMPARE(t.sweep(), QStringList{});
    t.pass(tick);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("idle_ttl 1")});
}

void HeadExpiryTest::idleTimeStartsAtCompletion()
{
    Timeline t;
    const HeadId head = t.begin("U1");
    t.pass(20min);
    t.end(head, "A1");
    t.pass(5min - tick);
    QCOMPARE(t.sweep(), QStringList{});
    QVERIFY(t.pool.views(t.now).front().idle == 5min - tick);
}

void HeadExpiryTest::aHeadInFlightNeverExpires()
{
    Timeline t;
    (void)t.begin("U1");
    t.pass(100h);
    QCOMPARE(t.sweep(), QStringList{});
    QVERIFY(!t.pool.nextExpiry(t.now).has_value());
    QCOMPARE(t.pool.size(), std::size_t{1});
}

void HeadExpiryTest::rotationAgeLiesBetween50And55MinutesAndDiffersByHead()
{
    constexpr std::size_t count = 100;
    Timeline t(ageOnly());
    for (std::size_t i = 0; i < count; ++i)
        (void)t.turn("U1", "A1", "agent" + std::to_string(i));
    t.suspend(50min - 1ms);
    QCOMPARE(t.sweep().size(), 0);
    std::size_t before = count;
    std::vector<std::size_t> perMinute;
    t.suspend(1ms);
    for (int minute = 0; minute < 5; ++minute) {
        t.suspend(1min);
        (void)t.sweep();
        perMinute.push_back(before - t.pool.size());
        before = t.pool.size();
    }
    QCOMPARE(t.pool.size(), std::size_t{0});
    // Uniform: 20 a minute expected, standard deviation 4.
    for (const std::size_t gone : perMinute)
        QVERIFY2(gone >= 4 && gone <= 40, std::to_string(gone).c_str());
}

void HeadExpiryTest::rotationComesAtItsInstantAndNotOneTickBefore()
{
    Timeline t(ageOnly());
    (void)t.turn("U1", "A1");
    const auto at = t.pool.nextExpiry(t.now);
    QVERIFY(at.has_value());
    const auto rest = std::chrono::duration_cast<headway::base::Milliseconds>(*at - t.now.steady);
    QVERIFY(rest > 50min && rest <= 55min);
    t.suspend(rest - 1ms);
    QCOMPARE(t.sweep(), QStringList{});
    t.suspend(1ms);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("hard_ttl 1")});
}

void HeadExpiryTest::rotationCountsSuspensionAndIdleLimitsDoNot()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    t.suspend(49min);
    QCOMPARE(t.sweep(), QStringList{}); // five minutes idle never passed on the steady clock
    QVERIFY(t.pool.views(t.now).front().age == 49min);
    t.suspend(6min);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("hard_ttl 1")});
}

void HeadExpiryTest::anOverAgeHeadInFlightGoesWhenItCompletes()
{
    Timeline t(ageOnly());
    const HeadId head = t.begin("U1");
    t.pass(55min);
    QCOMPARE(t.sweep(), QStringList{});
    t.end(head, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("hard_ttl 1")});
    QCOMPARE(t.pool.size(), std::size_t{0});
}

void HeadExpiryTest::anIsolatedOverAgeHeadGoesByAge()
{
    Timeline t(ageOnly());
    (void)t.begin("U1");
    const HeadId isolated = t.begin("U1");
    t.pass(55min);
    t.end(isolated, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("hard_ttl 2")});
}

void HeadExpiryTest::theAgeWinsWhenBothLimitsArePassed()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    t.pass(56min);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("hard_ttl 1")});
}

void HeadExpiryTest::nextExpiryIsWhenTheSweepFindsSomething()
{
    Timeline t;
    QVERIFY(!t.pool.nextExpiry(t.now).has_value());
    (void)t.turn("U1", "A1", "a");
    t.pass(1min);
    (void)t.turn("U1", "A1", "b");
    (void)t.turn("U1 A1 U2", "A2", "b");
    QVERIFY(t.pool.nextExpiry(t.now) == t.now.steady + 4min);
    t.pass(4min);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("nursery_idle_ttl 1")});
    QVERIFY(t.pool.nextExpiry(t.now) == t.now.steady + 26min);
}

void HeadExpiryTest::nextExpiryIsNowAfterTheWallJumped()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    t.suspend(3h);
    QVERIFY(t.pool.nextExpiry(t.now) == t.now.steady);
}

// An endpoint profile of 13 minutes keeps its sockets for at least half of that, whatever the
// random part; so does one of seconds.
void HeadExpiryTest::shortRotationAgesAreNeverRandomisedToNothing()
{
    PoolSettings settings = ageOnly();
    settings.rotateAfter = 10s;
    Timeline t(settings);
    for (int i = 0; i < 50; ++i)
        (void)t.turn("U1", "A1", "agent" + std::to_string(i));
    t.suspend(5s - 1ms);
    QCOMPARE(t.sweep(), QStringList{});
    t.suspend(5s + 1ms);
    QCOMPARE(t.sweep().size(), 50);
}

QTEST_APPLESS_MAIN(HeadExpiryTest)
#include "tst_headexpiry.moc"
