// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/format/palette.h"
#include "ui/models/headmodel.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/turnmodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

namespace {

using Tester = QAbstractItemModelTester;

live::TurnRow turn(std::uint64_t id, base::Milliseconds age = {})
{
    live::TurnRow row;
    row.turn = base::TurnId(id);
    row.age = age;
    return row;
}

ledger::Record record(std::uint64_t id)
{
    return {Scene::start, base::TurnId(id), {}, {}, ledger::Warning{"k", "t"}};
}

} // namespace

class TableModelsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void turnsStayAValidModelUnderRandomSnapshots();
    void headsStayAValidModelUnderRandomSnapshots();
    void aTurnKeepsItsRowWhileItLives();
    void onlyTheStretchThatChangedIsTold();
    void aRepeatedIdCountsOnce();
    void waitingTurnsShowTheirCountdownAndPlace();
    void theLedgerStaysValidAndBoundedUnderRandomBatches();
    void theLedgerKeepsTheNewest();
    void aCompletedTurnIsNoFault();
};

void TableModelsTest::turnsStayAValidModelUnderRandomSnapshots()
{
    TurnModel model;
    const Tester tester(&model, Tester::FailureReportingMode::QtTest);
    QRandomGenerator random(3);
    for (int step = 0; step < 120; ++step) {
        std::vector<live::TurnRow> rows;
        for (std::uint64_t id = 0; id < 40; ++id)
            if (random.bounded(3) > 0)
                rows.push_back(turn(id, base::Milliseconds(random.bounded(3))));
        std::ranges::shuffle(rows, random);
        model.setRows(rows);
        QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
        for (const live::TurnRow &row : rows) {
            const int at = model.rowOf(row.turn.value());
            QVERIFY(at >= 0);
            QCOMPARE(*model.rowAt(at), row);
        }
    }
}

void TableModelsTest::headsStayAValidModelUnderRandomSnapshots()
{
    HeadModel model;
    const Tester tester(&model, Tester::FailureReportingMode::QtTest);
    QRandomGenerator random(5);
    for (int step = 0; step < 100; ++step) {
        std::vector<live::HeadRow> rows(random.bounded(20U));
        for (live::HeadRow &row : rows) {
            row.connection = base::ConnectionId(random.bounded(1'000U));
            row.turns = random.bounded(4U);
        }
        model.setRows(rows);
        QVERIFY(model.rowCount() <= static_cast<int>(rows.size()));
    }
}

void TableModelsTest::aTurnKeepsItsRowWhileItLives()
{
    TurnModel model;
    model.setRows({turn(1), turn(2), turn(3)});
    const QPersistentModelIndex third(model.index(2, 0));
    model.setRows({turn(3, base::Milliseconds(9)), turn(2), turn(4)});
    QVERIFY(third.isValid());
    QCOMPARE(model.rowAt(third.row())->turn.value(), 3U);
    QCOMPARE(model.rowOf(2), 0);
    QCOMPARE(model.rowOf(3), 1);
    QCOMPARE(model.rowOf(4), 2);
    QCOMPARE(model.rowOf(1), -1);
}

void TableModelsTest::onlyTheStretchThatChangedIsTold()
{
    TurnModel model;
    model.setRows({turn(1), turn(2), turn(3), turn(4)});
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRows({turn(1), turn(2), turn(3), turn(4)});
    QCOMPARE(changes.count(), 0);
    model.setRows(
        {turn(1), turn(2, base::Milliseconds(1)), turn(3, base::Milliseconds(1)), turn(4)});
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes.at(0).at(0).toModelIndex().row(), 1);
    QCOMPARE(changes.at(0).at(1).toModelIndex().row(), 2);
}

void TableModelsTest::aRepeatedIdCountsOnce()
{
    TurnModel model;
    model.setRows({turn(1), turn(1), turn(2)});
    QCOMPARE(model.rowCount(), 2);
}

void TableModelsTest::waitingTurnsShowTheirCountdownAndPlace()
{
    live::TurnRow row = turn(1);
    row.phase = live::Phase::Queued;
    row.remaining = base::Milliseconds(2'100);
    row.queuePlace = 2;
    TurnModel model;
    model.setRows({row});
    const QString shown = model.index(0, TurnModel::LeavesIn).data().toString();
    QCOMPARE(shown, QStringLiteral("2.1\u00a0s · place 2"));
    row.refusedThen = true;
    model.setRows({row});
    QCOMPARE(model.index(0, TurnModel::LeavesIn).data().toString(),
             QStringLiteral("refused in 2.1\u00a0s"));
    row.phase = live::Phase::Streaming;
    model.setRows({row});
    QCOMPARE(model.index(0, TurnModel::LeavesIn).data().toString(), QString());
}

void TableModelsTest::theLedgerStaysValidAndBoundedUnderRandomBatches()
{
    LedgerModel model(64);
    const Tester tester(&model, Tester::FailureReportingMode::QtTest);
    QRandomGenerator random(9);
    std::uint64_t id = 0;
    for (int step = 0; step < 100; ++step) {
        std::vector<ledger::Record> batch;
        for (int i = random.bounded(90); i > 0; --i)
            batch.push_back(record(++id));
        model.append(std::move(batch));
        QVERIFY(model.rowCount() <= 64);
    }
    QCOMPARE(model.rowCount(), 64);
}

void TableModelsTest::theLedgerKeepsTheNewest()
{
    LedgerModel model(3);
    model.append({record(1), record(2)});
    model.append({record(3), record(4)});
    QCOMPARE(model.recordAt(0)->turn.value(), 2U);
    QCOMPARE(model.recordAt(2)->turn.value(), 4U);
    model.append({record(5), record(6), record(7), record(8)});
    QCOMPARE(model.recordAt(0)->turn.value(), 6U);
    QVERIFY(model.recordAt(3) == nullptr);
}

void TableModelsTest::aCompletedTurnIsNoFault()
{
    // spec/window.md: a turn finished normally is never shown as a fault.
    ledger::TurnEnded ended;
    ended.end = "completed";
    LedgerModel model(8);
    model.append({{Scene::start, base::TurnId(1), {}, {}, ended}});
    const QModelIndex what = model.index(0, LedgerModel::What);
    QCOMPARE(what.data(MeaningRole).toInt(), static_cast<int>(Meaning::Done));
    QCOMPARE(what.data(GlyphRole).toString(), QStringLiteral("✓"));
}

QTEST_GUILESS_MAIN(TableModelsTest)
#include "tst_tablemodels.moc"
