// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/settingslider.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class ControlPanelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void keysOnTheRateSliderSayTheNewValue();
    void movingTheSliderFromSixtyToSixSaysSix();
    void typingIntoTheSpinBoxSaysTheNewValueOnce();
    void anEchoOfTheValueSaysNothing();
    void aValueSetElsewhereIsFollowedInSilence();
    void aStaleSnapshotDoesNotPullTheSliderBack();
    void anUnansweredEditGivesWayToTheSnapshotAfterAWhile();
    void aDragIsNotFoughtAndItsLastValueIsSaid();
    void theIdleDeadlineIsShownInSecondsAndSaidInMilliseconds();
    void undoSaysTheOldValueAndRedoTheNewOne();
    void aLockSaysThatAChangeActsUntilExit();
    void theFormulaFollowsTheControls();
    void noticesStandInThePanel();
    void aMalformedSettingLeavesTheControlAlone();

private:
    template <typename T>
    T *child(const char *name) const
    {
        return m_panel->findChild<T *>(QString::fromLatin1(name));
    }
    void echo() { m_panel->apply(m_scene->next()); }
    [[nodiscard]] QStringList said(const char *key) const;

    std::unique_ptr<Scene> m_scene;
    std::unique_ptr<ControlPanel> m_panel;
    std::unique_ptr<QSignalSpy> m_spy;
};

void ControlPanelTest::init()
{
    m_scene = std::make_unique<Scene>();
    m_panel = std::make_unique<ControlPanel>();
    m_spy = std::make_unique<QSignalSpy>(m_panel.get(), &ControlPanel::settingEdited);
    m_panel->resize(320, 700);
    m_panel->show();
    echo();
}

void ControlPanelTest::cleanup()
{
    m_spy.reset();
    m_panel.reset();
}

QStringList ControlPanelTest::said(const char *key) const
{
    QStringList values;
    for (const QList<QVariant> &call : *m_spy)
        if (call.at(0).toString() == QLatin1String(key))
            values << call.at(1).toString();
    return values;
}

void ControlPanelTest::keysOnTheRateSliderSayTheNewValue()
{
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 60);
    QTest::keyClick(child<QSlider>("slider_rate_per_min"), Qt::Key_Left);
    QCOMPARE(said("rate_per_min"), QStringList{QStringLiteral("58")}); // steps of 2 at 60
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 58);
}

void ControlPanelTest::movingTheSliderFromSixtyToSixSaysSix()
{
    auto *slider = child<QSlider>("slider_rate_per_min");
    QTest::keyClick(slider, Qt::Key_Home);
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 6);
    QTRY_COMPARE(said("rate_per_min").last(), QStringLiteral("6"));
}

void ControlPanelTest::typingIntoTheSpinBoxSaysTheNewValueOnce()
{
    auto *spin = child<QSpinBox>("spin_rate_per_min");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, QStringLiteral("6"));
    QCOMPARE(m_spy->count(), 0); // not finished: it may become 65
    QTest::keyClick(spin, Qt::Key_Enter);
    QCOMPARE(said("rate_per_min"), QStringList{QStringLiteral("6")});
}

void ControlPanelTest::anEchoOfTheValueSaysNothing()
{
    QTest::keyClick(child<QSlider>("slider_burst"), Qt::Key_Left);
    QCOMPARE(m_spy->count(), 1);
    m_scene->set("burst", "9", "window");
    for (int i = 0; i < 30; ++i)
        echo();
    QCOMPARE(m_spy->count(), 1);
    QCOMPARE(child<QSpinBox>("spin_burst")->value(), 9);
}

void ControlPanelTest::aValueSetElsewhereIsFollowedInSilence()
{
    m_scene->set("rate_per_min", "33", "file");
    echo();
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 33);
    QCOMPARE(m_spy->count(), 0);
}

void ControlPanelTest::aStaleSnapshotDoesNotPullTheSliderBack()
{
    QTest::keyClick(child<QSlider>("slider_burst"), Qt::Key_Left);
    echo(); // still says 10
    QCOMPARE(child<QSpinBox>("spin_burst")->value(), 9);
}

void ControlPanelTest::anUnansweredEditGivesWayToTheSnapshotAfterAWhile()
{
    QTest::keyClick(child<QSlider>("slider_burst"), Qt::Key_Left);
    for (int i = 0; i < 15; ++i) // 1.5 s of snapshots
        echo();
    QCOMPARE(child<QSpinBox>("spin_burst")->value(), 9);
    echo();
    QCOMPARE(child<QSpinBox>("spin_burst")->value(), 10);
}

void ControlPanelTest::aDragIsNotFoughtAndItsLastValueIsSaid()
{
    auto *slider = child<QSlider>("slider_rate_per_min");
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.orientation = Qt::Horizontal;
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = slider->sliderPosition();
    option.sliderValue = slider->value();
    const QPoint handle
        = slider->style()
              ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
              .center();
    QTest::mousePress(slider, Qt::LeftButton, {}, handle);
    QVERIFY(slider->isSliderDown());
    for (int x = handle.x(); x > 12; x -= 4) {
        QTest::mouseMove(slider, QPoint(x, handle.y()));
        QMouseEvent move(QEvent::MouseMove, QPointF(x, handle.y()),
                         slider->mapToGlobal(QPointF(x, handle.y())), Qt::NoButton, Qt::LeftButton,
                         {});
        QApplication::sendEvent(slider, &move);
        echo(); // says 60 all the time
    }
    const int held = child<QSpinBox>("spin_rate_per_min")->value();
    QVERIFY(held < 20);
    const auto spoken = said("rate_per_min").size();
    QVERIFY2(spoken <= 10,
             qPrintable(QString::number(spoken))); // coalesced, though every pixel moved it
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(12, handle.y()));
    QCOMPARE(said("rate_per_min").last(),
             QString::number(child<QSpinBox>("spin_rate_per_min")->value()));
    // The whole drag is one step.
    child<QPushButton>("undo")->click();
    QCOMPARE(said("rate_per_min").last(), QStringLiteral("60"));
    QVERIFY(!m_panel->history().canUndo());
}

void ControlPanelTest::theIdleDeadlineIsShownInSecondsAndSaidInMilliseconds()
{
    auto *spin = child<QSpinBox>("spin_idle_ms");
    QCOMPARE(spin->text(), QStringLiteral("120 s"));
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, QStringLiteral("14.001"));
    QTest::keyClick(spin, Qt::Key_Enter);
    QCOMPARE(said("idle_ms"), QStringList{QStringLiteral("14001")});
    QCOMPARE(spin->text(), QStringLiteral("14.001 s"));
}

void ControlPanelTest::undoSaysTheOldValueAndRedoTheNewOne()
{
    QVERIFY(!child<QPushButton>("undo")->isEnabled());
    QTest::keyClick(child<QSlider>("slider_retries"), Qt::Key_Left);
    QCOMPARE(said("retries"), QStringList{QStringLiteral("4")});
    m_scene->set("retries", "4", "window");
    echo();
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QCOMPARE(said("retries").last(), QStringLiteral("5"));
    m_scene->set("retries", "5", "window");
    echo();
    QCOMPARE(child<QSpinBox>("spin_retries")->value(), 5);
    QTest::mouseClick(child<QPushButton>("redo"), Qt::LeftButton);
    QCOMPARE(said("retries").last(), QStringLiteral("4"));
}

void ControlPanelTest::aLockSaysThatAChangeActsUntilExit()
{
    auto *lock = child<QLabel>("lock_rate_per_min");
    QVERIFY(lock->isHidden());
    m_scene->set("rate_per_min", "60", "environment", true);
    echo();
    QVERIFY(lock->isVisible());
    QVERIFY(lock->toolTip().contains(QLatin1String("until exit")));
    QVERIFY(lock->toolTip().contains(QLatin1String("environment")));
    QVERIFY(child<QSlider>("slider_rate_per_min")->isEnabled());
    m_scene->set("rate_per_min", "60");
    echo();
    QVERIFY(lock->isHidden());
}

void ControlPanelTest::theFormulaFollowsTheControls()
{
    auto *formula = child<QLabel>("ladder_formula");
    auto *advice = child<QLabel>("ladder_advice");
    QCOMPARE(formula->text(), QStringLiteral("6 × 4833 + 62000 = 90998 < 120000 ✓"));
    QCOMPARE(child<QLabel>("wait_bound")->text(), QStringLiteral("4833 ms"));
    QVERIFY(advice->isHidden());
    m_scene->set("idle_ms", "14001", "file");
    echo();
    QCOMPARE(formula->text(), QStringLiteral("4 × 0 + 14000 = 14000 < 14001 ▲"));
    QVERIFY(advice->isVisible());
    // Before any snapshot answers.
    auto *slider = child<QSlider>("slider_retries");
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(formula->text(), QStringLiteral("1 × 7000 + 0 = 7000 < 14001 ✓"));
}

void ControlPanelTest::noticesStandInThePanel()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.notices = {"retries lowered to 3", "<b>not markup</b>"};
    m_panel->apply(snapshot);
    const QList<QLabel *> labels = child<QWidget>("notices")->findChildren<QLabel *>();
    QCOMPARE(labels.size(), 2);
    QVERIFY(labels.at(1)->text().contains(QLatin1String("<b>")));
    QCOMPARE(labels.at(1)->textFormat(), Qt::PlainText);
    snapshot.notices.clear();
    m_panel->apply(snapshot);
    QVERIFY(child<QWidget>("notices")->isHidden());
}

void ControlPanelTest::aMalformedSettingLeavesTheControlAlone()
{
    m_scene->set("rate_per_min", "many", "file");
    echo();
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 60);
    m_scene->set("rate_per_min", "99999999999999999999", "file");
    echo();
    QCOMPARE(child<QSpinBox>("spin_rate_per_min")->value(), 60);
}

QTEST_MAIN(ControlPanelTest)
#include "tst_controlpanel.moc"
