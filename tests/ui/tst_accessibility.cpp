// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/signlabel.h"
#include "ui/panels/upstreamcard.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"
#include "ui/views/setupview.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QLineEdit>
#include <QTest>

#include <memory>
#include <set>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class AccessibilityTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFocusableWidgetHasAName_data();
    void everyFocusableWidgetHasAName();
    void everyPlaceHasReachableControls();
    void everyMenuActionCanBeReachedByKeys();
    void longTextsEndInAnEllipsisAndKeepTheirWidth();
    void endlessNamesDoNotWidenTheWindow();
};

namespace {

SetupTexts setup()
{
    return {{{QStringLiteral("Claude Code"), QStringLiteral("export A=b"), {}},
             {QStringLiteral("curl"), QStringLiteral("curl x"), {}}},
            QStringLiteral("key")};
}

void fill(MainWindow &window)
{
    Scene scene;
    window.setSetup(setup());
    window.apply(std::make_shared<const live::Snapshot>(scene.history(60)));
}

} // namespace

void AccessibilityTest::everyFocusableWidgetHasAName_data()
{
    QTest::addColumn<bool>("isFirstRun");
    QTest::newRow("at work") << false;
    QTest::newRow("first run") << true;
}

void AccessibilityTest::everyFocusableWidgetHasAName()
{
    QFETCH(const bool, isFirstRun);
    MainWindow window;
    if (isFirstRun) {
        window.places()->setup()->upstream()->offerChoice();
        window.apply(std::make_shared<const live::Snapshot>());
    } else {
        fill(window);
    }
    window.show();
    for (const auto view :
         {MainWindow::View::Live, MainWindow::View::Heads, MainWindow::View::Ledger,
          MainWindow::View::WhatIf, MainWindow::View::Setup})
    {
        window.showView(view);
        for (QWidget *widget : window.findChildren<QWidget *>()) {
            const bool isPart = widget->focusProxy() != nullptr
                || qobject_cast<QAbstractSpinBox *>(widget->parentWidget()) != nullptr;
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || isPart)
                continue;
            QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(face != nullptr);
            QVERIFY2(!face->text(QAccessible::Name).isEmpty(),
                     qPrintable(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ')
                                + widget->objectName()));
        }
    }
}

void AccessibilityTest::everyPlaceHasReachableControls()
{
    MainWindow window;
    fill(window);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    // Tab goes round and comes to every visible control of Live that takes focus by Tab.
    std::set<QWidget *> reached;
    for (int i = 0; i < 120; ++i) {
        QTest::keyClick(window.focusWidget() != nullptr ? window.focusWidget() : &window,
                        Qt::Key_Tab);
        reached.insert(window.focusWidget());
    }
    for (const char *name : {"copy_setup", "slider_rate_per_min", "spin_rate_per_min",
                             "slider_burst", "slider_idle_ms", "slider_retries", "policy_chooser",
                             "pause", "turn_filter", "turns_table"})
    {
        auto *widget = window.findChild<QWidget *>(QString::fromLatin1(name));
        QVERIFY2(widget != nullptr && reached.contains(widget), name);
    }
}

void AccessibilityTest::everyMenuActionCanBeReachedByKeys()
{
    const MainWindow window;
    int actions = 0;
    for (const QAction *action : window.findChildren<QAction *>())
        if (action->objectName().startsWith(QLatin1String("action_"))) {
            ++actions;
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->objectName()));
        }
    QVERIFY(actions >= 10);
}

void AccessibilityTest::longTextsEndInAnEllipsisAndKeepTheirWidth()
{
    ElidedLabel label;
    label.setText(QString(400, u'x'));
    label.resize(120, 20);
    QVERIFY(label.shownText().endsWith(QChar(u'…')));
    QVERIFY(label.fontMetrics().horizontalAdvance(label.shownText()) <= 120);
    QCOMPARE(label.text().size(), 400);
    QVERIFY(label.minimumSizeHint().width() < 120);
    label.setText(QStringLiteral("two\nlines"));
    QCOMPARE(label.shownText(), QStringLiteral("two lines"));
}

void AccessibilityTest::endlessNamesDoNotWidenTheWindow()
{
    MainWindow window;
    Scene scene;
    live::Snapshot snapshot = scene.history(30);
    const std::string endless(3'000, 'w');
    snapshot.upstream = endless;
    snapshot.upstreamState = "unreachable: " + endless;
    snapshot.ledgerState = endless;
    snapshot.changes.push_back({snapshot.at, "policy", endless, endless, endless});
    for (live::TurnRow &turn : snapshot.turns) {
        turn.session = endless;
        turn.agent = endless;
        turn.model = endless;
        turn.why = endless;
    }
    window.apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
    QCOMPARE(renderWindow(window, QSize(1440, 900)).width(), 1440);
    QVERIFY2(window.width() == 1440, qPrintable(QString::number(window.width())));
}

QTEST_MAIN(AccessibilityTest)
#include "tst_accessibility.moc"
