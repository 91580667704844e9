// SPDX-License-Identifier: GPL-3.0-or-later
// What-if through the real widgets: choose a span, try other settings, apply, undo.
#include "scene.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"
#include "ui/views/replaystack.h"
#include "ui/views/whatifview.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <atomic>
#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class WhatIfViewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theLedgerIsReadOnlyWhenSomebodyLooks();
    void anotherPolicyShowsItsDifference();
    void aMovedSliderReplaysAgain();
    void applyingGoesTheWayOfTheControlPanelAndIsUndone();
    void startingOverDropsWhatWasTried();
    void anotherSpanIsReadAgain();
    void nothingInTheSpanSaysWhatToDo();
    void aLedgerThatCannotBeReadIsTold();
    void anUnreadableScenarioIsToldWithFileLineAndKey();
    void theRunningControlsComeBackWithLive();
    void theCrosshairReadsBothSides();
    void autoKeepsToItsEstimateAndSaysSo();

private:
    template <typename T>
    T *child(const char *name) const
    {
        return m_window->findChild<T *>(QString::fromLatin1(name));
    }
    void next() { m_window->apply(std::make_shared<const live::Snapshot>(m_scene->next())); }
    void open();
    [[nodiscard]] QString verdict() const { return child<QLabel>("replay_verdict")->text(); }
    [[nodiscard]] QString message() const;

    std::unique_ptr<Scene> m_scene;
    std::unique_ptr<MainWindow> m_window;
    std::atomic<int> m_readings = 0;
    std::atomic<int> m_arrivals = 20; // all at once; negative: the ledger is damaged
    std::atomic<std::int64_t> m_back = 0; // as last asked for, milliseconds
};

void WhatIfViewTest::init()
{
    m_readings = 0;
    m_arrivals = 20;
    m_scene = std::make_unique<Scene>();
    m_window = std::make_unique<MainWindow>();
    m_window->places()->whatIf()->setLedgerReader(
        [this](base::Milliseconds back) -> tl::expected<std::vector<lab::Arrival>, QString> {
            ++m_readings;
            m_back = back.count();
            if (m_arrivals < 0)
                return tl::unexpected(QStringLiteral("/x/ledger.db: the file is damaged"));
            return std::vector<lab::Arrival>(static_cast<std::size_t>(m_arrivals));
        });
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    next();
}

void WhatIfViewTest::cleanup()
{
    m_window.reset();
}

void WhatIfViewTest::open()
{
    QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(m_window->currentView(), MainWindow::View::WhatIf);
    QTRY_VERIFY(!m_window->places()->whatIf()->isShowingMessage());
}

QString WhatIfViewTest::message() const
{
    if (!m_window->places()->whatIf()->isShowingMessage())
        return {};
    QString words;
    for (const QLabel *label : m_window->places()->whatIf()->findChildren<QLabel *>())
        if (label->isVisible())
            words += label->text() + u'\n';
    return words;
}

void WhatIfViewTest::theLedgerIsReadOnlyWhenSomebodyLooks()
{
    for (int i = 0; i < 5; ++i)
        next();
    QCOMPARE(m_readings.load(), 0);
    open();
    QCOMPARE(m_readings.load(), 1);
    QCOMPARE(m_back.load(), std::int64_t(900'000));
    QVERIFY2(verdict().contains(QLatin1String("no difference")), qPrintable(verdict()));
    for (int i = 0; i < 5; ++i)
        next(); // the same settings: nothing to replay
    QCOMPARE(m_readings.load(), 1);
    QVERIFY(!child<QPushButton>("trial_apply")->isEnabled());
}

void WhatIfViewTest::anotherPolicyShowsItsDifference()
{
    open();
    QSignalSpy edits(m_window->commands(), &ProxyCommands::settingEdited);
    auto *chooser = child<QComboBox>("trial_policy_chooser");
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Home); // off
    // spec/pacing.md section 3: of 20 at once 14 are admitted, the last after 4 s; off: all at
    // once.
    QTRY_VERIFY2(verdict().contains(QLatin1String("6 fewer refusals")), qPrintable(verdict()));
    QVERIFY2(verdict().contains(QStringLiteral("long waits 4.0\u00a0s shorter")),
             qPrintable(verdict()));
    QVERIFY(verdict().contains(QLatin1String("at most 20 openings a minute instead of 14")));
    QCOMPARE(child<QLabel>("trial_difference")->text(),
             QStringLiteral("To try: policy bucket → off"));
    for (int i = 0; i < 30; ++i)
        next(); // what is in force does not pull it back
    QCOMPARE(chooser->currentText(), QStringLiteral("off"));
    QCOMPARE(edits.count(), 0); // only tried
}

void WhatIfViewTest::aMovedSliderReplaysAgain()
{
    open();
    auto *burst = child<QSlider>("trial_slider_burst");
    burst->setFocus();
    QTest::keyClick(burst, Qt::Key_End); // 100: all of them at once
    QTRY_VERIFY2(verdict().contains(QLatin1String("6 fewer refusals")), qPrintable(verdict()));
    QCOMPARE(child<QSpinBox>("trial_spin_burst")->value(), 100);
    QCOMPARE(child<QSpinBox>("spin_burst")->value(), 10); // the running one
    QCOMPARE(m_readings.load(), 1);
}

void WhatIfViewTest::applyingGoesTheWayOfTheControlPanelAndIsUndone()
{
    open();
    QSignalSpy edits(m_window->commands(), &ProxyCommands::settingEdited);
    QTest::keyClick(child<QSlider>("trial_slider_burst"), Qt::Key_End);
    auto *chooser = child<QComboBox>("trial_policy_chooser");
    QTest::keyClick(chooser, Qt::Key_End); // auto
    auto *apply = child<QPushButton>("trial_apply");
    QTRY_VERIFY(apply->isEnabled());
    QTest::mouseClick(apply, Qt::LeftButton);
    QCOMPARE(edits.count(), 2);
    QVERIFY(edits.contains(QList<QVariant>{QStringLiteral("policy"), QStringLiteral("auto")}));
    QVERIFY(edits.contains(QList<QVariant>{QStringLiteral("burst"), QStringLiteral("100")}));
    m_scene->set("policy", "auto", "window");
    m_scene->set("burst", "100", "window");
    next();
    QVERIFY(!apply->isEnabled()); // in force now
    edits.clear();
    QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier); // one step
    QCOMPARE(edits.count(), 2);
    QVERIFY(edits.contains(QList<QVariant>{QStringLiteral("policy"), QStringLiteral("bucket")}));
    QVERIFY(edits.contains(QList<QVariant>{QStringLiteral("burst"), QStringLiteral("10")}));
}

void WhatIfViewTest::startingOverDropsWhatWasTried()
{
    open();
    QTest::keyClick(child<QComboBox>("trial_policy_chooser"), Qt::Key_Home);
    QTRY_VERIFY(verdict().contains(QLatin1String("6 fewer refusals")));
    QTest::mouseClick(child<QPushButton>("trial_reset"), Qt::LeftButton);
    QTRY_VERIFY(verdict().contains(QLatin1String("no difference")));
    QCOMPARE(child<QComboBox>("trial_policy_chooser")->currentText(), QStringLiteral("bucket"));
}

void WhatIfViewTest::anotherSpanIsReadAgain()
{
    open();
    QTest::mouseClick(child<QToolButton>("replay_span_60"), Qt::LeftButton);
    QTRY_COMPARE(m_readings.load(), 2);
    QCOMPARE(m_back.load(), std::int64_t(3'600'000));
    QTest::mouseClick(child<QToolButton>("replay_again"), Qt::LeftButton);
    QTRY_COMPARE(m_readings.load(), 3);
    QCOMPARE(m_back.load(), std::int64_t(3'600'000));
}

void WhatIfViewTest::nothingInTheSpanSaysWhatToDo()
{
    m_arrivals = 0;
    QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY2(message().contains(QLatin1String("Choose a longer span or a scenario")),
                 qPrintable(message()));
}

void WhatIfViewTest::aLedgerThatCannotBeReadIsTold()
{
    m_arrivals = -1;
    QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY2(message().contains(QLatin1String("/x/ledger.db: the file is damaged")),
                 qPrintable(message()));
    m_arrivals = 20;
    QTest::mouseClick(child<QToolButton>("replay_again"), Qt::LeftButton);
    QTRY_VERIFY(!m_window->places()->whatIf()->isShowingMessage());
}

void WhatIfViewTest::anUnreadableScenarioIsToldWithFileLineAndKey()
{
    open();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"provider\": {\"upgrade_limits\": []},\n  \"nmae\": \"x\",\n"
               "  \"workload\": {\"sessions\": [{\"agents\": 1, \"turns\": 1}]}}\n");
    file.close();
    m_window->places()->whatIf()->openScenario(path);
    QTRY_VERIFY2(message().contains(path + QStringLiteral(":2: nmae: ")), qPrintable(message()));
    QVERIFY(child<QToolButton>("replay_scenario")->isChecked());
    QTest::mouseClick(child<QToolButton>("replay_span_5"), Qt::LeftButton);
    QTRY_VERIFY(!m_window->places()->whatIf()->isShowingMessage());
}

void WhatIfViewTest::theRunningControlsComeBackWithLive()
{
    open();
    QVERIFY(child<QSlider>("trial_slider_burst")->isVisible());
    QVERIFY(!child<QSlider>("slider_burst")->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(!child<QSlider>("trial_slider_burst")->isVisible());
    QVERIFY(child<QSlider>("slider_burst")->isVisible());
}

void WhatIfViewTest::theCrosshairReadsBothSides()
{
    open();
    QTest::keyClick(child<QComboBox>("trial_policy_chooser"), Qt::Key_Home);
    QTRY_VERIFY(verdict().contains(QLatin1String("6 fewer refusals")));
    ReplayChart *refusals = m_window->places()->whatIf()->curves()->charts().at(2);
    refusals->setFocus();
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(refusals, Qt::Key_Left); // to the beginning: all refusals are there
    QCOMPARE(refusals->accessibleDescription(), QStringLiteral("in force 6, tried 0"));
}

void WhatIfViewTest::autoKeepsToItsEstimateAndSaysSo()
{
    m_scene->set("policy", "auto", "file");
    live::Snapshot snapshot = m_scene->next();
    snapshot.estimate.shape = pacing::CeilingShape::Window;
    snapshot.estimate.perMinute = 15;
    m_window->apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
    open();
    QTest::keyClick(child<QComboBox>("trial_policy_chooser"), Qt::Key_Home); // off
    // 20 at once: 15 of them in the first minute, the others in the next.
    QTRY_VERIFY2(verdict().contains(QLatin1String("at most 20 openings a minute instead of 15")),
                 qPrintable(verdict()));
    QStringList words;
    for (const QLabel *label : m_window->places()->whatIf()->findChildren<QLabel *>())
        words << label->text();
    QVERIFY(words.join(u' ').contains(QLatin1String("about 15 openings a minute")));
}

QTEST_MAIN(WhatIfViewTest)
#include "tst_whatifview.moc"
