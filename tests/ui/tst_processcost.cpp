// SPDX-License-Identifier: GPL-3.0-or-later
// What the program costs, as the strip at the bottom shows it.
#include "ui/models/processcost.h"
#include "ui/panels/statusstrip.h"

#include <QLabel>
#include <QRegularExpression>
#include <QTest>

using namespace headway;
using namespace headway::ui;
using namespace std::chrono_literals;

class ProcessCostTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theShareIsOfTheTimeBetweenTwoLooks();
    void looksThatFollowTooSoonSayNothing();
    void theStripShowsBoth();
};

void ProcessCostTest::theShareIsOfTheTimeBetweenTwoLooks()
{
    ProcessCostMeter meter;
    QVERIFY(!meter.look(5s, 100s, 7)); // of the time before nothing is known
    QCOMPARE(meter.look(5s + 20ms, 102s, 8), (ProcessCost{0.01, 8}));
    QCOMPARE(meter.look(8s + 20ms, 104s, 9), (ProcessCost{1.5, 9})); // several threads
}

void ProcessCostTest::looksThatFollowTooSoonSayNothing()
{
    ProcessCostMeter meter;
    QVERIFY(!meter.look(0s, 100s, 1));
    QVERIFY(!meter.look(1s, 100s + 499ms, 1));
    QCOMPARE(meter.look(1s, 100s + 500ms, 1), (ProcessCost{2.0, 1}));
}

void ProcessCostTest::theStripShowsBoth()
{
    StatusStrip strip;
    const auto *label = strip.findChild<QLabel *>(QStringLiteral("status_cost"));
    QCOMPARE(label->text(), QStringLiteral("–"));
    const QRegularExpression form(QStringLiteral("^[0-9.]+\u00a0% CPU · [0-9.]+\u00a0MB$"));
    QTRY_VERIFY2(
        [&] {
            strip.apply({});
            return form.match(label->text()).hasMatch();
        }(),
        qPrintable(label->text()));
}

QTEST_MAIN(ProcessCostTest)
#include "tst_processcost.moc"
