// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/secondring.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>

using namespace headway;
using ui::SecondRing;

namespace {

live::SecondStats stats(std::int64_t second, std::uint32_t continued = 1)
{
    live::SecondStats s;
    s.second = second;
    s.continued = continued;
    return s;
}

constexpr auto length = static_cast<std::int64_t>(SecondRing::capacity);

} // namespace

class SecondRingTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsEmpty();
    void keepsWhatWasPutAndLeavesGaps();
    void takesTheLaterValueOfASecond();
    void forgetsExactlyWhatIsOlderThanItsCapacity();
    void startsAgainAfterTheClockSteppedFarBack();
    void agreesWithAMapUnderRandomSeconds();
};

void SecondRingTest::startsEmpty()
{
    const SecondRing ring;
    QVERIFY(ring.isEmpty());
    QVERIFY(ring.at(0) == nullptr);
}

void SecondRingTest::keepsWhatWasPutAndLeavesGaps()
{
    SecondRing ring;
    ring.put(stats(100));
    ring.put(stats(103));
    QVERIFY(ring.at(100) != nullptr);
    QVERIFY(ring.at(101) == nullptr);
    QVERIFY(ring.at(102) == nullptr);
    QVERIFY(ring.at(103) != nullptr);
    QVERIFY(ring.at(104) == nullptr);
    QCOMPARE(ring.newest(), 103);
}

void SecondRingTest::takesTheLaterValueOfASecond()
{
    SecondRing ring;
    ring.put(stats(100, 1));
    ring.put(stats(101, 1));
    ring.put(stats(100, 5));
    QCOMPARE(ring.at(100)->continued, 5U);
    QCOMPARE(ring.newest(), 101);
}

void SecondRingTest::forgetsExactlyWhatIsOlderThanItsCapacity()
{
    SecondRing ring;
    ring.put(stats(100));
    ring.put(stats(100 + length - 1));
    QVERIFY(ring.at(100) != nullptr);
    ring.put(stats(100 + length));
    QVERIFY(ring.at(100) == nullptr);
    ring.put(stats(100)); // too late: must not overwrite the newer one in its slot
    QVERIFY(ring.at(100) == nullptr);
    QVERIFY(ring.at(100 + length) != nullptr);
}

void SecondRingTest::startsAgainAfterTheClockSteppedFarBack()
{
    SecondRing ring;
    ring.put(stats(1'000'000));
    ring.put(stats(500));
    QVERIFY(ring.at(500) != nullptr);
    QVERIFY(ring.at(1'000'000) == nullptr);
    QCOMPARE(ring.newest(), 500);
}

void SecondRingTest::agreesWithAMapUnderRandomSeconds()
{
    QRandomGenerator random(11);
    SecondRing ring;
    std::map<std::int64_t, std::uint32_t> model;
    std::int64_t newest = 10'000;
    for (int step = 0; step < 20'000; ++step) {
        const std::int64_t at = newest + random.bounded(30) - 25;
        newest = std::max(newest, at);
        const std::uint32_t value = random.bounded(1'000U);
        ring.put(stats(at, value));
        model[at] = value;
    }
    for (std::int64_t at = newest - length - 50; at <= newest + 5; ++at) {
        const auto found = model.find(at);
        const bool expected = found != model.end() && at > newest - length;
        QCOMPARE(ring.at(at) != nullptr, expected);
        if (expected)
            QCOMPARE(ring.at(at)->continued, found->second);
    }
}

QTEST_APPLESS_MAIN(SecondRingTest)
#include "tst_secondring.moc"
