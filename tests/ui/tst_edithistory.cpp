// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/edithistory.h"

#include <QTest>

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
};

void EditHistoryTest::oneDragIsOneStep()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.record(rate("40", "20"), 1);
    history.record(rate("20", "6"), 1);
    QCOMPARE(history.undo().value(), rate("60", "6"));
    QVERIFY(!history.undo());
}

void EditHistoryTest::twoGesturesAreTwoSteps()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    history.record(rate("40", "6"), 2);
    QCOMPARE(history.undo().value(), rate("40", "6"));
    QCOMPARE(history.undo().value(), rate("60", "40"));
    QVERIFY(!history.canUndo());
}

void EditHistoryTest::redoGivesTheStepBackUntilSomethingNewIsDone()
{
    EditHistory history;
    history.record(rate("60", "40"), 1);
    QVERIFY(!history.canRedo());
    QVERIFY(history.undo());
    QCOMPARE(history.redo().value(), rate("60", "40"));
    QVERIFY(history.undo());
    history.record(rate("60", "30"), 2);
    QVERIFY(!history.canRedo());
    QCOMPARE(history.undo().value(), rate("60", "30"));
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
    std::optional<Edit> last;
    while (const std::optional<Edit> edit = history.undo()) {
        last = edit;
        ++steps;
    }
    QCOMPARE(steps, 100);
    QCOMPARE(last->oldValue, QStringLiteral("50"));
}

QTEST_APPLESS_MAIN(EditHistoryTest)
#include "tst_edithistory.moc"
