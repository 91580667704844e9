// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/charts/timechart.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/tile.h"
#include "ui/views/chartstack.h"
#include "ui/views/exportdesk.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"
#include "ui/views/turnspanel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class MainWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void keysSwitchThePlaces();
    void anUnknownPlaceIsRefused();
    void aHiddenViewIsNotRedrawn();
    void spacePausesThePictureAndOnlyThePicture();
    void spaceOnAButtonPressesTheButton();
    void theFilterNarrowsTheTable();
    void ctrlFReachesTheFilterOfThePlace();
    void theWhyPaneSpeaksOfTheSelectedTurn();
    void aSettingGoesOutAndCtrlZTakesItBack();
    void exportAsksForFormatSpanAndPath();
    void exportResultsStandInTheStatusLine();
    void copyTakesTheSetupOfTheFirstClient();
    void theEmptyTableSaysWhatToDoNext();
    void theStripCountsWhatTheSnapshotSays();
    void ctrlQAsksToQuit();
    void closingWithoutTurnsQuits();
    void closingWhileTurnsRunAsksOnce();
    void closingStaysInTheBackgroundWhereThatIsReal();
    void f1ShowsTheKeys();
    void aNullSnapshotIsIgnored();

private:
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QString::fromLatin1(name));
    }
    void next() { m_window->apply(std::make_shared<const live::Snapshot>(m_scene->next())); }
    [[nodiscard]] int drawings() const
    {
        return m_window->places()->live()->charts()->charts()[0]->drawings();
    }

    std::unique_ptr<Scene> m_scene;
    std::unique_ptr<MainWindow> m_window;
};

void MainWindowTest::init()
{
    m_scene = std::make_unique<Scene>();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->apply(std::make_shared<const live::Snapshot>(m_scene->history(300)));
}

void MainWindowTest::cleanup()
{
    m_window.reset();
}

void MainWindowTest::keysSwitchThePlaces()
{
    QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::Heads);
    QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::Ledger);
    QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::WhatIf);
    QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::Setup);
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::Live);
}

void MainWindowTest::anUnknownPlaceIsRefused()
{
    QVERIFY(m_window->showView(QStringLiteral("ledger")));
    QVERIFY(!m_window->showView(QStringLiteral("elsewhere")));
    QCOMPARE(m_window->currentView(), MainWindow::View::Ledger);
}

void MainWindowTest::aHiddenViewIsNotRedrawn()
{
    m_window->showView(MainWindow::View::Ledger);
    const int before = drawings();
    for (int i = 0; i < 40; ++i)
        next();
    QCOMPARE(drawings(), before);
    m_window->showView(MainWindow::View::Live);
    QVERIFY(drawings() > before);
    const int shown = drawings();
    for (int i = 0; i < 40; ++i)
        next();
    QVERIFY(drawings() > shown);
    QVERIFY(drawings() <= shown + 40);
}

void MainWindowTest::spacePausesThePictureAndOnlyThePicture()
{
    m_window->places()->live()->turns()->table()->setFocus();
    QTest::keyClick(m_window->places()->live()->turns()->table(), Qt::Key_Space);
    QVERIFY(m_window->places()->live()->isPaused());
    const int before = drawings();
    for (int i = 0; i < 20; ++i)
        next();
    QCOMPARE(drawings(), before);
    QCOMPARE(m_window->snapshotsApplied(), std::uint64_t(21));
    QTest::keyClick(m_window->places()->live()->turns()->table(), Qt::Key_Space);
    QVERIFY(!m_window->places()->live()->isPaused());
    QVERIFY(drawings() > before);
}

void MainWindowTest::spaceOnAButtonPressesTheButton()
{
    auto *hour = child<QToolButton>("span_3600");
    hour->setFocus();
    QTest::keyClick(hour, Qt::Key_Space);
    QVERIFY(hour->isChecked());
    QVERIFY(!m_window->places()->live()->isPaused());
}

void MainWindowTest::theFilterNarrowsTheTable()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.turns.resize(3);
    snapshot.turns[0].model = "needle-model";
    snapshot.turns[1].why = "the Needle in the reason";
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    auto *table = m_window->places()->live()->turns()->table();
    QCOMPARE(table->model()->rowCount(), 3);
    auto *filter = child<QLineEdit>("turn_filter");
    QTest::keyClicks(filter, QStringLiteral("needle"));
    QCOMPARE(table->model()->rowCount(), 2);
    filter->clear();
    QCOMPARE(table->model()->rowCount(), 3);
}

void MainWindowTest::ctrlFReachesTheFilterOfThePlace()
{
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), child<QLineEdit>("turn_filter"));
    m_window->showView(MainWindow::View::Ledger);
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), child<QLineEdit>("ledger_filter"));
}

void MainWindowTest::theWhyPaneSpeaksOfTheSelectedTurn()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.turns.resize(2);
    snapshot.turns[0].why = "first reason";
    snapshot.turns[1].why = "second reason";
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    auto *why = child<QLabel>("why_text");
    auto *table = m_window->places()->live()->turns()->table();
    table->selectRow(0);
    const QString first = why->text();
    QTest::keyClick(table, Qt::Key_Down);
    const QString second = why->text();
    QCOMPARE((QStringList{first, second}),
             (QStringList{QStringLiteral("first reason"), QStringLiteral("second reason")}));
    // It ended: the reason stays readable.
    snapshot.turns.pop_back();
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    QCOMPARE(why->text(), QStringLiteral("second reason"));
}

void MainWindowTest::aSettingGoesOutAndCtrlZTakesItBack()
{
    QSignalSpy edits(m_window->commands(), &ProxyCommands::settingEdited);
    auto *slider = child<QSlider>("slider_burst");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(edits.count(), 1);
    QCOMPARE(edits.at(0), (QList<QVariant>{QStringLiteral("burst"), QStringLiteral("9")}));
    QVERIFY(child<QPushButton>("status_undo")->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(edits.count(), 2);
    QCOMPARE(edits.at(1), (QList<QVariant>{QStringLiteral("burst"), QStringLiteral("10")}));
}

void MainWindowTest::exportAsksForFormatSpanAndPath()
{
    QSignalSpy exports(m_window->exportDesk(), &ExportDesk::requested);
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    auto *dialog = m_window->findChild<QDialog *>();
    QVERIFY(dialog != nullptr);
    auto *path = child<QLineEdit>("export_path");
    path->setText(QStringLiteral("/somewhere/ledger.csv"));
    child<QComboBox>("export_format")->setCurrentIndex(1);
    QCOMPARE(path->text(), QStringLiteral("/somewhere/ledger.jsonl"));
    child<QComboBox>("export_span")->setCurrentIndex(1);
    QTest::mouseClick(child<QPushButton>("export_accept"), Qt::LeftButton);
    QCOMPARE(exports.count(), 1);
    QCOMPARE(exports.at(0),
             (QList<QVariant>{QStringLiteral("jsonl"), QStringLiteral("/somewhere/ledger.jsonl"),
                              qint64(900'000)}));
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    path->clear();
    QVERIFY(!child<QPushButton>("export_accept")->isEnabled());
}

void MainWindowTest::exportResultsStandInTheStatusLine()
{
    m_window->exportDesk()->showResult(false,
                                       QStringLiteral("The disk is full. Choose another folder."));
    QCOMPARE(child<QWidget>("status_message")->accessibleName(),
             QStringLiteral("The disk is full. Choose another folder."));
}

void MainWindowTest::copyTakesTheSetupOfTheFirstClient()
{
    QTest::mouseClick(child<QPushButton>("copy_setup"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("export ANTHROPIC_BASE_URL=http://127.0.0.1:17421\n"));
    m_window->setSetup({{{QStringLiteral("Claude Code"), QStringLiteral("lines with key-1"), {}}},
                        QStringLiteral("key-1")});
    QTest::mouseClick(child<QPushButton>("copy_setup"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("lines with key-1"));
}

void MainWindowTest::theEmptyTableSaysWhatToDoNext()
{
    MainWindow window;
    window.show();
    live::Snapshot snapshot;
    snapshot.at = Scene::start;
    snapshot.listening = "127.0.0.1:40123";
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    QString words;
    for (const QLabel *label : window.places()->live()->turns()->findChildren<QLabel *>())
        if (label->isVisible())
            words += label->text();
    QVERIFY2(words.contains(QLatin1String("ANTHROPIC_BASE_URL=http://127.0.0.1:40123")),
             qPrintable(words));
}

void MainWindowTest::theStripCountsWhatTheSnapshotSays()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.turns.assign(7, {});
    for (live::TurnRow &row : snapshot.turns)
        row.phase = live::Phase::Streaming;
    snapshot.turns[0].phase = live::Phase::Queued;
    snapshot.turns[1].phase = live::Phase::Backoff;
    snapshot.turns[2].phase = live::Phase::Gate;
    snapshot.turns[3].phase = live::Phase::Dialling;
    snapshot.waiting = 1;
    snapshot.totals.turnsRefused = 5;
    snapshot.totals.turnsFailed = 2;
    snapshot.seconds.clear();
    const std::int64_t now = snapshot.at.time_since_epoch().count() / 1'000;
    for (std::int64_t at = now - 60; at < now; ++at) {
        live::SecondStats s;
        s.second = at;
        s.continued = 9;
        s.openedAtOnce = 3;
        snapshot.seconds.push_back(s);
    }
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    QCOMPARE(child<Tile>("tile_in_flight")->value(), QStringLiteral("7"));
    QCOMPARE(child<Tile>("tile_waiting")->value(), QStringLiteral("3"));
    QCOMPARE(child<Tile>("tile_refused")->value(), QStringLiteral("5"));
    QCOMPARE(child<Tile>("tile_failed")->value(), QStringLiteral("2"));
    QCOMPARE(child<Tile>("tile_turns_per_second")->value(), QStringLiteral("12"));
    QCOMPARE(child<Tile>("tile_reuse")->value(), QStringLiteral("75\u00a0%"));
}

void MainWindowTest::ctrlQAsksToQuit()
{
    QSignalSpy quits(m_window.get(), &MainWindow::quitRequested);
    QTest::keyClick(m_window.get(), Qt::Key_Q, Qt::ControlModifier);
    QCOMPARE(quits.count(), 1);
    // At the end of the program Qt closes the window: no more questions, turns or not.
    m_window->close();
    QVERIFY(!m_window->isVisible());
    QCOMPARE(quits.count(), 1);
}

void MainWindowTest::closingWithoutTurnsQuits()
{
    QSignalSpy quits(m_window.get(), &MainWindow::quitRequested);
    live::Snapshot snapshot = m_scene->next();
    snapshot.turns.clear();
    m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    m_window->close();
    QCOMPARE(quits.count(), 1);
    QVERIFY(!m_window->isVisible());
}

void MainWindowTest::closingWhileTurnsRunAsksOnce()
{
    QSignalSpy quits(m_window.get(), &MainWindow::quitRequested);
    m_window->close();
    m_window->close();
    QCOMPARE(quits.count(), 0);
    QVERIFY(m_window->isVisible());
    QCOMPARE(m_window->findChildren<QMessageBox *>().size(), 1);
    auto *box = child<QMessageBox>("closing");
    QVERIFY2(box->text().contains(QLatin1String("24")), qPrintable(box->text()));
    QVERIFY(child<QPushButton>("closing_stay") == nullptr); // nothing would bring it back
    QTest::keyClick(box, Qt::Key_Escape);
    QTRY_VERIFY(child<QMessageBox>("closing") == nullptr);
    QCOMPARE(quits.count(), 0);
    m_window->close();
    QTest::mouseClick(child<QPushButton>("closing_quit"), Qt::LeftButton);
    QCOMPARE(quits.count(), 1);
    QVERIFY(m_window->isVisible()); // until the turns have ended
}

void MainWindowTest::closingStaysInTheBackgroundWhereThatIsReal()
{
    QSignalSpy quits(m_window.get(), &MainWindow::quitRequested);
    m_window->setStaysInBackground(true);
    m_window->close();
    QTest::mouseClick(child<QPushButton>("closing_stay"), Qt::LeftButton);
    QVERIFY(!m_window->isVisible());
    QCOMPARE(quits.count(), 0);
    next(); // nobody looks; nothing breaks
}

void MainWindowTest::f1ShowsTheKeys()
{
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    auto *keys = child<QDialog>("shortcuts");
    QVERIFY(keys != nullptr && keys->isVisible());
    QStringList words;
    for (const QLabel *label : keys->findChildren<QLabel *>())
        words << label->text();
    for (const char *key : {"Ctrl+1", "Ctrl+4", "Ctrl+Z", "Ctrl+E", "Space", "F1", "F8", "F9"})
        QVERIFY2(words.contains(QLatin1String(key)), key);
    QVERIFY(words.contains(QStringLiteral("Undo the last change")));
}

void MainWindowTest::aNullSnapshotIsIgnored()
{
    m_window->apply({});
    QCOMPARE(m_window->snapshotsApplied(), std::uint64_t(1));
}

QTEST_MAIN(MainWindowTest)
#include "tst_mainwindow.moc"
