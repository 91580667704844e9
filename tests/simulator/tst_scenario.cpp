// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/scenario.h"

#include <QTest>

using namespace headway::simulator;
using headway::base::Milliseconds;

class ScenarioTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheExampleOfTheSpecification();
    void leavesTheExamplesValuesWhereNothingIsSaid();
    void readsFaultsAndReplies();
    void readsAListOfMaxima();
    void namesWhatIsWrong_data();
    void namesWhatIsWrong();
    void theDefaultAllowsSeventyOpeningsAMinute();
};

void ScenarioTest::readsTheExampleOfTheSpecification()
{
    const auto scenario = parseScenario(R"({
      "name": "fan-out 50, sliding window 70", "seed": 9, "duration_s": 900,
      "provider": {
        "upgrade_limits": [ {"kind": "sliding_window", "max": 70, "window_s": 60, "block_s": 20, "retry_after_s": null} ],
        "others_per_min": 0, "connect_ms": [80, 250], "first_token_ms": [200, 800], "turn_ms": [2000, 15000],
        "tokens_per_min": null, "lanes": false, "connection_max_age_s": 3600,
        "faults": [ {"at_s": 120, "for_s": 30, "kind": "reject_upgrades", "status": 403} ]
      },
      "workload": {"sessions": []}, "settings": {}
    })");
    QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().c_str());
    QCOMPARE(scenario->seed, 9U);
    QCOMPARE(scenario->upgradeLimits.size(), 1U);
    const UpgradeLimit &limit = scenario->upgradeLimits[0];
    QCOMPARE(limit.kind, UpgradeLimit::Kind::SlidingWindow);
    QCOMPARE(limit.max, std::vector<double>{70});
    QCOMPARE(limit.window, Milliseconds{60'000});
    QCOMPARE(limit.block, Milliseconds{20'000});
    QCOMPARE(limit.status, 403);
    QVERIFY(!limit.retryAfter);
    QVERIFY(!scenario->tokensPerMinute);
    QCOMPARE(scenario->faults.size(), 1U);
    QCOMPARE(*scenario->faults[0].at, Milliseconds{120'000});
    QCOMPARE(*scenario->faults[0].length, Milliseconds{30'000});
}

void ScenarioTest::leavesTheExamplesValuesWhereNothingIsSaid()
{
    const auto scenario = parseScenario("{}");
    QVERIFY(scenario.has_value());
    QCOMPARE(scenario->connect, DurationRange(Milliseconds{80}, Milliseconds{250}));
    QCOMPARE(scenario->firstToken, DurationRange(Milliseconds{200}, Milliseconds{800}));
    QCOMPARE(scenario->turn, DurationRange(Milliseconds{2000}, Milliseconds{15000}));
    QCOMPARE(scenario->connectionMaxAge, Milliseconds{3'600'000});
    QVERIFY(scenario->faults.empty());
    QVERIFY(!scenario->lanes);
}

void ScenarioTest::readsFaultsAndReplies()
{
    const auto scenario = parseScenario(R"({"faults": [
        {"kind": "error_event", "code": "server_error", "status": 503, "n": 2, "after_events": 3},
        {"kind": "close", "code": 1012, "at_s": 1.5}, {"kind": "upgrade_body", "status": 403, "body": "<html>", "headers": {"cf-mitigated": "challenge"}},
        {"kind": "silence", "pongs": false, "at_s": 2}, {"kind": "swallow_upgrades", "n": 2}],
      "replies": [{"kind": "tool", "name": "Bash", "input": {"command": "ls"}}, {"kind": "fanout", "n": 4}, {"kind": "tools"}]})");
    QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().c_str());
    QCOMPARE(scenario->faults[0].code, QByteArray("server_error"));
    QCOMPARE(scenario->faults[0].status, 503);
    QCOMPARE(*scenario->faults[0].count, 2);
    QCOMPARE(scenario->faults[0].afterEvents, 3);
    QCOMPARE(scenario->faults[1].closeCode, std::uint16_t{1012});
    QCOMPARE(*scenario->faults[1].at, Milliseconds{1500});
    QCOMPARE(scenario->faults[2].body, QByteArray("<html>"));
    QCOMPARE(scenario->faults[2].headers.at(0).second, QByteArray("challenge"));
    QVERIFY(!scenario->faults[3].pongs);
    QVERIFY(scenario->faults[4].kind == Fault::Kind::SwallowUpgrades);
    QVERIFY(scenario->faults[4].concernsUpgrades());
    QCOMPARE(scenario->replies[0].name, QStringLiteral("Bash"));
    QCOMPARE(scenario->replies[0].input->value(QLatin1String("command")).toString(),
             QStringLiteral("ls"));
    QCOMPARE(scenario->replies[1].n, 4);
    QCOMPARE(scenario->replies[2].n, 3);
}

void ScenarioTest::readsAListOfMaxima()
{
    const auto scenario = parseScenario(
        R"({"upgrade_limits":[{"kind":"concurrent","max":[5,2],"every_s":30,"status":429,"retry_after_s":2.5}]})");
    QVERIFY(scenario.has_value());
    QCOMPARE(scenario->upgradeLimits[0].max, (std::vector<double>{5, 2}));
    QCOMPARE(scenario->upgradeLimits[0].every, Milliseconds{30'000});
    QCOMPARE(*scenario->upgradeLimits[0].retryAfter, Milliseconds{2500});
}

void ScenarioTest::namesWhatIsWrong_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("not JSON") << QByteArray("{") << QByteArray("not a JSON object");
    QTest::newRow("an array") << QByteArray("[]") << QByteArray("not a JSON object");
    QTest::newRow("unknown key") << QByteArray(R"({"lane":true})")
                                 << QByteArray("provider.lane: unknown key");
    QTest::newRow("unknown key at the top")
        << QByteArray(R"({"provider":{},"sed":1})") << QByteArray("scenario.sed: unknown key");
    QTest::newRow("wrong type") << QByteArray(R"({"lanes":1})")
                                << QByteArray("provider.lanes: expected true or false");
    QTest::newRow("range of one") << QByteArray(R"({"turn_ms":[1]})")
                                  << QByteArray("provider.turn_ms");
    QTest::newRow("range the wrong way round")
        << QByteArray(R"({"turn_ms":[2,1]})") << QByteArray("provider.turn_ms");
    QTest::newRow("negative time") << QByteArray(R"({"connection_max_age_s":-1})")
                                   << QByteArray("provider.connection_max_age_s");
    QTest::newRow("unknown limit") << QByteArray(R"({"upgrade_limits":[{"kind":"leaky"}]})")
                                   << QByteArray("provider.upgrade_limits[0].kind");
    QTest::newRow("limit without max")
        << QByteArray(R"({"upgrade_limits":[{"kind":"concurrent"}]})")
        << QByteArray("provider.upgrade_limits[0].max");
    QTest::newRow("key of another limit")
        << QByteArray(R"({"upgrade_limits":[{"kind":"random","p":0.5,"max":3}]})")
        << QByteArray("provider.upgrade_limits[0].max: unknown key");
    QTest::newRow("list without every_s")
        << QByteArray(R"({"upgrade_limits":[{"kind":"concurrent","max":[1,2]}]})")
        << QByteArray("every_s");
    QTest::newRow("probability") << QByteArray(R"({"upgrade_limits":[{"kind":"random","p":1.5}]})")
                                 << QByteArray("provider.upgrade_limits[0].p");
    QTest::newRow("limit is a number")
        << QByteArray(R"({"upgrade_limits":[7]})")
        << QByteArray("provider.upgrade_limits[0]: expected an object");
    QTest::newRow("fault key") << QByteArray(R"({"faults":[{"kind":"eof","status":1}]})")
                               << QByteArray("provider.faults[0].status: unknown key");
    QTest::newRow("header that is no text")
        << QByteArray(R"({"faults":[{"kind":"upgrade_body","headers":{"a":1}}]})")
        << QByteArray("provider.faults[0].headers: expected an object of strings");
    QTest::newRow("close code") << QByteArray(R"({"faults":[{"kind":"close","code":99}]})")
                                << QByteArray("provider.faults[0].code");
    QTest::newRow("half an occasion") << QByteArray(R"({"faults":[{"kind":"eof","n":1.5}]})")
                                      << QByteArray("provider.faults[0].n");
    QTest::newRow("reply kind") << QByteArray(R"({"replies":[{"kind":"song"}]})")
                                << QByteArray("provider.replies[0].kind");
    QTest::newRow("reply input") << QByteArray(R"({"replies":[{"kind":"tool","input":"ls"}]})")
                                 << QByteArray("provider.replies[0].input: expected an object");
}

void ScenarioTest::namesWhatIsWrong()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QByteArray, named);
    const auto scenario = parseScenario(json);
    QVERIFY(!scenario);
    QVERIFY2(QByteArray::fromStdString(scenario.error()).contains(named), scenario.error().c_str());
}

void ScenarioTest::theDefaultAllowsSeventyOpeningsAMinute()
{
    const Scenario scenario = defaultScenario();
    QCOMPARE(scenario.upgradeLimits.size(), 1U);
    QCOMPARE(scenario.upgradeLimits[0].kind, UpgradeLimit::Kind::SlidingWindow);
    QCOMPARE(scenario.upgradeLimits[0].max, std::vector<double>{70});
    QCOMPARE(scenario.upgradeLimits[0].window, Milliseconds{60'000});
    QCOMPARE(scenario.turn, DurationRange(Milliseconds{2000}, Milliseconds{6000}));
}

QTEST_APPLESS_MAIN(ScenarioTest)
#include "tst_scenario.moc"
