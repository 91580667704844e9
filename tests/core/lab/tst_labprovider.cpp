// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/provider.h"

#include <QTest>

using namespace headway;
using namespace headway::lab;
using namespace std::chrono_literals;

class LabProviderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOutageRejectsForItsTimeWithItsStatus();
    void aCountedOutageEndsWithItsCount();
    void tokensComeBackAfterAMinute();
    void anEmptyMinuteTakesATurnOfAnySize();
    void othersOpenAsOftenAsTheScenarioSays();
    void knowsWhenAnUpgradeHasAChance();
};

void LabProviderTest::anOutageRejectsForItsTimeWithItsStatus()
{
    ProviderPlan plan;
    plan.outages.push_back({.from = 10s, .length = 5s, .status = 503, .retryAfter = 3s});
    Provider provider(plan, 1);
    QVERIFY(provider.upgrade(startOfRun + 9'999ms).accepted);
    const UpgradeReply reply = provider.upgrade(startOfRun + 10s);
    QVERIFY(!reply.accepted);
    QCOMPARE(reply.status, 503);
    QCOMPARE(reply.retryAfter, std::optional<base::Milliseconds>(3s));
    QVERIFY(!provider.upgrade(startOfRun + 14'999ms).accepted);
    QVERIFY(provider.upgrade(startOfRun + 15s).accepted);
    QCOMPARE(provider.open(), std::size_t{2});
}

void LabProviderTest::aCountedOutageEndsWithItsCount()
{
    ProviderPlan plan;
    plan.outages.push_back({.from = 0s, .count = 2});
    Provider provider(plan, 1);
    QVERIFY(!provider.upgrade(startOfRun).accepted);
    QVERIFY(!provider.upgrade(startOfRun).accepted);
    QVERIFY(provider.upgrade(startOfRun).accepted);
}

void LabProviderTest::tokensComeBackAfterAMinute()
{
    ProviderPlan plan;
    plan.tokensPerMinute = 60'000;
    Provider provider(plan, 1);
    QVERIFY(!provider.send(50'000, startOfRun));
    QVERIFY(!provider.send(10'000, startOfRun + 20s));
    // The first of them are back at 60, all at 80.
    QCOMPARE(provider.send(30'000, startOfRun + 30s), std::optional<base::Nanoseconds>(30s));
    QCOMPARE(provider.send(51'000, startOfRun + 30s), std::optional<base::Nanoseconds>(50s));
    const auto reading = provider.tokens(startOfRun + 30s);
    QCOMPARE(reading->limit, std::uint64_t{60'000});
    QCOMPARE(reading->remaining, std::uint64_t{0});
    QCOMPARE(reading->reset, base::Milliseconds(30s));
    QVERIFY(provider.send(30'000, startOfRun + 59'999ms));
    QVERIFY(!provider.send(30'000, startOfRun + 60s));
    QCOMPARE(provider.tokens(startOfRun + 60s)->remaining, std::uint64_t{20'000});
}

void LabProviderTest::anEmptyMinuteTakesATurnOfAnySize()
{
    ProviderPlan plan;
    plan.tokensPerMinute = 1'000;
    Provider provider(plan, 1);
    QVERIFY(!provider.send(50'000, startOfRun));
    QCOMPARE(provider.send(50'000, startOfRun), std::optional<base::Nanoseconds>(60s));
}

void LabProviderTest::othersOpenAsOftenAsTheScenarioSays()
{
    // A total that others use up: 600 of them at 60 a minute last ten minutes.
    UpgradeLimit total;
    total.kind = UpgradeLimit::Kind::AfterTotal;
    total.max = {600};
    ProviderPlan plan;
    plan.upgradeLimits = {total};
    plan.othersPerMinute = 60;
    QVERIFY(Provider(plan, 1).upgrade(startOfRun + 570s).accepted);
    QVERIFY(!Provider(plan, 1).upgrade(startOfRun + 630s).accepted);
}

void LabProviderTest::knowsWhenAnUpgradeHasAChance()
{
    UpgradeLimit window;
    window.max = {1};
    window.window = 10s;
    UpgradeLimit cap;
    cap.kind = UpgradeLimit::Kind::Concurrent;
    cap.max = {2};
    ProviderPlan plan;
    plan.upgradeLimits = {window, cap};
    plan.outages.push_back({.from = 8s, .length = 7s});
    plan.outages.push_back({.from = 15s, .length = 1s});
    Provider provider(plan, 1);
    QCOMPARE(provider.earliestUpgrade(startOfRun), std::optional(startOfRun));
    QVERIFY(provider.upgrade(startOfRun).accepted);
    QCOMPARE(provider.earliestUpgrade(startOfRun + 1s), std::optional(startOfRun + 16s));
    QCOMPARE(provider.socketsInTheWay(startOfRun + 16s), std::size_t{0});
    QVERIFY(provider.upgrade(startOfRun + 16s).accepted);
    QCOMPARE(provider.socketsInTheWay(startOfRun + 30s), std::size_t{1});
    provider.closed();
    QCOMPARE(provider.socketsInTheWay(startOfRun + 30s), std::size_t{0});
}

QTEST_APPLESS_MAIN(LabProviderTest)

#include "tst_labprovider.moc"
