// SPDX-License-Identifier: GPL-3.0-or-later
// How many rejections in a row are none, policy `auto`. Each k is worked out by hand from
// p = (0.5 + noise) / (20 + openings): the least k of 2 ... 6 with p^k < 0.002.
#include "proxy/core/pacing/noiselevel.h"

#include <QTest>

using headway::pacing::NoiseLevel;

class NoiseLevelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneRejectionNeverConfirms();
    void anUnknownAccountNeedsTwo();
    void noiseAsksForMore_data();
    void noiseAsksForMore();
    void openingsDiluteTheNoise();
    void theMemoryIsHalvedAtFourHundred();
    void anAccountIsQuietBelowEightPercent();
};

namespace {

void open(NoiseLevel &noise, int times)
{
    for (int i = 0; i < times; ++i)
        noise.opened();
}

} // namespace

void NoiseLevelTest::oneRejectionNeverConfirms()
{
    NoiseLevel noise;
    open(noise, 399); // p = 0.5 / 419 = 0.0012 < 0.002: one alone would be rare enough
    QCOMPARE(noise.rejectionsToConfirm(), 2);
}

void NoiseLevelTest::anUnknownAccountNeedsTwo()
{
    QCOMPARE(NoiseLevel().rejectionsToConfirm(), 2); // p = 0.5 / 20 = 0.025, p^2 = 0.00063
}

void NoiseLevelTest::noiseAsksForMore_data()
{
    QTest::addColumn<int>("noise");
    QTest::addColumn<int>("confirm");
    QTest::newRow("p = 0.075, p^3 = 0.00042") << 1 << 3;
    QTest::newRow("p = 0.125, p^3 = 0.00195") << 2 << 3;
    QTest::newRow("p = 0.175, p^4 = 0.00094") << 3 << 4;
    QTest::newRow("p = 0.275, p^5 = 0.0016") << 5 << 5;
    QTest::newRow("p = 0.325, p^6 = 0.0012") << 6 << 6;
    QTest::newRow("p = 0.9 at the most, k = 6 at the most") << 100 << 6;
}

void NoiseLevelTest::noiseAsksForMore()
{
    QFETCH(int, noise);
    NoiseLevel level;
    level.rejectedForNothing(noise);
    QTEST(level.rejectionsToConfirm(), "confirm");
}

void NoiseLevelTest::openingsDiluteTheNoise()
{
    NoiseLevel noise;
    noise.rejectedForNothing(3);
    open(noise, 80); // p = 3.5 / 100 = 0.035, p^2 = 0.0012
    QCOMPARE(noise.rejectionsToConfirm(), 2);
}

void NoiseLevelTest::theMemoryIsHalvedAtFourHundred()
{
    NoiseLevel noise;
    noise.rejectedForNothing(20);
    open(noise, 399); // p = 20.5 / 419 = 0.0489, p^3 = 0.00012
    QCOMPARE(noise.rejectionsToConfirm(), 3);
    open(noise, 1); // 200 openings, 10 of noise: p = 10.5 / 220 = 0.0477
    noise.rejectedForNothing(10); // p = 20.5 / 220 = 0.0932, p^3 = 0.00081
    QCOMPARE(noise.rejectionsToConfirm(), 3);
    noise.rejectedForNothing(9); // p = 29.5 / 220 = 0.134, p^3 = 0.0024: four, as 400 would not say
    QCOMPARE(noise.rejectionsToConfirm(), 4);
}

void NoiseLevelTest::anAccountIsQuietBelowEightPercent()
{
    NoiseLevel noise;
    noise.rejectedForNothing(1); // p = 1.5 / 20 = 0.075
    QVERIFY(noise.isQuiet());
    noise.rejectedForNothing(1); // p = 2.5 / 20 = 0.125
    QVERIFY(!noise.isQuiet());
}

QTEST_APPLESS_MAIN(NoiseLevelTest)
#include "tst_noiselevel.moc"
