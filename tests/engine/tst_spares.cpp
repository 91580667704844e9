// SPDX-License-Identifier: GPL-3.0-or-later
// Warm spares (spec/heads.md section 7), with the provider's upgrades as the oracle.
#include "proxy/store/ledgerverify.h"
#include "tests/support/proxyfixture.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class SparesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noneAreOpenedUnlessAsked();
    void theyAreOpenedOneAfterTheOtherAndShown();
    void aTurnTakesOneInsteadOfDialling();
    void surplusOnesGoWhenTheSettingFalls();
    void aRejectedOneIsNotTriedAgainAtOnce();
    void noneAreOpenedWhileAPersonWantsNone_data();
    void noneAreOpenedWhileAPersonWantsNone();
    void noneAreOpenedWhereWebSocketIsNotToBeHad();
    void theLedgerAgrees();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

std::size_t sparesShown(ProxyFixture &proxy)
{
    const auto heads = proxy.engine().snapshot()->heads;
    return static_cast<std::size_t>(
        std::ranges::count_if(heads, [](const live::HeadRow &row) { return row.spare; }));
}

void want(ProxyFixture &proxy, const char *spares)
{
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Spares, spares).accepted);
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::RatePerMin, "600").accepted);
}

} // namespace

void SparesTest::noneAreOpenedUnlessAsked()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QCOMPARE(sparesShown(proxy), std::size_t{0});
}

void SparesTest::theyAreOpenedOneAfterTheOtherAndShown()
{
    ProxyFixture proxy(quick());
    want(proxy, "2");
    proxy.start();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{2}, 10'000);
    const auto &accepted = proxy.provider().statistics().acceptedAt;
    QVERIFY(accepted[1] - accepted[0] >= 900ms); // an idle pace, not a burst
    QCOMPARE(sparesShown(proxy), std::size_t{2});
}

void SparesTest::aTurnTakesOneInsteadOfDialling()
{
    ProxyFixture proxy(quick());
    want(proxy, "1");
    proxy.start();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{1}, 10'000);
    QTRY_COMPARE(sparesShown(proxy), std::size_t{1});
    proxy.engine().changeSetting(QStringLiteral("spares"), QStringLiteral("0"));
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{0});
    proxy.engine().changeSetting(QStringLiteral("spares"), QStringLiteral("1"));
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{1}, 10'000);
    const std::uint64_t before = proxy.provider().statistics().upgradesAccepted;
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_COMPARE(proxy.provider().statistics().turns, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, before);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
}

void SparesTest::surplusOnesGoWhenTheSettingFalls()
{
    ProxyFixture proxy(quick());
    want(proxy, "2");
    proxy.start();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{2}, 10'000);
    proxy.engine().changeSetting(QStringLiteral("spares"), QStringLiteral("1"));
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{1});
    QCOMPARE(sparesShown(proxy), std::size_t{1});
}

void SparesTest::aRejectedOneIsNotTriedAgainAtOnce()
{
    simulator::Scenario scenario = quick();
    simulator::Fault reject;
    reject.kind = simulator::Fault::Kind::RejectUpgrades;
    reject.status = 403;
    reject.count = 1;
    scenario.faults = {reject};
    ProxyFixture proxy(scenario);
    want(proxy, "1");
    proxy.start();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().upgradesRejected, std::uint64_t{1},
                              10'000);
    // The next second's look opens none; a turn may all the same.
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QCOMPARE(sparesShown(proxy), std::size_t{0});
}

void SparesTest::noneAreOpenedWhileAPersonWantsNone_data()
{
    QTest::addColumn<bool>("paused"); // or without Headway's help
    QTest::newRow("paused") << true;
    QTest::newRow("pass-through") << false;
}

void SparesTest::noneAreOpenedWhileAPersonWantsNone()
{
    QFETCH(const bool, paused);
    ProxyFixture proxy(quick());
    want(proxy, "2");
    proxy.start();
    const auto set = [&](bool on) {
        if (paused)
            proxy.engine().setPaused(on);
        else
            proxy.engine().setPassThrough(on);
    };
    set(true);
    for (int second = 0; second < 10; ++second)
        proxy.passTime(1s);
    QCOMPARE(sparesShown(proxy), std::size_t{0});
    set(false);
    for (int second = 0; second < 10; ++second)
        proxy.passTime(1s);
    QVERIFY(sparesShown(proxy) > 0);
}

void SparesTest::noneAreOpenedWhereWebSocketIsNotToBeHad()
{
    simulator::Scenario scenario = quick();
    simulator::Fault refuse;
    refuse.kind = simulator::Fault::Kind::RejectUpgrades;
    refuse.status = 426;
    refuse.count = 1;
    scenario.faults = {refuse};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    proxy.engine().changeSetting(QStringLiteral("spares"), QStringLiteral("2"));
    for (int second = 0; second < 100; ++second)
        proxy.passTime(1s);
    QCOMPARE(sparesShown(proxy), std::size_t{0});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{0});
}

void SparesTest::theLedgerAgrees()
{
    simulator::Scenario scenario = quick();
    simulator::Fault reject;
    reject.kind = simulator::Fault::Kind::RejectUpgrades;
    reject.count = 1;
    scenario.faults = {reject};
    ProxyFixture proxy(scenario);
    want(proxy, "2");
    proxy.start();
    for (int second = 0; second < 5; ++second)
        proxy.passTime(1s);
    QTRY_COMPARE(proxy.provider().statistics().upgradesRejected, std::uint64_t{1});
    // Time goes on until the proxy has heard of it and tried again.
    const auto openLater = [&proxy] {
        proxy.passTime(2s);
        return proxy.provider().statistics().openSockets;
    };
    QTRY_COMPARE(openLater(), std::uint64_t{2});
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s");
    QTRY_VERIFY(call->isComplete());
    proxy.stop();
    const auto verified = store::verifyLedger(proxy.ledgerPath());
    QVERIFY(verified.has_value());
    QVERIFY2(verified->disagreements.isEmpty(),
             qPrintable(verified->disagreements.join(QLatin1Char('\n'))));
    QVERIFY(verified->open.requests.empty());
}

QTEST_GUILESS_MAIN(SparesTest)
#include "tst_spares.moc"
