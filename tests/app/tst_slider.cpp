// SPDX-License-Identifier: GPL-3.0-or-later
// Moving the real rate slider during a fan-out changes the next admission: window, engine, pacer
// and the provider's own count of accepted upgrades.
#include "tests/support/proxyfixture.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"

#include <QElapsedTimer>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class SliderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void movingTheRateFrom60To6ChangesTheNextAdmission();
};

namespace {

simulator::Scenario longTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {60s, 60s};
    return scenario;
}

} // namespace

void SliderTest::movingTheRateFrom60To6ChangesTheNextAdmission()
{
    ProxyFixture proxy(longTurns());
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Burst, "1").accepted);
    proxy.start();
    ui::MainWindow window;
    window.resize(1440, 900);
    window.show();
    QObject::connect(&proxy.engine(), &engine::Engine::snapshotReady, &window,
                     &ui::MainWindow::apply);
    QObject::connect(window.commands(), &ui::ProxyCommands::settingEdited, &proxy.engine(),
                     &engine::Engine::changeSetting);
    proxy.engine().setWatched(true);
    auto *const slider = window.findChild<QSlider *>(QStringLiteral("slider_rate_per_min"));
    auto *const spin = window.findChild<QSpinBox *>(QStringLiteral("spin_rate_per_min"));
    QVERIFY(slider && spin);
    QTRY_COMPARE(spin->value(), 60);

    // At 60 a minute the second of a fan-out would leave after one second …
    const auto first = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    QTRY_COMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QElapsedTimer sinceFirst;
    sinceFirst.start();
    const auto second = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{2});
    slider->setFocus();
    for (int presses = 0; presses < 2'000 && spin->value() > 6; ++presses)
        QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(spin->value(), 6);
    QVERIFY2(sinceFirst.elapsed() < 1'000, "too slow a machine to tell");

    // … at 6 a minute its token is seven seconds away, beyond the wait bound: it goes back to its
    // ladder (spec/pacing.md section 8) and nothing leaves.
    QTRY_COMPARE(proxy.engine().snapshot()->settings.at("rate_per_min").value, std::string("6"));
    QTRY_VERIFY_WITH_TIMEOUT(sinceFirst.elapsed() > 2'500, 10'000);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    const auto turns = proxy.engine().snapshot()->turns;
    QCOMPARE(turns.size(), std::size_t{2});

    // Up again: the next attempt is admitted.
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(spin->value(), 600);
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2},
                              10'000);
}

QTEST_MAIN(SliderTest)
#include "tst_slider.moc"
