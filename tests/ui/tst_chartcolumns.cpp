// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/columns.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;

namespace {

std::vector<Column> columnsOf(const SecondRing &ring, double end, int seconds, int width)
{
    std::vector<Column> columns;
    buildColumns(ring, {end, seconds}, width, columns);
    return columns;
}

live::SecondStats stats(std::int64_t second)
{
    live::SecondStats s;
    s.second = second;
    return s;
}

} // namespace

class ColumnsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aColumnIsAtLeastAPixelWide_data();
    void aColumnIsAtLeastAPixelWide();
    void leavesTheRunningSecondOut();
    void startAtMultiplesOfTheirWidthSoThatScrollingDoesNotShimmer();
    void anUnreportedSecondIsAGapAndNotAZero();
    void averagesStartsAndKeepsExtremes();
    void weighsMediansByTheirWaits();
    void ratiosLookBackTenSeconds();
};

void ColumnsTest::aColumnIsAtLeastAPixelWide_data()
{
    QTest::addColumn<int>("span");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<int>("expected");
    QTest::newRow("1 min") << 60 << 700 << 1;
    QTest::newRow("5 min") << 300 << 700 << 1;
    QTest::newRow("5 min, narrow") << 300 << 299 << 2;
    QTest::newRow("15 min") << 900 << 700 << 2;
    QTest::newRow("60 min") << 3600 << 700 << 10;
    QTest::newRow("60 min, wide") << 3600 << 720 << 5;
    QTest::newRow("60 min, tiny") << 3600 << 1 << 60;
}

void ColumnsTest::aColumnIsAtLeastAPixelWide()
{
    QFETCH(const int, span);
    QFETCH(const int, pixels);
    QFETCH(const int, expected);
    QCOMPARE(columnWidth(span, pixels), expected);
}

void ColumnsTest::leavesTheRunningSecondOut()
{
    SecondRing ring;
    ring.put(stats(1'000));
    const std::vector<Column> before = columnsOf(ring, 1'000.999, 10, 1);
    QCOMPARE(before.back().second, 999);
    const std::vector<Column> after = columnsOf(ring, 1'001.0, 10, 1);
    QCOMPARE(after.back().second, 1'000);
    QCOMPARE(after.back().reported, 1);
}

void ColumnsTest::startAtMultiplesOfTheirWidthSoThatScrollingDoesNotShimmer()
{
    const SecondRing ring;
    for (const double end : {1'000.0, 1'001.0, 1'003.5, 1'004.9})
        for (const Column &column : columnsOf(ring, end, 60, 5))
            QCOMPARE(column.second % 5, 0);
}

void ColumnsTest::anUnreportedSecondIsAGapAndNotAZero()
{
    SecondRing ring;
    ring.put(stats(1'000));
    ring.put(stats(1'002));
    const std::vector<Column> columns = columnsOf(ring, 1'003, 3, 1);
    QCOMPARE(columns.size(), std::size_t(3));
    QVERIFY(columns[0].bucketLow.has_value());
    QVERIFY(!columns[1].bucketLow.has_value());
    QVERIFY(!columns[1].queue.has_value());
    QCOMPARE(columns[1].reported, 0);
    QVERIFY(!columns[0].waitMax.has_value()); // nobody waited: unknown, not zero
    QVERIFY(!columns[0].reuse.has_value()); // nothing started
}

void ColumnsTest::averagesStartsAndKeepsExtremes()
{
    SecondRing ring;
    live::SecondStats a = stats(1'000);
    a.continued = 4;
    a.rejections = 1;
    a.queueLength = 7;
    a.bucketLevel = 3;
    live::SecondStats b = stats(1'001);
    b.continued = 2;
    b.refused = 1;
    b.rejections = 2;
    b.bucketLevel = -1.5;
    ring.put(a);
    ring.put(b);
    const Column column = columnsOf(ring, 1'002, 2, 2).back();
    QCOMPARE(column.startsPerSecond[static_cast<std::size_t>(StartKind::Continued)], 3.0);
    QCOMPARE(column.startsPerSecond[static_cast<std::size_t>(StartKind::Refused)], 0.5);
    QCOMPARE(column.rejections, 3U);
    QCOMPARE(column.queue.value(), 7.0);
    QCOMPARE(column.bucketLow.value(), -1.5);
}

void ColumnsTest::weighsMediansByTheirWaits()
{
    SecondRing ring;
    live::SecondStats a = stats(1'000);
    a.waits = 3;
    a.waitP50Ms = 100;
    a.waitMaxMs = 900;
    live::SecondStats b = stats(1'001);
    b.waits = 1;
    b.waitP50Ms = 500;
    b.waitMaxMs = 600;
    ring.put(a);
    ring.put(b);
    const Column column = columnsOf(ring, 1'002, 2, 2).back();
    QCOMPARE(column.waitP50.value(), 200.0); // (3 · 100 + 1 · 500) / 4
    QCOMPARE(column.waitMax.value(), 900.0);
}

void ColumnsTest::ratiosLookBackTenSeconds()
{
    SecondRing ring;
    live::SecondStats old = stats(1'000);
    old.continued = 3;
    old.openedAtOnce = 1;
    old.inputTokens = 200;
    old.cachedTokens = 150;
    ring.put(old);
    for (int i = 1; i <= 10; ++i)
        ring.put(stats(1'000 + i));
    const std::vector<Column> columns = columnsOf(ring, 1'011, 11, 1);
    QCOMPARE(columns[9].second, 1'009);
    QCOMPARE(columns[9].reuse.value(), 0.75);
    QCOMPARE(columns[9].cached.value(), 0.75);
    QVERIFY(!columns[10].reuse.has_value());
}

QTEST_APPLESS_MAIN(ColumnsTest)
#include "tst_chartcolumns.moc"
