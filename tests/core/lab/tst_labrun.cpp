// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the shipped code whose outcome can be worked out by hand.
#include "proxy/core/lab/workload.h"
#include "tests/core/lab/runtools.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace headway;
using namespace headway::lab;
using namespace headway::lab::test;

namespace {

// Milliseconds after which a client came back, one after the other: every upgrade is rejected, with
// these members of the limit besides, and the proxy has no retries of its own.
std::vector<double> clientDelays(const std::string &limit, int retries)
{
    std::string members = R"({"kind":"sliding_window","max":0)";
    if (limit != "{}")
        members += "," + limit.substr(1, limit.size() - 2);
    std::string text = exact(members + "}", session(1, 1), {},
                             R"(,"client":{"max_retries":)" + std::to_string(retries) + "}");
    text.replace(text.size() - 1, 1, R"(,"settings":{"retries":0}})");
    const Scenario scenario = scenarioOf(text);
    const std::array policy{pacing::Policy::Off};
    std::vector<double> delays;
    (void)compare(scenario, scenario.settings, policy, 1, [&](std::string_view line) {
        const QByteArray bytes(line.data(), qsizetype(line.size()));
        const QJsonObject event = QJsonDocument::fromJson(bytes).object();
        if (event.value(QStringLiteral("event")) == QStringLiteral("answered"))
            delays.push_back(event.value(QStringLiteral("delay_ms")).toDouble());
    });
    return delays;
}

} // namespace

class LabRunTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHealthyAccountCostsNothing();
    void continuesTheHeadOfAnAgentWhereNothingElseIsAsked();
    void opensAsOftenAsTheScenarioAsks();
    void aSocketPastTheProvidersAgeIsNotContinued();
    void anExpiredHeadIsNotContinued();
    void everyRejectionOfAWindowIsCounted();
    void aLostTurnCostsAMinuteAndEachRejectionTwoSeconds();
    void aClientComesBackLaterEachTime();
    void aStatedTimeIsTheClientsLeast();
    void aCredentialProblemIsNotTriedAgain();
    void aCappedAccountStallsWithoutPacing();
    void aTurnBeyondTheTokensComesBackWhenTheyAreThere();
    void whatIsUnfinishedAtTheEndIsNotCompleted();
    void theBucketKeepsItsRate();
    void chanceIsDrawnTheSameOnEveryMachine();
    void theSameSeedGivesTheSameBytes();
    void anotherSeedGivesAnotherRun();
    void meansAreOverTheSeeds();
};

void LabRunTest::aHealthyAccountCostsNothing()
{
    const RunResult result = ran(exact({}, session(5, 1)));
    QCOMPARE(result.offered, 5.0);
    QCOMPARE(result.completed, 5.0);
    QCOMPARE(result.opened, 5.0);
    QCOMPARE(result.rejections, 0.0);
    QCOMPARE(result.waitMax, 0.0);
    QCOMPARE(result.cost, 0.0);
    QCOMPARE(result.turnP50, 1.1); // connecting, then the turn
    QCOMPARE(result.finish, 1.1);
    QCOMPARE(result.maxOpeningsPerMinute, 5.0);
}

void LabRunTest::continuesTheHeadOfAnAgentWhereNothingElseIsAsked()
{
    const RunResult result = ran(exact({}, session(2, 5)));
    QCOMPARE(result.opened, 2.0);
    QCOMPARE(result.reuseRatio, 0.8);
    // 1.1 s for the first turn, 1 s for each later one, 2 s between them.
    QCOMPARE(result.finish, 13.1);
    // One of five on a new socket (0 to 0.4), the others at 0.85 to 0.86.
    QVERIFY(result.cachedRatio > 0.6 && result.cachedRatio < 0.78);
}

void LabRunTest::opensAsOftenAsTheScenarioAsks()
{
    QCOMPARE(ran(exact({}, session(2, 5, R"(,"new_ratio":1)"))).opened, 10.0);
    QCOMPARE(ran(exact({}, session(2, 5, R"(,"new_ratio":0)"))).opened, 2.0);
    const RunResult half = ran(exact({}, session(40, 26, R"(,"new_ratio":0.5)")));
    // 40 first turns and half of 1000 others; standard deviation 16.
    QVERIFY(std::abs(half.opened - 540) < 80);
}

void LabRunTest::aSocketPastTheProvidersAgeIsNotContinued()
{
    QCOMPARE(ran(exact({}, session(1, 4), R"(,"connection_max_age_s":2)")).opened, 4.0);
    QCOMPARE(ran(exact({}, session(1, 4), R"(,"connection_max_age_s":5)")).opened, 2.0);
}

void LabRunTest::anExpiredHeadIsNotContinued()
{
    const std::string text = exact({}, session(1, 3));
    const std::string idle
        = text.substr(0, text.size() - 1) + R"(,"settings":{"nursery_idle_s":1}})";
    QCOMPARE(ran(idle).opened, 3.0);
}

void LabRunTest::everyRejectionOfAWindowIsCounted()
{
    const RunResult result = ran(
        exact(R"({"kind":"sliding_window","max":2,"window_s":10,"block_s":0})", session(4, 1)));
    // Two pass at 0. The other two are rejected at 0, after the first rung (at most 2 s) and after
    // the second (at most 4 s more), and pass after the third: 0.8 * 14 s is beyond the window.
    QCOMPARE(result.completed, 4.0);
    QCOMPARE(result.rejections, 6.0);
    QCOMPARE(result.opened, 4.0);
    QVERIFY(result.waitMax > 11.2 && result.waitMax < 16);
}

void LabRunTest::aLostTurnCostsAMinuteAndEachRejectionTwoSeconds()
{
    const std::string text = exact(R"({"kind":"sliding_window","max":0})", session(1, 1), {},
                                   R"(,"client":{"max_retries":2})");
    const std::string once = text.substr(0, text.size() - 1) + R"(,"settings":{"retries":0}})";
    const RunResult result = ran(once);
    // Without inner retries each of the client's three requests is rejected once.
    QCOMPARE(result.rejections, 3.0);
    QCOMPARE(result.lost, 1.0);
    QCOMPARE(result.completed, 0.0);
    QCOMPARE(result.cost, 66.0);
    QCOMPARE(result.refusals, 0.0);
}

void LabRunTest::aClientComesBackLaterEachTime()
{
    const std::vector<double> delays = clientDelays("{}", 9);
    QCOMPARE(delays.size(), std::size_t{9});
    for (std::size_t k = 0; k < delays.size(); ++k) {
        // 0.5 * 2^k s up to 32 s, but never before the 5 s that an answer without a stated time
        // names; a quarter more at most.
        const double least = std::max(5.0, std::min(32.0, 0.5 * std::pow(2.0, double(k))));
        QVERIFY2(delays[k] >= least * 1000 && delays[k] <= least * 1250,
                 qPrintable(QString::number(delays[k])));
    }
}

void LabRunTest::aStatedTimeIsTheClientsLeast()
{
    for (const double delay : clientDelays(R"({"retry_after_s":20})", 5))
        QVERIFY2(delay >= 20'000 && delay <= 25'000, qPrintable(QString::number(delay)));
}

void LabRunTest::aCredentialProblemIsNotTriedAgain()
{
    const RunResult result
        = ran(exact({}, session(1, 2),
                    R"(,"faults":[{"kind":"reject_upgrades","at_s":0,"for_s":1,"status":401}])"));
    QCOMPARE(result.rejections, 1.0);
    QCOMPARE(result.lost, 1.0);
    QCOMPARE(result.completed, 1.0); // the agent goes on with its next turn
}

void LabRunTest::aCappedAccountStallsWithoutPacing()
{
    // The first one's socket stays open, idle; the second never gets one in these 100 s.
    const std::string text = R"({"duration_s":100,"provider":{"upgrade_limits":[)"
                             R"({"kind":"concurrent","max":1}]},"workload":{"sessions":[)"
                             R"({"agents":2,"turns":1}]}})";
    const Comparison result = compared(text);
    QCOMPARE(result.policies.front().second.completed, 1.0);
    QCOMPARE(result.oracle.completed, 2.0);
}

void LabRunTest::aTurnBeyondTheTokensComesBackWhenTheyAreThere()
{
    const RunResult result = ran(
        exact({}, session(3, 1, R"(,"input_tokens":[1000,1000])"), R"(,"tokens_per_min":6000)"));
    QCOMPARE(result.completed, 3.0);
    QCOMPARE(result.waitMax, 0.0);
    const RunResult scarce = ran(
        exact({}, session(3, 1, R"(,"input_tokens":[1000,1000])"), R"(,"tokens_per_min":2000)"));
    // The third reads on its new connection, at 0.1 s, that nothing is left and that the first
    // tokens are back in 60 s: it waits for that and up to 1 s of jitter.
    QCOMPARE(scarce.completed, 3.0);
    QCOMPARE(scarce.rejections, 0.0); // that word is for upgrades
    QVERIFY2(scarce.waitMax >= 60 && scarce.waitMax <= 61,
             qPrintable(QString::number(scarce.waitMax)));
}

void LabRunTest::whatIsUnfinishedAtTheEndIsNotCompleted()
{
    const std::string text
        = R"({"duration_s":10,"provider":{"upgrade_limits":[],"turn_ms":[20000,20000]},)"
          R"("workload":{"sessions":[{"agents":2,"turns":3}]}})";
    const RunResult result = ran(text);
    QCOMPARE(result.completed, 0.0);
    QCOMPARE(result.lost, 0.0);
    QCOMPARE(result.finish, 10.0);
    QCOMPARE(result.cost, 60.0);
}

void LabRunTest::theBucketKeepsItsRate()
{
    const std::string text = R"({"provider":{"upgrade_limits":[]},"workload":{"sessions":[)"
                             R"({"agents":60,"turns":10,"new_ratio":1}]}})";
    const RunResult result = ran(text, pacing::Policy::Bucket);
    QVERIFY2(result.maxOpeningsPerMinute <= 70, // burst + rate
             qPrintable(QString::number(result.maxOpeningsPerMinute)));
    QVERIFY(result.refusals > 0);
    QCOMPARE(result.rejections, 0.0);
}

void LabRunTest::chanceIsDrawnTheSameOnEveryMachine()
{
    // Worked out apart from this code, from the definition of SplitMix64: agent 1, its turn 2.
    const auto agents
        = planAgents(scenarioOf(R"({"provider":{"upgrade_limits":[]},"workload":{"sessions":[)"
                                R"({"agents":2,"turns":3,"new_ratio":0.5}]}})"),
                     7);
    QCOMPARE(agents[1].start, base::Nanoseconds(1'258'014'496));
    const PlannedTurn &turn = agents[1].turns[2];
    QCOMPARE(turn.think, base::Nanoseconds(1'663'156'231));
    QCOMPARE(turn.length, base::Nanoseconds(3'679'229'038));
    QCOMPARE(turn.firstToken, base::Nanoseconds(754'999'848));
    QCOMPARE(turn.fresh, false);
    QCOMPARE(turn.inputTokens, 36'964.0);
}

void LabRunTest::theSameSeedGivesTheSameBytes()
{
    const Scenario scenario = scenarioOf(
        R"({"provider":{"upgrade_limits":[{"kind":"sliding_window","max":20},{"kind":"random",)"
        R"("p":0.1}],"others_per_min":5,"tokens_per_min":3000000},"workload":{"sessions":[)"
        R"({"agents":20,"turns":5,"new_ratio":0.5}]}})");
    const auto bytes = [&] {
        std::string text;
        const std::array all{pacing::Policy::Off, pacing::Policy::Bucket};
        const Comparison result = compare(scenario, scenario.settings, all, 3,
                                          [&](std::string_view line) { text += line; });
        return text + comparisonJson(result);
    };
    const std::string first = bytes();
    QVERIFY(first.size() > 10'000);
    QVERIFY(first == bytes());
}

void LabRunTest::anotherSeedGivesAnotherRun()
{
    Scenario scenario = scenarioOf(
        R"({"provider":{"upgrade_limits":[]},"workload":{"sessions":[{"agents":3,"turns":5}]}})");
    const std::array policy{pacing::Policy::Off};
    const Comparison one = compare(scenario, scenario.settings, policy, 1);
    scenario.seed = 2;
    const Comparison two = compare(scenario, scenario.settings, policy, 1);
    QVERIFY(one.policies.front().second.finish != two.policies.front().second.finish);
}

void LabRunTest::meansAreOverTheSeeds()
{
    Scenario scenario = scenarioOf(
        R"({"seed":7,"provider":{"upgrade_limits":[]},"workload":{"sessions":[{"agents":3,"turns":5}]}})");
    const std::array policy{pacing::Policy::Off};
    const double both
        = compare(scenario, scenario.settings, policy, 2).policies.front().second.finish;
    const double first
        = compare(scenario, scenario.settings, policy, 1).policies.front().second.finish;
    scenario.seed = 8;
    const double second
        = compare(scenario, scenario.settings, policy, 1).policies.front().second.finish;
    QVERIFY(std::abs(both - (first + second) / 2) < 1e-9);
}

QTEST_APPLESS_MAIN(LabRunTest)

#include "tst_labrun.moc"
