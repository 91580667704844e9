// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks of the proxy from the window, with real keys and clicks, and how what is in
// force is shown (spec/window.md, "Rules", views 1 and 2).
#include "scene.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/timingbar.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"
#include "ui/views/turnspanel.h"

#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class WindowCommandsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void pausingIsAskedForWithOneKey();
    void pausingIsShownInEveryPlaceWithItsWayBack();
    void passingThroughIsShownWithItsWayBack();
    void aHeldSessionIsNamedAndReleased();
    void nothingInForceIsNotShown();
    void theSwitchesFollowTheProxy();
    void aWaitingTurnMovesToTheFrontWithAKey();
    void aWaitingTurnIsCancelledWithAKeyAndAConfirmation();
    void aCancellationIsTakenBackWithEscape();
    void aTurnThatWentOnIsNoLongerAskedAbout();
    void aRunningTurnOffersNeither();
    void aSessionIsHeldFromItsTurn();
    void aHeldTurnSaysSoInTableAndPane();
    void theTimingBarTellsWhereTheTimeWent();
    void everyLaneAndSpareHasARow();
    void aHeadIsEvictedWithAKey();
    void aHeadIsPinnedAndASpareIsNot();
    void aRowThatGoesTakesTheSelectionAlong();

private:
    void apply(live::Snapshot snapshot)
    {
        m_window->apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
    }
    // A scene of three turns: the first streams, the others wait at places 1 and 2.
    [[nodiscard]] live::Snapshot queue() const;
    [[nodiscard]] RecordTable *turns() const
    {
        return m_window->places()->live()->turns()->table();
    }
    [[nodiscard]] RecordTable *heads() const { return m_window->places()->heads()->table(); }

    void askToCancel()
    {
        m_window->activateWindow(); // a dialog may have been there
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        apply(queue());
        turns()->setFocus();
        turns()->selectRow(1);
        QTest::keyClick(turns(), Qt::Key_Delete);
        QVERIFY(cancelling() && cancelling()->isVisible());
    }
    [[nodiscard]] QMessageBox *cancelling() const
    {
        return m_window->findChild<QMessageBox *>(QStringLiteral("cancelling"));
    }

    std::unique_ptr<MainWindow> m_window;
};

void WindowCommandsTest::init()
{
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowCommandsTest::cleanup()
{
    m_window.reset();
}

live::Snapshot WindowCommandsTest::queue() const
{
    live::Snapshot snapshot = Scene().next();
    snapshot.turns.clear();
    for (std::uint64_t i = 0; i < 3; ++i) {
        live::TurnRow row;
        row.turn = base::TurnId(70 + i);
        row.session = "s" + std::to_string(i);
        row.phase = i == 0 ? live::Phase::Streaming : live::Phase::Queued;
        row.queuePlace = i;
        row.remaining = base::Milliseconds(1'000 * i);
        row.why = "because";
        snapshot.turns.push_back(row);
    }
    return snapshot;
}

void WindowCommandsTest::pausingIsAskedForWithOneKey()
{
    QSignalSpy asked(m_window->commands(), &ProxyCommands::pauseRequested);
    QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.at(0).at(0).toBool(), true);
}

void WindowCommandsTest::pausingIsShownInEveryPlaceWithItsWayBack()
{
    live::Snapshot snapshot = queue();
    snapshot.overrides.pauseAll = true;
    apply(snapshot);
    QSignalSpy asked(m_window->commands(), &ProxyCommands::pauseRequested);
    for (const auto view : {MainWindow::View::Live, MainWindow::View::Heads,
                            MainWindow::View::Ledger, MainWindow::View::Setup})
    {
        m_window->showView(view);
        auto *resume = m_window->findChild<QPushButton *>(QStringLiteral("resume_all"));
        QVERIFY(resume && resume->isVisible());
    }
    QTest::mouseClick(m_window->findChild<QPushButton *>(QStringLiteral("resume_all")),
                      Qt::LeftButton);
    QCOMPARE(asked.value(0).value(0).toBool(), false);
}

void WindowCommandsTest::passingThroughIsShownWithItsWayBack()
{
    QSignalSpy asked(m_window->commands(), &ProxyCommands::passThroughRequested);
    QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(asked.value(0).value(0).toBool(), true);
    live::Snapshot snapshot = queue();
    snapshot.overrides.passThrough = true;
    apply(snapshot);
    m_window->findChild<QPushButton *>(QStringLiteral("end_pass_through"))->click();
    QCOMPARE(asked.value(1).value(0).toBool(), false);
}

void WindowCommandsTest::aHeldSessionIsNamedAndReleased()
{
    live::Snapshot snapshot = queue();
    snapshot.overrides.heldSessions = {"s1"};
    apply(snapshot);
    QSignalSpy asked(m_window->commands(), &ProxyCommands::holdRequested);
    auto *release = m_window->findChild<QPushButton *>(QStringLiteral("release_s1"));
    QVERIFY(release->accessibleDescription().contains(QLatin1String("s1")));
    release->click();
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("s1"));
    QCOMPARE(asked.value(0).value(1).toBool(), false);
}

void WindowCommandsTest::nothingInForceIsNotShown()
{
    apply(queue());
    auto *bar = m_window->findChild<QWidget *>(QStringLiteral("override_bar"));
    QVERIFY(!bar->isVisible());
    live::Snapshot snapshot = queue();
    snapshot.overrides.pauseAll = true;
    apply(snapshot);
    QVERIFY(bar->isVisible());
    apply(queue());
    QVERIFY(!bar->isVisible());
}

void WindowCommandsTest::theSwitchesFollowTheProxy()
{
    auto *pause = m_window->findChild<QAction *>(QStringLiteral("action_pause_all"));
    live::Snapshot snapshot = queue();
    snapshot.overrides.pauseAll = true;
    apply(snapshot);
    QVERIFY(pause->isChecked());
    apply(queue()); // somebody else switched it back
    QVERIFY(!pause->isChecked());
}

void WindowCommandsTest::aWaitingTurnMovesToTheFrontWithAKey()
{
    apply(queue());
    QSignalSpy asked(m_window->commands(), &ProxyCommands::moveToFrontRequested);
    turns()->setFocus();
    turns()->selectRow(2);
    QTest::keyClick(turns(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(asked.value(0).value(0).toULongLong(), 72ULL);
    turns()->selectRow(1); // at the front already
    QTest::keyClick(turns(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(asked.count(), 1);
}

void WindowCommandsTest::aWaitingTurnIsCancelledWithAKeyAndAConfirmation()
{
    QSignalSpy asked(m_window->commands(), &ProxyCommands::cancelRequested);
    askToCancel();
    QCOMPARE(asked.count(), 0); // nothing yet: it cannot be undone
    QVERIFY(cancelling()->text().contains(QLatin1String("req_0000000000000047"))); // 71
    auto *yes = m_window->findChild<QPushButton *>(QStringLiteral("cancelling_yes"));
    yes->setFocus();
    QTest::keyClick(yes, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.value(0).value(0).toULongLong(), 71ULL);
    // The turn leaves with the next snapshot, which is what was asked for.
    live::Snapshot snapshot = queue();
    snapshot.turns.erase(snapshot.turns.begin() + 1);
    apply(snapshot);
    const auto *said = m_window->findChild<QWidget *>(QStringLiteral("status_message"));
    QVERIFY2(said->accessibleName().contains(QLatin1String("is cancelled")),
             qPrintable(said->accessibleName()));
}

void WindowCommandsTest::aCancellationIsTakenBackWithEscape()
{
    QSignalSpy asked(m_window->commands(), &ProxyCommands::cancelRequested);
    askToCancel();
    QTest::keyClick(cancelling(), Qt::Key_Return); // the button that harms nobody
    QTRY_VERIFY(cancelling() == nullptr);
    askToCancel();
    QTest::keyClick(cancelling(), Qt::Key_Escape);
    QTRY_VERIFY(cancelling() == nullptr);
    QCOMPARE(asked.count(), 0);
}

void WindowCommandsTest::aTurnThatWentOnIsNoLongerAskedAbout()
{
    QSignalSpy asked(m_window->commands(), &ProxyCommands::cancelRequested);
    askToCancel();
    live::Snapshot snapshot = queue();
    snapshot.turns[1].phase = live::Phase::Streaming;
    apply(snapshot);
    QTRY_VERIFY(cancelling() == nullptr);
    QCOMPARE(asked.count(), 0);
    const auto *said = m_window->findChild<QWidget *>(QStringLiteral("status_message"));
    QVERIFY(said->accessibleName().contains(QLatin1String("nothing was cancelled")));
}

void WindowCommandsTest::aRunningTurnOffersNeither()
{
    apply(queue());
    QSignalSpy cancelled(m_window->commands(), &ProxyCommands::cancelRequested);
    QSignalSpy moved(m_window->commands(), &ProxyCommands::moveToFrontRequested);
    turns()->setFocus();
    turns()->selectRow(0);
    QTest::keyClick(turns(), Qt::Key_Delete);
    QTest::keyClick(turns(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(cancelling() == nullptr);
    QCOMPARE(cancelled.count() + moved.count(), 0);
    // What is not possible says why.
    const auto *cancel = m_window->findChild<QAction *>(QStringLiteral("action_turn_cancel"));
    QVERIFY(!cancel->isEnabled());
    QVERIFY(cancel->toolTip().contains(QLatin1String("still waits")));
}

void WindowCommandsTest::aSessionIsHeldFromItsTurn()
{
    apply(queue());
    QSignalSpy asked(m_window->commands(), &ProxyCommands::holdRequested);
    turns()->setFocus();
    turns()->selectRow(0);
    QTest::keyClick(turns(), Qt::Key_H, Qt::ControlModifier);
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("s0"));
    QCOMPARE(asked.value(0).value(1).toBool(), true);
    live::Snapshot snapshot = queue();
    snapshot.overrides.heldSessions = {"s0"};
    apply(snapshot);
    QTest::keyClick(turns(), Qt::Key_H, Qt::ControlModifier);
    QCOMPARE(asked.value(1).value(1).toBool(), false);
}

void WindowCommandsTest::aHeldTurnSaysSoInTableAndPane()
{
    live::Snapshot snapshot = queue();
    snapshot.turns[1].held = true;
    apply(snapshot);
    QVERIFY(turns()->model()->index(1, 0).data().toString().contains(QLatin1String("held")));
    turns()->selectRow(1);
    QVERIFY(m_window->findChild<QLabel *>(QStringLiteral("why_text"))
                ->text()
                .contains(QLatin1String("You hold it back")));
}

void WindowCommandsTest::theTimingBarTellsWhereTheTimeWent()
{
    live::Snapshot snapshot = queue();
    snapshot.turns[0].spent[static_cast<std::size_t>(live::Phase::Queued)]
        = base::Milliseconds(3'100);
    snapshot.turns[0].spent[static_cast<std::size_t>(live::Phase::Streaming)]
        = base::Milliseconds(12'000);
    apply(snapshot);
    turns()->selectRow(0);
    const auto *bar = m_window->findChild<TimingBar *>(QStringLiteral("timing_bar"));
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->words(), QStringLiteral("queued 3.1\u00a0s · streaming 12\u00a0s"));
    QCOMPARE(bar->accessibleDescription(), bar->words());
}

void WindowCommandsTest::everyLaneAndSpareHasARow()
{
    live::Snapshot snapshot = queue();
    snapshot.heads.clear();
    live::HeadRow head;
    head.connection = base::ConnectionId(5);
    for (std::uint64_t i = 1; i <= 3; ++i) {
        head.head = i;
        head.lane = i == 1 ? "" : "lane-" + std::to_string(i);
        snapshot.heads.push_back(head);
    }
    live::HeadRow spare;
    spare.connection = base::ConnectionId(1); // not to be taken for head 1
    spare.spare = true;
    snapshot.heads.push_back(spare);
    m_window->showView(MainWindow::View::Heads);
    apply(snapshot);
    QCOMPARE(heads()->model()->rowCount(), 4);
    QCOMPARE(heads()->model()->index(3, 0).data().toString(), QStringLiteral("spare"));
    QCOMPARE(heads()->model()->index(2, 2).data().toString(), QStringLiteral("lane-3"));
}

void WindowCommandsTest::aHeadIsEvictedWithAKey()
{
    m_window->showView(MainWindow::View::Heads);
    apply(queue()); // the scene's heads: none, and two spares
    live::Snapshot snapshot = queue();
    live::HeadRow head;
    head.head = 9;
    head.connection = base::ConnectionId(5);
    snapshot.heads = {head};
    apply(snapshot);
    QSignalSpy asked(m_window->commands(), &ProxyCommands::evictRequested);
    heads()->setFocus();
    heads()->selectRow(0);
    QTest::keyClick(heads(), Qt::Key_Delete);
    QCOMPARE(asked.value(0).value(0).toULongLong(), 5ULL);
    QCOMPARE(asked.value(0).value(1).toULongLong(), 9ULL);
}

void WindowCommandsTest::aHeadIsPinnedAndASpareIsNot()
{
    m_window->showView(MainWindow::View::Heads);
    live::Snapshot snapshot = queue();
    live::HeadRow head;
    head.head = 9;
    head.connection = base::ConnectionId(5);
    live::HeadRow spare;
    spare.connection = base::ConnectionId(6);
    spare.spare = true;
    snapshot.heads = {head, spare};
    apply(snapshot);
    QSignalSpy asked(m_window->commands(), &ProxyCommands::pinRequested);
    heads()->setFocus();
    heads()->selectRow(1);
    QTest::keyClick(heads(), Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(asked.count(), 0);
    heads()->selectRow(0);
    QTest::keyClick(heads(), Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(asked.value(0).value(0).toULongLong(), 5ULL);
    QCOMPARE(asked.value(0).value(1).toBool(), true);
    snapshot.heads[0].pinned = true;
    apply(snapshot);
    QTest::keyClick(heads(), Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(asked.value(1).value(1).toBool(), false);
}

void WindowCommandsTest::aRowThatGoesTakesTheSelectionAlong()
{
    m_window->showView(MainWindow::View::Heads);
    live::Snapshot snapshot = queue();
    live::HeadRow head;
    head.connection = base::ConnectionId(5);
    snapshot.heads.clear();
    for (std::uint64_t i = 1; i <= 2; ++i) {
        head.head = i;
        snapshot.heads.push_back(head);
    }
    apply(snapshot);
    heads()->setFocus();
    heads()->selectRow(0);
    QSignalSpy asked(m_window->commands(), &ProxyCommands::evictRequested);
    snapshot.heads.erase(snapshot.heads.begin());
    apply(snapshot);
    QTest::keyClick(heads(), Qt::Key_Delete); // nobody chose the neighbour
    QCOMPARE(asked.count(), 0);
}

QTEST_MAIN(WindowCommandsTest)
#include "tst_windowcommands.moc"
