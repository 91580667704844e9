// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a proxy elsewhere: that it never passes old news off as new, and says what cannot
// be done from here (spec/window.md: "shows only what is true now").
#include "scene.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/linkbar.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/topstrip.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/turnspanel.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;
using Phase = LinkState::Phase;

class AttachedWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whileNewsComesNothingIsSaid();
    void silenceIsSaidWithItsLength();
    void aLostConnectionGreysAndDisables();
    void whatIsSelectedWhileDisconnectedOffersNothing();
    void anEmptyLedgerSaysWhereTheOlderRecordsAre();
    void theNextAttemptIsCountedDown();
    void aWrongKeyIsTheReasonThatControlsGive();
    void newsMakesItWholeAgain();
    void closingEndsNothingThere();
    void theLedgersExportsSayWhereItLies();
    void aWindowOnItsOwnProxyHasNoSuchBar();

private:
    void next() { m_window->apply(std::make_shared<const live::Snapshot>(m_scene->next())); }
    void link(Phase phase, const char *trouble = "", qint64 retryInMs = 0)
    {
        m_window->setLink(
            {phase, QStringLiteral("wss://there:1"), QString::fromLatin1(trouble), retryInMs});
    }
    [[nodiscard]] LinkBar *bar() const { return m_window->findChild<LinkBar *>(); }
    [[nodiscard]] bool isControlEnabled() const
    {
        return m_window->findChild<ControlPanel *>()->isEnabled();
    }
    [[nodiscard]] bool areFiguresGrey() const
    {
        return !m_window->findChild<TopStrip *>()->isEnabled();
    }

    std::unique_ptr<Scene> m_scene;
    std::unique_ptr<MainWindow> m_window;
};

void AttachedWindowTest::init()
{
    m_scene = std::make_unique<Scene>();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void AttachedWindowTest::cleanup()
{
    m_window.reset();
}

void AttachedWindowTest::whileNewsComesNothingIsSaid()
{
    link(Phase::Connecting);
    QVERIFY(bar()->isVisible());
    QVERIFY(bar()->text().contains(QStringLiteral("Connecting to wss://there:1")));
    link(Phase::Live);
    next();
    QVERIFY(!bar()->isVisible());
    QVERIFY(isControlEnabled() && !areFiguresGrey());
    QVERIFY(m_window->windowTitle().contains(QStringLiteral("wss://there:1")));
}

void AttachedWindowTest::silenceIsSaidWithItsLength()
{
    link(Phase::Live);
    next();
    QTRY_VERIFY_WITH_TIMEOUT(bar()->isVisible(), LinkBar::staleMs + 5'000);
    QVERIFY2(bar()->text().startsWith(QStringLiteral("No news from wss://there:1 for ")),
             qPrintable(bar()->text()));
    QVERIFY(bar()->text().contains(QStringLiteral("What is shown is from ")));
    QVERIFY(areFiguresGrey());
    QVERIFY(isControlEnabled()); // the connection stands
    next();
    QVERIFY(!bar()->isVisible() && !areFiguresGrey());
}

void AttachedWindowTest::aLostConnectionGreysAndDisables()
{
    link(Phase::Live);
    next();
    link(Phase::Waiting, "there:1 refused the connection", 4'000);
    QVERIFY(bar()->isVisible());
    QVERIFY(bar()->text().contains(QStringLiteral("there:1 refused the connection")));
    QVERIFY(bar()->text().contains(QStringLiteral("What is shown is from ")));
    QVERIFY(areFiguresGrey() && !isControlEnabled());
    for (const char *name : {"action_pause_all", "action_pass_through", "action_head_evict"})
        QVERIFY(!m_window->findChild<QAction *>(QString::fromLatin1(name))->isEnabled());
}

void AttachedWindowTest::whatIsSelectedWhileDisconnectedOffersNothing()
{
    link(Phase::Live);
    live::Snapshot snapshot = m_scene->next();
    snapshot.turns.resize(2);
    for (live::TurnRow &row : snapshot.turns) {
        row.phase = live::Phase::Queued;
        row.queuePlace = 2;
        row.session = "s";
    }
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    link(Phase::Waiting, "there:1 refused the connection", 60'000);
    RecordTable *turns = m_window->places()->live()->turns()->table();
    turns->setFocus();
    turns->selectRow(0);
    QTest::keyClick(turns, Qt::Key_Down);
    m_window->showView(MainWindow::View::Heads);
    m_window->places()->heads()->table()->selectRow(0);
    const char *const names[] = {"action_turn_front", "action_turn_cancel", "action_turn_hold",
                                 "action_head_evict", "action_head_pin"};
    for (const char *name : names) {
        const auto *action = m_window->findChild<QAction *>(QString::fromLatin1(name));
        QVERIFY2(!action->isEnabled(), name);
        QVERIFY2(action->toolTip().contains(QLatin1String("refused the connection")), name);
    }
    // What is selected can be acted upon as soon as there is somebody to act.
    link(Phase::Live);
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    for (const char *name : names)
        QVERIFY2(m_window->findChild<QAction *>(QString::fromLatin1(name))->isEnabled(), name);
}

void AttachedWindowTest::anEmptyLedgerSaysWhereTheOlderRecordsAre()
{
    link(Phase::Live);
    live::Snapshot snapshot = m_scene->next();
    snapshot.records.clear();
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    m_window->showView(MainWindow::View::Ledger);
    QStringList shown;
    for (const EmptyState *state : m_window->findChildren<EmptyState *>())
        if (state->isVisible() && state->isShowingMessage())
            for (const QLabel *label : state->findChildren<QLabel *>())
                shown << label->text();
    const QString words = shown.join(u'\n');
    QVERIFY2(words.contains(QLatin1String("since this window was attached")), qPrintable(words));
    QVERIFY2(words.contains(QLatin1String("wss://there:1")), qPrintable(words));
}

void AttachedWindowTest::theNextAttemptIsCountedDown()
{
    link(Phase::Waiting, "x", 4'000);
    QVERIFY2(bar()->text().contains(QStringLiteral("The next attempt is in 4")),
             qPrintable(bar()->text()));
    QTRY_VERIFY(bar()->text().contains(QStringLiteral("The next attempt is in 3")));
    QVERIFY(bar()->findChild<QLabel *>()->text().contains(QStringLiteral("The next attempt")));
}

void AttachedWindowTest::aWrongKeyIsTheReasonThatControlsGive()
{
    link(Phase::Refused, "the control key was not accepted");
    QVERIFY(!isControlEnabled());
    const auto *panel = m_window->findChild<ControlPanel *>();
    QVERIFY(panel->toolTip().contains(QStringLiteral("the control key was not accepted")));
    QVERIFY(panel->accessibleDescription().contains(QStringLiteral("the control key")));
}

void AttachedWindowTest::newsMakesItWholeAgain()
{
    link(Phase::Live);
    next();
    link(Phase::Waiting, "x", 1'000);
    link(Phase::Live);
    next();
    QVERIFY(!bar()->isVisible());
    QVERIFY(isControlEnabled() && !areFiguresGrey());
    QVERIFY(m_window->findChild<QAction *>(QStringLiteral("action_pause_all"))->isEnabled());
    QVERIFY(m_window->findChild<ControlPanel *>()->toolTip().isEmpty());
}

void AttachedWindowTest::closingEndsNothingThere()
{
    link(Phase::Live);
    next(); // with turns in flight
    QSignalSpy quits(m_window.get(), &MainWindow::quitRequested);
    m_window->close();
    QVERIFY(m_window->findChild<QDialog *>(QStringLiteral("closing")) == nullptr);
    QCOMPARE(quits.count(), 1);
    QVERIFY(!m_window->isVisible());
}

void AttachedWindowTest::theLedgersExportsSayWhereItLies()
{
    link(Phase::Live);
    next();
    m_window->findChild<QAction *>(QStringLiteral("action_export"))->trigger();
    auto *format = m_window->findChild<QComboBox *>(QStringLiteral("export_format"));
    auto *accept = m_window->findChild<QPushButton *>(QStringLiteral("export_accept"));
    QVERIFY(format && accept);
    QCOMPARE(format->currentData().toString(), QStringLiteral("png"));
    QVERIFY(accept->isEnabled());
    format->setCurrentIndex(format->findData(QStringLiteral("csv")));
    QVERIFY(!accept->isEnabled());
    const auto *note = m_window->findChild<QLabel *>(QStringLiteral("export_note"));
    QVERIFY(note->text().contains(QStringLiteral("wss://there:1")));
    QVERIFY(note->text().contains(QStringLiteral("headway ledger export")));
}

void AttachedWindowTest::aWindowOnItsOwnProxyHasNoSuchBar()
{
    next();
    QVERIFY(!bar()->isVisible() && bar()->text().isEmpty());
    QVERIFY(isControlEnabled() && !areFiguresGrey());
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Headway"));
}

QTEST_MAIN(AttachedWindowTest)
#include "tst_attachedwindow.moc"
