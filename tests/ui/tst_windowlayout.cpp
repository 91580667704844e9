// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers of its shape from one start to the next (issue E: layouts saved and
// restorable).
#include "scene.h"
#include "ui/models/windowstate.h"
#include "ui/panels/recordtable.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/turnspanel.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class WindowLayoutTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void sizeAndColumnsComeBack();
    void aClosedDockStaysClosedInEveryPlaceAndAfterwards();
    void theFirstLayoutIsAKeyAway();
    void aDamagedFileGivesTheFirstLayout();
    void theWishForNotificationsComesBack();

private:
    std::unique_ptr<MainWindow> open()
    {
        auto window = std::make_unique<MainWindow>();
        window->setState(
            std::make_unique<WindowState>(m_folder->filePath(QStringLiteral("w.ini"))));
        window->show();
        if (!QTest::qWaitForWindowActive(window.get())) // keys go to an active window only
            qFatal("the window does not come up");
        Scene scene;
        window->apply(std::make_shared<const live::Snapshot>(scene.history(10)));
        return window;
    }
    static QHeaderView *header(const MainWindow &window)
    {
        return window.places()->live()->turns()->table()->horizontalHeader();
    }
    static QDockWidget *dock(const MainWindow &window, const char *name)
    {
        return window.findChild<QDockWidget *>(QLatin1String(name));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowLayoutTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void WindowLayoutTest::sizeAndColumnsComeBack()
{
    {
        const auto window = open();
        window->resize(1'201, 803);
        header(*window)->resizeSection(1, 333);
        header(*window)->moveSection(2, 0);
        window->quit();
    }
    const auto window = open();
    QCOMPARE(window->size(), QSize(1'201, 803));
    QCOMPARE(header(*window)->sectionSize(1), 333);
    QCOMPARE(header(*window)->visualIndex(2), 0);
}

void WindowLayoutTest::aClosedDockStaysClosedInEveryPlaceAndAfterwards()
{
    {
        const auto window = open();
        QVERIFY(dock(*window, "why_dock")->isVisible());
        dock(*window, "why_dock")->toggleViewAction()->trigger();
        window->showView(MainWindow::View::Ledger);
        window->showView(MainWindow::View::Live);
        QVERIFY(!dock(*window, "why_dock")->isVisible());
        QVERIFY(dock(*window, "control_dock")->isVisible());
        window->showView(MainWindow::View::Heads); // where neither is shown
        window->quit();
    }
    const auto window = open();
    window->showView(MainWindow::View::Live);
    QVERIFY(!dock(*window, "why_dock")->isVisible());
    QVERIFY(dock(*window, "control_dock")->isVisible());
}

void WindowLayoutTest::theFirstLayoutIsAKeyAway()
{
    const auto window = open();
    const int width = header(*window)->sectionSize(1);
    header(*window)->resizeSection(1, 333);
    header(*window)->moveSection(2, 0);
    dock(*window, "why_dock")->toggleViewAction()->trigger();
    QTest::keyClick(window.get(), Qt::Key_0, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(header(*window)->sectionSize(1), width);
    QCOMPARE(header(*window)->visualIndex(2), 2);
    QVERIFY(dock(*window, "why_dock")->isVisible());
}

void WindowLayoutTest::aDamagedFileGivesTheFirstLayout()
{
    QFile file(m_folder->filePath(QStringLiteral("w.ini")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[layout]\ndocks=@ByteArray(nonsense)\ngeometry=@ByteArray(\\0\\xff)\n"
               "header_turns_table=@ByteArray(zzz)\ncontrol=maybe\n");
    file.close();
    const auto window = open();
    QVERIFY(dock(*window, "control_dock")->isVisible());
    QVERIFY(header(*window)->sectionSize(1) > 0);
}

void WindowLayoutTest::theWishForNotificationsComesBack()
{
    {
        const auto window = open();
        QVERIFY(window->wantsNotifications());
        QTest::keyClick(window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!window->wantsNotifications());
    }
    QVERIFY(!open()->wantsNotifications());
}

QTEST_MAIN(WindowLayoutTest)
#include "tst_windowlayout.moc"
