// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/charts/timechart.h"
#include "ui/format/appearance.h"
#include "ui/views/chartstack.h"

#include <QAreaSeries>
#include <QChart>
#include <QSignalSpy>
#include <QTest>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

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

private:
    void draw(int seconds = 300);

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

void ChartsTest::draw(int seconds)
{
    m_stack->draw(m_ring, {m_end, seconds}, {10, 60}, {{m_end - 20, QStringLiteral("rate 60 → 6")}},
                  false);
}

void ChartsTest::followThePalette()
{
    for (const bool dark : {true, false}) {
        QApplication::setPalette(dark ? darkPalette() : lightPalette());
        const QColor ground = QApplication::palette().color(QPalette::Base);
        for (TimeChart *chart : m_stack->charts()) {
            QCOMPARE(chart->colors().dark, dark);
            const QImage image = chart->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 2, image.height() - 2), ground);
        }
    }
}

void ChartsTest::shareOneTimeAxis()
{
    const QRectF first = m_stack->charts()[0]->chart()->plotArea();
    QVERIFY(first.width() > 500);
    for (const TimeChart *chart : m_stack->charts()) {
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
        QVERIFY(!chart->accessibleDescription().isEmpty());
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

QTEST_MAIN(ChartsTest)
#include "tst_charts.moc"
