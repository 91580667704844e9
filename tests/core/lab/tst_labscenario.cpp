// SPDX-License-Identifier: GPL-3.0-or-later
// spec/lab.md: what a scenario file may say, and what it means where it says nothing.
#include "proxy/core/lab/scenario.h"

#include <QTest>

#include <string>

using namespace headway;
using namespace headway::lab;
using namespace std::chrono_literals;

namespace {

std::string withLimits(const std::string &limits)
{
    return R"({"provider":{"upgrade_limits":[)" + limits
        + R"(]},"workload":{"sessions":[{"agents":2,"turns":3}]}})";
}

std::string with(const std::string &provider, const std::string &session,
                 const std::string &more = {})
{
    return R"({"provider":{"upgrade_limits":[])" + provider
        + R"(},"workload":{"sessions":[{"agents":2,"turns":3)" + session + "}]}" + more + "}";
}

Scenario read(const std::string &text)
{
    auto scenario = readScenario(text);
    if (!scenario)
        qFatal("%s", scenario.error().text("f").c_str());
    return *std::move(scenario);
}

} // namespace

class LabScenarioTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasTheExamplesValuesWhereAFileIsSilent();
    void readsEveryKindOfLimit();
    void acceptsWhatOnlyTheSimulatorPlays();
    void readsAnOutage();
    void takesSettingsAtTheRankOfTheFile();
    void namesLineAndKeyOfWhatIsWrong_data();
    void namesLineAndKeyOfWhatIsWrong();
};

void LabScenarioTest::hasTheExamplesValuesWhereAFileIsSilent()
{
    const Scenario scenario = read(withLimits(R"({"kind":"sliding_window"})"));
    QCOMPARE(scenario.seed, std::uint64_t{1});
    QCOMPARE(scenario.duration, base::Nanoseconds(900s));
    QCOMPARE(scenario.provider.connect, (DurationRange{80ms, 250ms}));
    QCOMPARE(scenario.provider.firstToken, (DurationRange{200ms, 800ms}));
    QCOMPARE(scenario.provider.turn, (DurationRange{2000ms, 15000ms}));
    QCOMPARE(scenario.provider.othersPerMinute, 0.0);
    QCOMPARE(scenario.provider.connectionMaxAge, base::Nanoseconds(3600s));
    QVERIFY(!scenario.provider.tokensPerMinute);
    QVERIFY(scenario.provider.outages.empty());
    QCOMPARE(scenario.provider.upgradeLimits.front().max, std::vector<double>{70});
    QCOMPARE(scenario.provider.upgradeLimits.front().window, base::Nanoseconds(60s));
    QCOMPARE(scenario.provider.upgradeLimits.front().block, base::Nanoseconds(20s));
    const SessionPlan &session = scenario.sessions.front();
    QCOMPARE(session.start, (DurationRange{0s, 2s}));
    QCOMPARE(session.think, (DurationRange{500ms, 4000ms}));
    QVERIFY(!session.newRatio);
    QVERIFY(!session.interactive);
    QCOMPARE(session.inputTokens, (NumberRange{20'000, 60'000}));
    QCOMPARE(scenario.clientRetries, 10);
    QCOMPARE(scenario.offered(), std::size_t{6});
}

void LabScenarioTest::readsEveryKindOfLimit()
{
    const Scenario scenario = read(withLimits(
        R"({"kind":"sliding_window","max":[8,3],"every_s":60,"window_s":30,"block_s":0,"retry_after_s":1.5},)"
        R"({"kind":"token_bucket","rate_per_min":40,"burst":5},{"kind":"concurrent","max":9},)"
        R"({"kind":"random","p":0.25},{"kind":"after_total","max":100,"reset_s":20})"));
    const auto &limits = scenario.provider.upgradeLimits;
    QCOMPARE(limits.size(), std::size_t{5});
    QCOMPARE(limits[0].max, (std::vector<double>{8, 3}));
    QCOMPARE(limits[0].every, base::Nanoseconds(60s));
    QCOMPARE(limits[0].window, base::Nanoseconds(30s));
    QCOMPARE(limits[0].block, base::Nanoseconds(0s));
    QCOMPARE(limits[0].retryAfter, std::optional(base::Milliseconds(1500)));
    QCOMPARE(limits[1].ratePerMinute, 40.0);
    QCOMPARE(limits[1].burst, 5.0);
    QCOMPARE(limits[2].kind, UpgradeLimit::Kind::Concurrent);
    QCOMPARE(limits[3].probability, 0.25);
    QCOMPARE(limits[4].reset, std::optional<base::Nanoseconds>(20s));
}

void LabScenarioTest::acceptsWhatOnlyTheSimulatorPlays()
{
    const Scenario scenario = read(with(
        R"(,"replies":[{"kind":"tool","name":"Bash","input":{"command":"ls"}},{"kind":"fanout","n":3}],)"
        R"("faults":[{"kind":"error_event","code":"server_error","status":500,"at_s":1,"for_s":2},)"
        R"({"kind":"close","code":1011,"n":2},{"kind":"reset","n":1},{"kind":"eof","n":1},)"
        R"({"kind":"silence","pongs":false,"n":1},{"kind":"empty_completed","n":1},)"
        R"({"kind":"error_event","message":"No tool call found","after_events":2,"n":1},)"
        R"({"kind":"upgrade_body","status":403,"body":"<html>","headers":{"cf-mitigated":"x"},"n":1}],)"
        R"("max_frame_bytes":65536,"plan_endpoint":true)",
        {}));
    QVERIFY(scenario.provider.outages.empty());
}

void LabScenarioTest::readsAnOutage()
{
    const Scenario scenario = read(
        with(R"(,"faults":[{"kind":"reject_upgrades","at_s":7,"for_s":3,"status":503}])", {}));
    QCOMPARE(scenario.provider.outages.size(), std::size_t{1});
    QCOMPARE(scenario.provider.outages[0].from, base::Nanoseconds(7s));
    QCOMPARE(scenario.provider.outages[0].length, std::optional<base::Nanoseconds>(3s));
    QCOMPARE(scenario.provider.outages[0].status, 503);
}

void LabScenarioTest::takesSettingsAtTheRankOfTheFile()
{
    Scenario scenario = read(with({}, {}, R"(,"settings":{"rate_per_min":30,"rate_pinned":true})"));
    QCOMPARE(scenario.settings.integer(settings::Key::RatePerMin), std::int64_t{30});
    QVERIFY(scenario.settings.flag(settings::Key::RatePinned));
    (void)scenario.settings.set(settings::Source::CommandLine, settings::Key::RatePerMin, "40");
    QCOMPARE(scenario.settings.integer(settings::Key::RatePerMin), std::int64_t{40});
    QVERIFY(!read(with({}, {}, R"(,"settings":{"burst":5000})")).notices.empty());
}

void LabScenarioTest::namesLineAndKeyOfWhatIsWrong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const std::string &text, const char *error) {
        QTest::newRow(name) << QString::fromStdString(text) << QString::fromLatin1(error);
    };
    row("no provider", R"({"workload":{"sessions":[{"agents":1,"turns":1}]}})",
        "f:1: provider: is required");
    row("no limits", R"({"provider":{},"workload":{"sessions":[{"agents":1,"turns":1}]}})",
        "f:1: provider.upgrade_limits: is required");
    row("no sessions", "{\"provider\":{\"upgrade_limits\":[]},\n\"workload\":{}}",
        "f:2: workload.sessions: is required");
    row("no turns", R"({"provider":{"upgrade_limits":[]},"workload":{"sessions":[{"agents":1}]}})",
        "f:1: workload.sessions[0].turns: is required");
    row("unknown key at the top", with({}, {}, ",\n\"description\":\"x\""),
        "f:2: description: there is no such key");
    row("unknown key that a terminal would obey", with({}, {}, R"(,"\u001b[31m":1)"),
        "f:1: \\u001b[31m: there is no such key");
    row("name that a terminal would obey", with({}, {}, R"(,"name":"\u001b[31m")"),
        "f:1: name: must not hold a line break or another control character");
    row("name of more lines", with({}, {}, R"(,"name":"a\nb")"),
        "f:1: name: must not hold a line break or another control character");
    row("name with a C1 control", with({}, {}, R"(,"name":"\u009b31m")"),
        "f:1: name: must not hold a line break or another control character");
    row("unknown key of a session", with({}, R"(,"pace":1)"),
        "f:1: workload.sessions[0].pace: there is no such key");
    row("unknown key of a limit", withLimits(R"({"kind":"random","p":0.5,"max":1})"),
        "f:1: provider.upgrade_limits[0].max: there is no such key");
    row("unknown kind of limit", withLimits(R"({"kind":"gate"})"),
        "f:1: provider.upgrade_limits[0].kind: there is no limit of this kind; there are "
        "sliding_window, token_bucket, concurrent, random and after_total");
    row("list without period", withLimits(R"({"kind":"concurrent","max":[1,2]})"),
        "f:1: provider.upgrade_limits[0].max: a list of values needs every_s above 0");
    row("unknown fault", with(R"(,"faults":[{"kind":"flood"}])", {}),
        "f:1: provider.faults[0].kind: there is no fault of this kind");
    row("wrong type", with(R"(,"lanes":1)", {}), "f:1: provider.lanes: expected true or false");
    row("negative time", with({}, ",\n\"think_ms\":[-1,4]"),
        "f:2: workload.sessions[0].think_ms: must not be negative");
    row("range upside down", with({}, R"(,"start_s":[3,2])"),
        "f:1: workload.sessions[0].start_s: the first number must not be above the second");
    row("range of three", with(R"(,"turn_ms":[1,2,3])", {}),
        "f:1: provider.turn_ms: expected a list of two numbers");
    row("share above one", with({}, R"(,"new_ratio":1.5)"),
        "f:1: workload.sessions[0].new_ratio: must be between 0 and 1");
    row("half an agent", with({}, R"(,"agents":1.5)"),
        "f:1: workload.sessions[0].agents: expected a whole number");
    row("unknown setting", with({}, {}, R"(,"settings":{"speed":1})"),
        "f:1: settings.speed: there is no such setting");
    row("setting of another type", with({}, {}, R"(,"settings":{"rate_pinned":1})"),
        "f:1: settings.rate_pinned: expected true or false");
    row("no JSON", "{\n\"provider\":", "f:2: is no JSON: the JSON ends early");
}

void LabScenarioTest::namesLineAndKeyOfWhatIsWrong()
{
    QFETCH(const QString, text);
    QFETCH(const QString, error);
    const auto scenario = readScenario(text.toStdString());
    QVERIFY(!scenario.has_value());
    QCOMPARE(QString::fromStdString(scenario.error().text("f")), error);
}

QTEST_APPLESS_MAIN(LabScenarioTest)

#include "tst_labscenario.moc"
