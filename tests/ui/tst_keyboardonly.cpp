// SPDX-License-Identifier: GPL-3.0-or-later
// The way of somebody who has no mouse (issue E): from start to changing the rate, exporting the
// last 15 minutes and reading why one turn waited. Nothing here but key events to whatever has the
// focus.
#include "scene.h"
#include "ui/panels/recordtable.h"
#include "ui/views/exportdesk.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class KeyboardOnlyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fromStartToWhyATurnWaited();
    void aWaitingTurnIsMovedAndCancelledOnTheWay();
    void tabComesToEveryControl_data();
    void tabComesToEveryControl();

private:
    static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QVERIFY(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    static void type(const char *text)
    {
        QTest::keyClicks(QApplication::focusWidget(), QLatin1String(text));
    }
    // Tab until the focus is on the widget of that name.
    static bool tabTo(const char *name)
    {
        for (int i = 0; i < 200; ++i) {
            const QWidget *widget = QApplication::focusWidget();
            if (widget != nullptr && widget->objectName() == QLatin1String(name))
                return true;
            press(Qt::Key_Tab);
        }
        return false;
    }
};

void KeyboardOnlyTest::fromStartToWhyATurnWaited()
{
    Scene scene;
    live::Snapshot snapshot = scene.history(300);
    live::TurnRow &waiting = snapshot.turns.front();
    waiting.phase = live::Phase::Queued;
    waiting.why = "It waits because the minute's openings are used.";
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    QSignalSpy settings(window.commands(), &ProxyCommands::settingEdited);
    QSignalSpy exports(window.exportDesk(), &ExportDesk::requested);
    if (QApplication::focusWidget() == nullptr)
        QTest::keyClick(&window, Qt::Key_Tab);

    // The rate: 60 → 42.
    QVERIFY(tabTo("spin_rate_per_min"));
    press(Qt::Key_A, Qt::ControlModifier);
    type("42");
    press(Qt::Key_Return);
    QCOMPARE(settings.count(), 1);
    QCOMPARE(settings.at(0).at(0).toString(), QStringLiteral("rate_per_min"));
    QCOMPARE(settings.at(0).at(1).toString(), QStringLiteral("42"));
    // And back, from the very field that was edited.
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(settings.value(1).value(1).toString(), QStringLiteral("60"));

    // The last 15 minutes as SQLite.
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(QApplication::activeWindow() != nullptr
                && qobject_cast<QDialog *>(QApplication::activeWindow()));
    QVERIFY(tabTo("export_format"));
    type("S");
    QVERIFY(tabTo("export_span"));
    press(Qt::Key_Down);
    QVERIFY(tabTo("export_path"));
    press(Qt::Key_A, Qt::ControlModifier);
    type("/tmp/l.sqlite");
    press(Qt::Key_Return);
    QCOMPARE(exports.count(), 1);
    QCOMPARE(exports.at(0).at(0).toString(), QStringLiteral("sqlite"));
    QCOMPARE(exports.at(0).at(1).toString(), QStringLiteral("/tmp/l.sqlite"));
    QCOMPARE(exports.at(0).at(2).toLongLong(), 15LL * 60 * 1'000);

    // Why the first turn waits.
    window.activateWindow(); // what a window manager does when a dialog goes
    QTRY_COMPARE(QApplication::activeWindow(), &window);
    press(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(tabTo("turns_table"));
    press(Qt::Key_Down);
    press(Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(window.findChild<QLabel *>(QStringLiteral("why_text"))->text(),
             QStringLiteral("It waits because the minute's openings are used."));
}

void KeyboardOnlyTest::aWaitingTurnIsMovedAndCancelledOnTheWay()
{
    live::Snapshot snapshot = Scene().next();
    snapshot.turns.clear();
    for (std::uint64_t i = 1; i <= 2; ++i) {
        live::TurnRow row;
        row.turn = base::TurnId(i);
        row.phase = live::Phase::Queued;
        row.queuePlace = i;
        snapshot.turns.push_back(row);
    }
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    QSignalSpy moved(window.commands(), &ProxyCommands::moveToFrontRequested);
    QSignalSpy cancelled(window.commands(), &ProxyCommands::cancelRequested);
    if (QApplication::focusWidget() == nullptr)
        QTest::keyClick(&window, Qt::Key_Tab);
    QVERIFY(tabTo("turns_table"));
    press(Qt::Key_End, Qt::ControlModifier);
    press(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(moved.value(0).value(0).toULongLong(), 2ULL);
    press(Qt::Key_Delete);
    auto *asked = window.findChild<QMessageBox *>(QStringLiteral("cancelling"));
    QVERIFY(asked);
    QTRY_VERIFY(asked->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(tabTo("cancelling_yes"));
    press(Qt::Key_Space);
    QCOMPARE(cancelled.value(0).value(0).toULongLong(), 2ULL);
}

void KeyboardOnlyTest::tabComesToEveryControl_data()
{
    QTest::addColumn<Qt::Key>("digit");
    QTest::addColumn<QStringList>("controls"); // some that must be among them
    QTest::newRow("live") << Qt::Key_1
                          << QStringList{QStringLiteral("spin_rate_per_min"),
                                         QStringLiteral("policy_chooser"),
                                         QStringLiteral("turn_filter"),
                                         QStringLiteral("turns_table"), QStringLiteral("pause")};
    QTest::newRow("heads") << Qt::Key_2
                           << QStringList{QStringLiteral("head_filter"),
                                          QStringLiteral("heads_table")};
    QTest::newRow("ledger") << Qt::Key_3
                            << QStringList{QStringLiteral("ledger_filter"),
                                           QStringLiteral("ledger_kind"),
                                           QStringLiteral("ledger_table")};
    QTest::newRow("what-if") << Qt::Key_4 << QStringList{QStringLiteral("trial_policy_chooser")};
    QTest::newRow("setup") << Qt::Key_5
                           << QStringList{
                                  QStringLiteral("sign_in"),      QStringLiteral("reveal_key"),
                                  QStringLiteral("write_client"), QStringLiteral("restore_client"),
                                  QStringLiteral("notify"),       QStringLiteral("doctor_run")};
}

// spec/window.md: each place is usable with the keyboard alone.
void KeyboardOnlyTest::tabComesToEveryControl()
{
    QFETCH(const Qt::Key, digit);
    QFETCH(const QStringList, controls);
    Scene scene;
    live::Snapshot snapshot = scene.history(300);
    snapshot.signIn = {live::SignInState::SignedIn, "me@example.com", "pro", false, {}};
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.setSetup({{{QStringLiteral("Claude Code"),
                       QStringLiteral("export A=key"),
                       {},
                       QStringLiteral("/home/me/.claude/settings.json"),
                       true}},
                     QStringLiteral("key")});
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    QTest::keyClick(&window, digit, Qt::ControlModifier);
    QSet<QWidget *> reached;
    for (int i = 0; i < 300; ++i) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget()
                                                               : &window,
                        Qt::Key_Tab);
        reached.insert(QApplication::focusWidget());
    }
    QStringList missed;
    QStringList names;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        const bool takesTab = (widget->focusPolicy() & Qt::TabFocus) != 0;
        if (!widget->isVisible() || !widget->isEnabled() || !takesTab
            || widget->focusProxy() != nullptr)
            continue;
        names << widget->objectName();
        if (!reached.contains(widget))
            missed << QLatin1String(widget->metaObject()->className()) + u' '
                    + widget->objectName();
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
    for (const QString &control : controls)
        QVERIFY2(names.contains(control), qPrintable(control + u'\n' + names.join(u'\n')));
}

QTEST_MAIN(KeyboardOnlyTest)
#include "tst_keyboardonly.moc"
