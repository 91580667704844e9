// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/settingslider.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTest>
#include <QToolButton>

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
    void theChooserOffersEveryPolicyAndExplainsTheChosenOne();
    void aPolicyIsChosenWithTheKeys();
    void aStaleSnapshotDoesNotPullThePolicyBack();
    void whatThePolicyDoesNotUseIsDisabledAndSaysWhy_data();
    void whatThePolicyDoesNotUseIsDisabledAndSaysWhy();
    void aRateOfZeroCanBeLeftUnderEveryPolicy();
    void theLockMakesTheRateAHardLimitAndIsUndone();
    void theEstimateIsCalledAnEstimateAndTellsItsTrust();
    void withoutAutoThereIsNoEstimate();
    void theDoorIsToldWithItsCountdown();
    void heldTurnsAreCounted();
    void severalSettingsAppliedTogetherAreUndoneTogether();
    void everySettingThatActsAtRunTimeAndShapesTurnsHasAControl();
    void aGroupOpensWithTheKeyboardAndItsSettingsAreSaid();
    void aChoiceIsSaidOnceAndIsUndone();
    void aStaleSnapshotDoesNotPullAChoiceBack();
    void theTotalDeadlineReachesTheFormula();
    void aPresetIsAppliedAsOneStep();
    void thePresetMenuSaysWhatWouldChange();
    void theUsersOwnPresetsAreOfferedAndRemoved();
    void aPresetIsSavedUnderAFreeNameOnly();

private:
    void choose(const char *policy);
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

void ControlPanelTest::choose(const char *policy)
{
    m_scene->set("policy", policy, "file");
    echo();
}

void ControlPanelTest::theChooserOffersEveryPolicyAndExplainsTheChosenOne()
{
    auto *chooser = child<QComboBox>("policy_chooser");
    QStringList offered;
    QStringList explained;
    for (int i = 0; i < chooser->count(); ++i) {
        offered << chooser->itemText(i);
        choose(chooser->itemText(i).toLatin1().constData());
        explained << child<QLabel>("policy_words")->text();
    }
    // spec/pacing.md sections 3, 4 and 7.
    QCOMPARE(offered, QStringLiteral("off fixed bucket adaptive auto").split(u' '));
    explained.removeDuplicates();
    QCOMPARE(explained.size(), 5);
    QVERIFY(!explained.contains(QString()));
}

void ControlPanelTest::aPolicyIsChosenWithTheKeys()
{
    auto *chooser = child<QComboBox>("policy_chooser");
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Down); // bucket -> adaptive
    QTest::keyClick(chooser, Qt::Key_Down);
    QCOMPARE(said("policy"), (QStringList{QStringLiteral("adaptive"), QStringLiteral("auto")}));
    m_scene->set("policy", "auto", "window");
    echo();
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QCOMPARE(said("policy").last(), QStringLiteral("adaptive"));
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QCOMPARE(said("policy").last(), QStringLiteral("bucket"));
}

void ControlPanelTest::aStaleSnapshotDoesNotPullThePolicyBack()
{
    auto *chooser = child<QComboBox>("policy_chooser");
    QTest::keyClick(chooser, Qt::Key_End);
    QCOMPARE(said("policy"), QStringList{QStringLiteral("auto")});
    echo(); // still says bucket
    QCOMPARE(chooser->currentText(), QStringLiteral("auto"));
    for (int i = 0; i < 16; ++i) // nobody took it
        echo();
    QCOMPARE(chooser->currentText(), QStringLiteral("bucket"));
}

void ControlPanelTest::whatThePolicyDoesNotUseIsDisabledAndSaysWhy_data()
{
    QTest::addColumn<QString>("control");
    QTest::addColumn<QString>("usedBy"); // spec/pacing.md sections 2, 3, 4 and 7
    QTest::newRow("burst") << QStringLiteral("slider_burst") << QStringLiteral("bucket");
    QTest::newRow("burst, typed") << QStringLiteral("spin_burst") << QStringLiteral("bucket");
    QTest::newRow("spacing floor")
        << QStringLiteral("slider_spacing_floor_ms") << QStringLiteral("adaptive");
    QTest::newRow("lock") << QStringLiteral("rate_lock") << QStringLiteral("auto");
    QTest::newRow("rate") << QStringLiteral("slider_rate_per_min") << QStringLiteral("bucket auto");
    QTest::newRow("wait bound") << QStringLiteral("wait_bound") << QStringLiteral("bucket");
    QTest::newRow("idle deadline")
        << QStringLiteral("slider_idle_ms") << QStringLiteral("off fixed bucket adaptive auto");
    QTest::newRow("retries") << QStringLiteral("slider_retries")
                             << QStringLiteral("off fixed bucket adaptive auto");
}

void ControlPanelTest::whatThePolicyDoesNotUseIsDisabledAndSaysWhy()
{
    QFETCH(const QString, control);
    QFETCH(const QString, usedBy);
    auto *widget = m_panel->findChild<QWidget *>(control);
    QVERIFY(widget != nullptr);
    QString tipWhenUsed;
    for (const char *policy : {"off", "fixed", "bucket", "adaptive", "auto"}) {
        choose(policy);
        const bool isUsed = usedBy.split(u' ').contains(QLatin1String(policy));
        QVERIFY2(widget->isEnabled() == isUsed, policy);
        QVERIFY(!widget->toolTip().isEmpty());
        QCOMPARE(widget->accessibleDescription(), widget->toolTip());
        if (!isUsed && control != QLatin1String("wait_bound"))
            QVERIFY2(widget->toolTip().contains(QLatin1String(policy)),
                     qPrintable(widget->toolTip()));
    }
}

void ControlPanelTest::aRateOfZeroCanBeLeftUnderEveryPolicy()
{
    m_scene->set("rate_per_min", "0", "file");
    for (const char *policy : {"off", "fixed", "bucket", "adaptive", "auto"}) {
        choose(policy);
        QVERIFY2(child<QSlider>("slider_rate_per_min")->isEnabled(), policy);
    }
    // The first step up from zero does not take the slider out of the hand.
    choose("fixed");
    QTest::keyClick(child<QSlider>("slider_rate_per_min"), Qt::Key_Right);
    QVERIFY(child<QSlider>("slider_rate_per_min")->isEnabled());
}

void ControlPanelTest::theLockMakesTheRateAHardLimitAndIsUndone()
{
    m_scene->set("rate_pinned", "false");
    choose("auto");
    auto *lock = child<QToolButton>("rate_lock");
    QVERIFY(!lock->isChecked());
    lock->setFocus();
    QTest::keyClick(lock, Qt::Key_Space);
    QCOMPARE(said("rate_pinned"), QStringList{QStringLiteral("true")});
    echo(); // still says false
    QVERIFY(lock->isChecked());
    m_scene->set("rate_pinned", "true", "window");
    echo();
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QCOMPARE(said("rate_pinned").last(), QStringLiteral("false"));
    m_scene->set("rate_pinned", "false", "window");
    echo();
    QVERIFY(!lock->isChecked());
}

void ControlPanelTest::theEstimateIsCalledAnEstimateAndTellsItsTrust()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.policy = "auto";
    snapshot.estimate.shape = pacing::CeilingShape::Window;
    snapshot.estimate.perMinute = 71;
    snapshot.estimate.confidence = 0.9;
    snapshot.estimate.measuredAt = snapshot.at - base::Seconds(192);
    m_panel->apply(snapshot);
    QCOMPARE(child<QLabel>("estimate")->text(),
             QStringLiteral("Estimate: about 71 openings a minute"));
    QVERIFY(child<QLabel>("estimate")->isVisible());
    QCOMPARE(child<QProgressBar>("estimate_confidence")->value(), 90);
    const QString trust = child<QLabel>("estimate_trust")->text();
    QVERIFY2(trust.startsWith(QLatin1String("high confidence")), qPrintable(trust));
    QVERIFY2(trust.contains(QStringLiteral("3\u00a0min\u00a012\u00a0s")), qPrintable(trust));
    // Nothing learned yet is no zero.
    snapshot.estimate = {};
    m_panel->apply(snapshot);
    QCOMPARE(child<QLabel>("estimate")->text(), QStringLiteral("Estimate: no limit seen yet"));
    QVERIFY(child<QProgressBar>("estimate_confidence")->isHidden());
}

void ControlPanelTest::withoutAutoThereIsNoEstimate()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.policy = "bucket";
    snapshot.estimate.shape = pacing::CeilingShape::Window;
    snapshot.estimate.perMinute = 71;
    m_panel->apply(snapshot);
    QVERIFY(!child<QLabel>("estimate")->isVisible());
    QVERIFY(!child<QLabel>("door_state")->isVisible());
}

void ControlPanelTest::theDoorIsToldWithItsCountdown()
{
    live::Snapshot snapshot = m_scene->next();
    const auto door = [&](pacing::DoorState state, std::optional<base::Milliseconds> remaining) {
        snapshot.door = state;
        snapshot.doorFor = remaining;
        m_panel->apply(snapshot);
        return child<QLabel>("door_state")->text();
    };
    snapshot.policy = "auto";
    QCOMPARE(door(pacing::DoorState::Open, {}), QStringLiteral("Door: open"));
    QVERIFY(door(pacing::DoorState::Holding, {}).contains(QLatin1String("holding everybody")));
    QVERIFY(door(pacing::DoorState::Probing, {}).contains(QLatin1String("one connection tries")));
    // A cool-down is shared by all policies.
    snapshot.policy = "bucket";
    const QString cooling = door(pacing::DoorState::CoolingDown, base::Milliseconds(12'000));
    QVERIFY2(cooling.contains(QStringLiteral("12\u00a0s left")), qPrintable(cooling));
    QVERIFY(child<QLabel>("door_state")->isVisible());
}

void ControlPanelTest::heldTurnsAreCounted()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.gated = 3;
    m_panel->apply(snapshot);
    auto *gated = child<QLabel>("gated_turns");
    QVERIFY(gated->isVisible());
    QVERIFY(gated->text().endsWith(QLatin1String(": 3")));
    snapshot.gated = 0;
    m_panel->apply(snapshot);
    QVERIFY(!gated->isVisible());
}

void ControlPanelTest::severalSettingsAppliedTogetherAreUndoneTogether()
{
    m_panel->change({{QStringLiteral("policy"), QStringLiteral("auto")},
                     {QStringLiteral("rate_per_min"), QStringLiteral("90")},
                     {QStringLiteral("burst"), QStringLiteral("10")}}); // as it is
    QCOMPARE(said("policy"), QStringList{QStringLiteral("auto")});
    QCOMPARE(said("rate_per_min"), QStringList{QStringLiteral("90")});
    QVERIFY(said("burst").isEmpty());
    QTest::mouseClick(child<QPushButton>("undo"), Qt::LeftButton);
    QCOMPARE(said("policy").last(), QStringLiteral("bucket"));
    QCOMPARE(said("rate_per_min").last(), QStringLiteral("60"));
    QVERIFY(!m_panel->history().canUndo());
}

// spec/window.md, "Control panel"; spec/cli.md has the keys.
void ControlPanelTest::everySettingThatActsAtRunTimeAndShapesTurnsHasAControl()
{
    for (const char *key :
         {"rate_per_min", "burst", "idle_ms", "total_ms", "retries", "spacing_floor_ms",
          "nursery_cap", "established_cap", "token_floor", "max_wait_interactive_ms",
          "max_wait_batch_ms", "spares", "nursery_idle_s", "established_idle_s", "rotate_s",
          "first_event_ms", "open_stream_after_ms"})
        QVERIFY2(m_panel->findChild<QSpinBox *>(QLatin1String("spin_") + QLatin1String(key)), key);
    for (const char *key : {"lanes", "cache_key_per_agent", "client_sockets"})
        QVERIFY2(m_panel->findChild<QComboBox *>(QLatin1String("choice_") + QLatin1String(key)),
                 key);
    QVERIFY(child<QComboBox>("policy_chooser"));
    QVERIFY(child<QToolButton>("rate_lock"));
}

void ControlPanelTest::aGroupOpensWithTheKeyboardAndItsSettingsAreSaid()
{
    auto *floor = child<QSpinBox>("spin_token_floor");
    QVERIFY(!floor->isVisible());
    auto *heading = child<QToolButton>("group_tokens");
    heading->setFocus();
    QTest::keyClick(heading, Qt::Key_Space);
    QVERIFY(floor->isVisible());
    floor->setFocus();
    floor->selectAll();
    QTest::keyClicks(floor, QStringLiteral("50000"));
    QTest::keyClick(floor, Qt::Key_Enter);
    QCOMPARE(said("token_floor"), QStringList{QStringLiteral("50000")});
    QTest::keyClick(heading, Qt::Key_Space);
    QVERIFY(!floor->isVisible());
}

void ControlPanelTest::aChoiceIsSaidOnceAndIsUndone()
{
    child<QToolButton>("group_heads")->click();
    auto *lanes = child<QComboBox>("choice_lanes");
    QCOMPARE(lanes->currentData().toString(), QStringLiteral("auto"));
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_Home);
    QCOMPARE(said("lanes"), QStringList{QStringLiteral("off")});
    m_panel->undo();
    QCOMPARE(said("lanes").last(), QStringLiteral("auto"));
}

void ControlPanelTest::aStaleSnapshotDoesNotPullAChoiceBack()
{
    auto *lanes = child<QComboBox>("choice_lanes");
    child<QToolButton>("group_heads")->click();
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_Home);
    echo(); // from before the change
    QCOMPARE(lanes->currentData().toString(), QStringLiteral("off"));
    m_scene->set("lanes", "off", "window");
    echo();
    m_scene->set("lanes", "on", "file");
    echo();
    QCOMPARE(lanes->currentData().toString(), QStringLiteral("on"));
}

// spec/pacing.md section 1: idle 600000, total 60000 resolves to idle 60000, 4 retries, bound 3000.
void ControlPanelTest::theTotalDeadlineReachesTheFormula()
{
    m_scene->set("idle_ms", "600000", "file");
    m_scene->set("total_ms", "60000", "file");
    echo();
    QCOMPARE(child<QLabel>("wait_bound")->text(), QStringLiteral("3000 ms"));
}

void ControlPanelTest::aPresetIsAppliedAsOneStep()
{
    auto *menu = child<QMenu>("preset_menu");
    QMetaObject::invokeMethod(menu, "aboutToShow");
    QAction *gentle = menu->actions().value(0);
    QVERIFY(gentle);
    gentle->trigger();
    QCOMPARE(said("rate_per_min"), QStringList{QStringLiteral("20")});
    QCOMPARE(said("burst"), QStringList{QStringLiteral("3")});
    QCOMPARE(said("idle_ms"), QStringList()); // as it was
    m_panel->undo();
    QCOMPARE(said("rate_per_min").last(), QStringLiteral("60"));
    QCOMPARE(said("burst").last(), QStringLiteral("10"));
    QVERIFY(!m_panel->history().canUndo());
}

void ControlPanelTest::thePresetMenuSaysWhatWouldChange()
{
    choose("auto"); // as a first start has it
    auto *menu = child<QMenu>("preset_menu");
    QMetaObject::invokeMethod(menu, "aboutToShow");
    QVERIFY(menu->actions().value(0)->toolTip().contains(QStringLiteral("burst 10 → 3")));
    QVERIFY(menu->actions().value(1)->toolTip().contains(QLatin1String("In force now")));
}

void ControlPanelTest::theUsersOwnPresetsAreOfferedAndRemoved()
{
    m_panel->setSavedPresets({{QStringLiteral("night & day"),
                               {},
                               {{QStringLiteral("burst"), QStringLiteral("7")}},
                               false}});
    auto *menu = child<QMenu>("preset_menu");
    QMetaObject::invokeMethod(menu, "aboutToShow");
    QAction *own = nullptr;
    for (QAction *action : menu->actions())
        if (action->text() == QLatin1String("night && day"))
            own = action;
    QVERIFY(own);
    own->trigger();
    QCOMPARE(said("burst"), QStringList{QStringLiteral("7")});
    QSignalSpy removed(m_panel.get(), &ControlPanel::presetRemoveRequested);
    QMenu *removal = menu->actions().last()->menu();
    QVERIFY(removal);
    removal->actions().constFirst()->trigger();
    QCOMPARE(removed.value(0).value(0).toString(), QStringLiteral("night & day"));
}

void ControlPanelTest::aPresetIsSavedUnderAFreeNameOnly()
{
    QSignalSpy saved(m_panel.get(), &ControlPanel::presetSaveRequested);
    const auto save = [this](const char *name) {
        auto *menu = child<QMenu>("preset_menu");
        QMetaObject::invokeMethod(menu, "aboutToShow");
        menu->findChild<QAction *>(QStringLiteral("preset_save"))->trigger();
        auto *dialog = m_panel->findChild<QInputDialog *>(QStringLiteral("preset_name"));
        dialog->setTextValue(QLatin1String(name));
        dialog->accept();
        delete dialog;
    };
    save("Default");
    save("  ");
    QCOMPARE(saved.count(), 0);
    save("mine");
    QCOMPARE(saved.count(), 1);
    const auto preset = saved.at(0).at(0).value<Preset>();
    QCOMPARE(preset.name, QStringLiteral("mine"));
    QCOMPARE(preset.values.value(QStringLiteral("rate_per_min")), QStringLiteral("60"));
}

QTEST_MAIN(ControlPanelTest)
#include "tst_controlpanel.moc"
