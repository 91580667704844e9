// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/stops.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headway::ui;

class StopsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reachBothEndsAndRiseStrictly_data();
    void reachBothEndsAndRiseStrictly();
    void holdBothSixAndSixtyFarApartOnTheScale();
    void differByAboutATwentieth();
    void areWholeSecondsForADeadline();
    void nearestPrefersTheLowerOneOnATie();
};

void StopsTest::reachBothEndsAndRiseStrictly_data()
{
    QTest::addColumn<int>("minimum");
    QTest::addColumn<int>("maximum");
    QTest::addColumn<int>("unit");
    QTest::newRow("rate") << 0 << 600 << 1;
    QTest::newRow("burst") << 1 << 100 << 1;
    QTest::newRow("retries") << 0 << 10 << 1;
    QTest::newRow("idle") << 10'000 << 3'600'000 << 1'000;
    QTest::newRow("single") << 5 << 5 << 1;
}

void StopsTest::reachBothEndsAndRiseStrictly()
{
    QFETCH(const int, minimum);
    QFETCH(const int, maximum);
    QFETCH(const int, unit);
    const std::vector<std::int64_t> stops = sliderStops(minimum, maximum, unit);
    QCOMPARE(stops.front(), minimum);
    QCOMPARE(stops.back(), maximum);
    QVERIFY(std::ranges::is_sorted(stops, std::less_equal<>()));
    QVERIFY(std::ranges::adjacent_find(stops) == stops.end());
}

void StopsTest::holdBothSixAndSixtyFarApartOnTheScale()
{
    const std::vector<std::int64_t> stops = sliderStops(0, 600);
    QVERIFY(std::ranges::find(stops, 6) != stops.end());
    QVERIFY(std::ranges::find(stops, 60) != stops.end());
    // On a linear scale they would be a tenth of the way apart.
    const int apart = nearestStop(stops, 60) - nearestStop(stops, 6);
    QVERIFY(apart * 3 > static_cast<int>(stops.size()));
}

void StopsTest::differByAboutATwentieth()
{
    const std::vector<std::int64_t> stops = sliderStops(0, 600);
    for (std::size_t i = 1; i < stops.size(); ++i)
        QVERIFY(stops[i] - stops[i - 1] <= std::max<std::int64_t>(1, stops[i - 1] / 20));
}

void StopsTest::areWholeSecondsForADeadline()
{
    for (const std::int64_t stop : sliderStops(10'000, 3'600'000, 1'000))
        QCOMPARE(stop % 1'000, 0);
}

void StopsTest::nearestPrefersTheLowerOneOnATie()
{
    const std::vector<std::int64_t> stops{0, 10, 20};
    QCOMPARE(nearestStop(stops, 4), 0);
    QCOMPARE(nearestStop(stops, 5), 0);
    QCOMPARE(nearestStop(stops, 6), 1);
    QCOMPARE(nearestStop(stops, 99), 2);
}

QTEST_APPLESS_MAIN(StopsTest)
#include "tst_stops.moc"
