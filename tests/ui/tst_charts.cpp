// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/charts/timechart.h"
#include "ui/format/appearance.h"
#include "ui/views/chartstack.h"

#include <QAreaSeries>
#include <QChart>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <numeric>
#include <set>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

namespace {

int sum(const std::vector<int> &counts)
{
    return std::accumulate(counts.begin(), counts.end(), 0);
}

} // namespace

class ChartsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void followThePalette();
    void shareOneTimeAxis();
    void haveNeitherAnimationsNorOutlines();
    void shareOneCrosshairWithKeysAndMouse();
    void tellTheirFiguresToAssistiveTools();
    void stayNarrowInPointsHoweverLongTheSpan();
    void showTheBucketOnlyWhereItDecides();
    void drawTheLearnedCeiling();
    void drawTheSpacing();
    void showTheirFiguresAsATable();
    void takeTurnsSoThatNoFramePaysForAll();
    void haveTheirTurnHoweverOftenTheFrameChanges();

private:
    void draw(int seconds = 300, bool hasBucket = true);
    [[nodiscard]] std::vector<int> drawings() const
    {
        std::vector<int> counts;
        for (const TimeChart *chart : m_stack->charts())
            counts.push_back(chart->drawings());
        return counts;
    }

    SecondRing m_ring;
    std::unique_ptr<ChartStack> m_stack;
    double m_end = 0;
};

void ChartsTest::init()
{
    QApplication::setPalette(lightPalette());
    Scene scene;
    const live::Snapshot snapshot = scene.history(3'600);
    for (const live::SecondStats &s : snapshot.seconds)
        m_ring.put(s);
    m_end = static_cast<double>(snapshot.at.time_since_epoch().count()) / 1'000;
    m_stack = std::make_unique<ChartStack>();
    m_stack->resize(900, 560);
    m_stack->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_stack.get()));
    draw();
}

void ChartsTest::cleanup()
{
    m_stack.reset();
}

void ChartsTest::draw(int seconds, bool hasBucket)
{
    m_stack->draw(m_ring, {m_end, seconds}, {10, 60, hasBucket},
                  {{m_end - 20, QStringLiteral("rate 60 → 6")}}, false);
}

void ChartsTest::followThePalette()
{
    for (const bool dark : {true, false}) {
        QApplication::setPalette(dark ? darkPalette() : lightPalette());
        const QColor ground = QApplication::palette().color(QPalette::Base);
        for (TimeChart *chart : m_stack->charts()) {
            QTRY_COMPARE(chart->colors().dark, dark);
            const QImage image = chart->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 2, image.height() - 2), ground);
        }
    }
}

void ChartsTest::shareOneTimeAxis()
{
    const QRectF first = m_stack->charts()[0]->chart()->plotArea();
    QVERIFY(first.width() > 500);
    draw(300, false);
    draw(300, true); // each has been on show once
    for (const TimeChart *chart : m_stack->charts()) {
        if (!chart->isVisible())
            continue;
        QCOMPARE(chart->chart()->plotArea().left(), first.left());
        QCOMPARE(chart->chart()->plotArea().right(), first.right());
        QCOMPARE(chart->pixelOf(m_end), first.right());
        QCOMPARE(chart->pixelOf(m_end - 300), first.left());
        QCOMPARE(chart->timeOf(first.center().x()).value(), m_end - 150);
        QVERIFY(!chart->timeOf(first.right() + 5));
    }
}

void ChartsTest::haveNeitherAnimationsNorOutlines()
{
    for (const TimeChart *chart : m_stack->charts()) {
        QCOMPARE(chart->chart()->animationOptions(), QChart::NoAnimation);
        for (QAbstractSeries *series : chart->chart()->series()) {
            QVERIFY(!series->useOpenGL());
            if (const auto *area = qobject_cast<QAreaSeries *>(series))
                QCOMPARE(area->pen().style(), Qt::NoPen);
        }
    }
}

void ChartsTest::shareOneCrosshairWithKeysAndMouse()
{
    QSignalSpy moves(m_stack.get(), &ChartStack::crosshairMoved);
    TimeChart *chart = m_stack->charts()[2];
    QTest::keyClick(chart, Qt::Key_Left);
    QCOMPARE(m_stack->crosshair().value(), m_end - 3); // a hundredth of the span
    QTest::keyClick(chart, Qt::Key_Escape);
    QVERIFY(!m_stack->crosshair());
    const QPointF middle = chart->chart()->plotArea().center();
    QTest::mouseMove(chart->viewport(), middle.toPoint());
    QTRY_VERIFY(m_stack->crosshair());
    QVERIFY(std::abs(*m_stack->crosshair() - (m_end - 150)) < 1);
}

void ChartsTest::tellTheirFiguresToAssistiveTools()
{
    for (const TimeChart *chart : m_stack->charts()) {
        QVERIFY(!chart->accessibleName().isEmpty());
        QVERIFY(!chart->isVisible() || !chart->accessibleDescription().isEmpty());
    }
    QVERIFY(m_stack->charts()[0]->accessibleDescription().contains(QLatin1String("continued")));
}

void ChartsTest::stayNarrowInPointsHoweverLongTheSpan()
{
    draw(3'600);
    for (const TimeChart *chart : m_stack->charts())
        for (QAbstractSeries *series : chart->chart()->series())
            if (const auto *area = qobject_cast<QAreaSeries *>(series))
                QVERIFY(area->upperSeries()->count() <= 2 * (900 + 1)); // two a pixel at most
}

void ChartsTest::showTheBucketOnlyWhereItDecides()
{
    const auto shown = [this] {
        QStringList names;
        for (const TimeChart *chart : m_stack->charts())
            if (chart->isVisible())
                names << chart->accessibleName();
        return names;
    };
    QCOMPARE(shown().last(), QStringLiteral("Bucket level"));
    draw(300, false);
    QCOMPARE(shown().last(), QStringLiteral("Openings in the last minute"));
    QCOMPARE(shown().size(), 4);
}

void ChartsTest::drawTheLearnedCeiling()
{
    const auto second = static_cast<std::int64_t>(m_end);
    m_stack->notePacing(second - 200, 70.0, std::nullopt);
    m_stack->notePacing(second - 100, 40.0, std::nullopt);
    draw(300, false);
    TimeChart *chart = m_stack->charts()[3];
    QVERIFY2(
        chart->accessibleDescription().contains(QStringLiteral("learned ceiling, an estimate 40,")),
        qPrintable(chart->accessibleDescription()));
    // It is drawn where it held: dark points of its colour in both halves, at two heights.
    const QImage image = chart->grab().toImage();
    const auto rowsOf = [&](double at) {
        std::set<int> rows;
        const int from = static_cast<int>(chart->pixelOf(at));
        for (int x = from; x < from + 40; ++x)
            for (int y = 0; y < image.height(); ++y) {
                const QColor color = image.pixelColor(x, y);
                if (color.red() - color.green() > 30 && color.blue() - color.green() > 30) // purple
                    rows.insert(y);
            }
        return rows;
    };
    const std::set<int> early = rowsOf(m_end - 170);
    const std::set<int> late = rowsOf(m_end - 70);
    QVERIFY(!early.empty() && !late.empty());
    QVERIFY(*early.begin() < *late.begin()); // 70 lies above 40
    QVERIFY(rowsOf(m_end - 290).empty()); // nothing was known then
}

// Of one opening each 1.5 s: 40 a minute, at the height of such a ceiling.
void ChartsTest::drawTheSpacing()
{
    const auto second = static_cast<std::int64_t>(m_end);
    m_stack->notePacing(second - 200, 80.0, std::nullopt);
    m_stack->notePacing(second - 100, 80.0, 1'500.0);
    draw(300, false);
    TimeChart *chart = m_stack->charts()[3];
    QVERIFY2(chart->accessibleDescription().endsWith(QStringLiteral("as spaced 1.5\u00a0s")),
             qPrintable(chart->accessibleDescription()));
    const QImage spaced = chart->grab().toImage();
    m_stack->notePacing(second, 80.0, std::nullopt);
    ChartStack::Pacing without;
    without.ceiling.note(second - 200, 80.0);
    m_stack->setPacing(without);
    draw(300, false);
    const QImage plain = chart->grab().toImage();
    // What differs left of the legend's values is one line, where it held.
    const int from = static_cast<int>(chart->pixelOf(m_end - 90));
    const int to = static_cast<int>(chart->pixelOf(m_end - 20));
    std::set<int> rows;
    for (int x = from; x < to; ++x)
        for (int y = 0; y < plain.height(); ++y)
            if (spaced.pixel(x, y) != plain.pixel(x, y))
                rows.insert(y);
    QCOMPARE(rows.size(), std::size_t(1));
    const int before = static_cast<int>(chart->pixelOf(m_end - 150));
    for (int y = 0; y < plain.height(); ++y)
        QCOMPARE(spaced.pixel(before, y), plain.pixel(before, y));
}

void ChartsTest::showTheirFiguresAsATable()
{
    QTest::keyClick(m_stack->charts()[0], Qt::Key_T);
    auto *table = m_stack->findChild<QTableView *>(QStringLiteral("chart_table_rows"));
    QVERIFY(table != nullptr);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 300);
    QCOMPARE(table->model()->columnCount(), 7); // time, five kinds, rejections
    QCOMPARE(table->model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("continued"));
    // The newest on top, as the legend reads it.
    const QStringList spoken
        = m_stack->charts()[0]->accessibleDescription().split(QStringLiteral(", "));
    QCOMPARE(QStringLiteral("continued ") + table->model()->index(0, 1).data().toString(),
             spoken.front());
    QTest::mouseClick(m_stack->findChild<QPushButton *>(QStringLiteral("chart_table_copy")),
                      Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text().count(u'\n'), 301);
    QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1String("Time\tcontinued\t")));
}

// What the four that are to be seen cost together was the longest frame.
void ChartsTest::takeTurnsSoThatNoFramePaysForAll()
{
    const std::vector<int> before = drawings();
    const double later = m_end + 30;
    m_stack->begin(m_ring, {later, 300}, {10, 60, true}, {}, false);
    QCOMPARE(drawings(), before);
    for (int frame = 0; frame < 2; ++frame) {
        const int drawn = sum(drawings());
        m_stack->drawNext();
        QCOMPARE(sum(drawings()) - drawn, 2);
    }
    for (const TimeChart *chart : m_stack->charts()) {
        if (chart->isVisible())
            QCOMPARE(chart->pixelOf(later), chart->chart()->plotArea().right());
    }
    const std::vector<int> shown = drawings();
    m_stack->drawNext(); // each shows it
    QCOMPARE(drawings(), shown);
}

void ChartsTest::haveTheirTurnHoweverOftenTheFrameChanges()
{
    const std::vector<int> before = drawings();
    for (int frame = 1; frame <= 20; ++frame) {
        m_stack->begin(m_ring, {m_end + frame, 60}, {10, 60, true}, {}, false);
        m_stack->drawNext();
    }
    for (std::size_t i = 0; i < before.size(); ++i)
        QCOMPARE(drawings()[i] - before[i], m_stack->charts()[i]->isVisible() ? 10 : 0);
}

QTEST_MAIN(ChartsTest)
#include "tst_charts.moc"
