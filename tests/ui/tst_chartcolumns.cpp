// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/columns.h"
#include "ui/models/steptrace.h"

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
    void openingsAreCountedOverTheMinuteBefore();
    void theCeilingIsWhatHeldAtTheEndOfAColumn();
    void theCeilingOfAnHourAgoIsKeptAndOlderOnesGo();
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

void ColumnsTest::openingsAreCountedOverTheMinuteBefore()
{
    SecondRing ring;
    for (std::int64_t second = 1'000; second < 1'200; ++second) {
        live::SecondStats s = stats(second);
        s.openedAtOnce = second == 1'010 ? 5 : 0;
        s.openedAfterWait = second == 1'020 ? 4 : 0;
        s.rejections = second == 1'021 ? 2 : 0; // two of those four
        s.continued = 9; // no opening
        s.refused = 3;
        ring.put(s);
    }
    for (const int width : {1, 5}) {
        const auto columns = columnsOf(ring, 1'200, 200, width);
        const auto at = [&](std::int64_t second) {
            for (const Column &column : columns)
                if (column.second <= second && second < column.second + column.width)
                    return column.openedInMinute;
            return std::optional<double>();
        };
        QCOMPARE(at(1'000), 0.0);
        QCOMPARE(at(1'010), 5.0);
        QCOMPARE(at(1'030), 7.0);
        QCOMPARE(at(1'064), 7.0); // [1005, 1065)
        QCOMPARE(at(1'074), 2.0); // [1015, 1075)
        QCOMPARE(at(1'084), 0.0);
    }
    QVERIFY(!columnsOf(ring, 900, 60, 1).front().openedInMinute); // nobody reported
}

void ColumnsTest::theCeilingIsWhatHeldAtTheEndOfAColumn()
{
    SecondRing ring;
    for (std::int64_t second = 0; second < 40; ++second)
        if (second != 25)
            ring.put(stats(second));
    StepTrace trace;
    trace.note(5, {});
    trace.note(10, 70.0);
    trace.note(10, 68.0); // the last word of a second
    trace.note(9, 1.0); // the clock was set back
    trace.note(20, 68.0);
    trace.note(30, {});
    auto columns = columnsOf(ring, 40, 40, 1);
    trace.fill(columns, &Column::ceiling);
    const auto at = [&](std::size_t second) { return columns.at(second).ceiling; };
    QVERIFY(!at(9));
    QCOMPARE(at(10), 68.0);
    QCOMPARE(at(29), 68.0);
    QVERIFY(!at(25)); // a gap is a gap
    QVERIFY(!at(30));
}

void ColumnsTest::theCeilingOfAnHourAgoIsKeptAndOlderOnesGo()
{
    StepTrace trace;
    trace.note(0, 10.0);
    trace.note(100, 20.0);
    const auto hour = static_cast<std::int64_t>(SecondRing::capacity);
    trace.note(hour + 150, 30.0);
    std::vector<Column> columns(1);
    columns.front().second = 150;
    columns.front().reported = 1;
    trace.fill(columns, &Column::ceiling);
    QCOMPARE(columns.front().ceiling, 20.0);
    columns.front().second = 50;
    trace.fill(columns, &Column::ceiling);
    QVERIFY(!columns.front().ceiling);
}

QTEST_APPLESS_MAIN(ColumnsTest)
#include "tst_chartcolumns.moc"
