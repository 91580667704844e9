// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what a snapshot costs with 500 turns in flight; a slow machine is no failure.
#include "scene.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"

#include <QTest>

#include <ctime>
#include <memory>

using headway::test::Scene;
using namespace headway;

class ApplyCostTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSnapshotOfFiveHundredTurns_data();
    void aSnapshotOfFiveHundredTurns();
};

void ApplyCostTest::aSnapshotOfFiveHundredTurns_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<int>("span");
    QTest::newRow("live, 5 min") << QStringLiteral("live") << 300;
    QTest::newRow("live, 60 min") << QStringLiteral("live") << 3'600;
    QTest::newRow("heads") << QStringLiteral("heads") << 300;
    QTest::newRow("ledger") << QStringLiteral("ledger") << 300;
}

void ApplyCostTest::aSnapshotOfFiveHundredTurns()
{
    QFETCH(const QString, view);
    QFETCH(const int, span);
    constexpr int snapshots = 40; // four seconds
    Scene scene(7, 500);
    ui::MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(window.showView(view));
    window.places()->live()->setSpan(span);
    window.apply(std::make_shared<const live::Snapshot>(scene.history(3'600)));
    std::vector<live::SnapshotPointer> prepared;
    for (int i = 0; i < snapshots; ++i) {
        live::Snapshot snapshot = scene.next();
        const std::vector<ledger::Record> some = snapshot.records;
        while (snapshot.records.size() < 200) // 2 000 a second
            snapshot.records.insert(snapshot.records.end(), some.begin(), some.end());
        prepared.push_back(std::make_shared<const live::Snapshot>(std::move(snapshot)));
    }
    const std::clock_t before = std::clock();
    for (const live::SnapshotPointer &snapshot : prepared) {
        window.apply(snapshot);
        QCoreApplication::processEvents(); // paints
    }
    const double ms
        = 1'000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / snapshots;
    qInfo("%s: %.1f ms of CPU a snapshot with its repaint, %.0f %% of a core at 10 Hz",
          QTest::currentDataTag(), ms, ms);
    QCOMPARE(window.snapshotsApplied(), std::uint64_t(snapshots + 1));
}

QTEST_MAIN(ApplyCostTest)
#include "tst_applycost.moc"
