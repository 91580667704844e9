// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/edithistory.h"

#include <QTest>

#include <vector>

using headway::ui::Edit;
using headway::ui::EditHistory;

namespace {

Edit rate(const char *from, const char *to)
{
    return {QStringLiteral("rate_per_min"), QString::fromLatin1(from), QString::fromLatin1(to)};
}

} // namespace

class EditHistoryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneDragIsOneStep();
    void twoGesturesAreTwoSteps();
    void redoGivesTheStepBackUntilSomethingNewIsDone();
    void aGestureThatEndsWhereItBeganIsNoStep();
    void keepsTheNewestHundred();
    void whatIsAppliedTogetherIsOneStep();
    void whatDoesNotChangeIsNoPartOfAStep();
};

void EditHistoryTest::oneDragIsOneStep()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.record(rate("40", "20"), 1);
    history.record(rate("20", "6"), 1);
    QCOMPARE(history.undo(), std::vector{rate("60", "6")});
    QVERIFY(history.undo().empty());
}

void EditHistoryTest::twoGesturesAreTwoSteps()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.record(rate("40", "6"), 2);
    QCOMPARE(history.undo(), std::vector{rate("40", "6")});
    QCOMPARE(history.undo(), std::vector{rate("60", "40")});
    QVERIFY(!history.canUndo());
}

void EditHistoryTest::redoGivesTheStepBackUntilSomethingNewIsDone()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    QVERIFY(!history.canRedo());
    QVERIFY(!history.undo().empty());
    QCOMPARE(history.redo(), std::vector{rate("60", "40")});
    QVERIFY(!history.undo().empty());
    history.record(rate("60", "30"), 2);
    QVERIFY(!history.canRedo());
    QCOMPARE(history.undo(), std::vector{rate("60", "30")});
}

void EditHistoryTest::aGestureThatEndsWhereItBeganIsNoStep()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.record(rate("40", "60"), 1);
    QVERIFY(!history.canUndo());
}

void EditHistoryTest::keepsTheNewestHundred()
{
    EditHistory history;
    for (int i = 0; i < 150; ++i)
        history.record({QStringLiteral("burst"), QString::number(i), QString::number(i + 1)},
                       static_cast<std::uint64_t>(i));
    int steps = 0;
    Edit last;
    while (history.canUndo()) {
        last = history.undo().front();
        ++steps;
    }
    QCOMPARE(steps, 100);
    QCOMPARE(last.oldValue, QStringLiteral("50"));
}

void EditHistoryTest::whatIsAppliedTogetherIsOneStep()
{
    const Edit policy{QStringLiteral("policy"), QStringLiteral("bucket"), QStringLiteral("auto")};
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.recordTogether({policy, rate("40", "90")});
    history.record(rate("90", "80"), 1); // the same drag number says nothing about the batch
    QCOMPARE(history.undo(), std::vector{rate("90", "80")});
    QCOMPARE(history.undo(), (std::vector{policy, rate("40", "90")}));
    QCOMPARE(history.redo(), (std::vector{policy, rate("40", "90")}));
    QCOMPARE(history.undo(), (std::vector{policy, rate("40", "90")}));
    QCOMPARE(history.undo(), std::vector{rate("60", "40")});
}

void EditHistoryTest::whatDoesNotChangeIsNoPartOfAStep()
{
    const Edit same{QStringLiteral("policy"), QStringLiteral("auto"), QStringLiteral("auto")};
    EditHistory history;
    history.recordTogether({same});
    QVERIFY(!history.canUndo());
    history.recordTogether({same, rate("60", "6")});
    QCOMPARE(history.undo(), std::vector{rate("60", "6")});
}

QTEST_APPLESS_MAIN(EditHistoryTest)
#include "tst_edithistory.moc"
