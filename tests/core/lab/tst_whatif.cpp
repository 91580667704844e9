// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/whatif.h"
#include "tests/core/lab/runtools.h"

#include <QTest>

using namespace headway;
using namespace headway::lab;
using namespace headway::lab::test;
using namespace std::chrono_literals;

namespace {

PacingSetup bucket(double rate)
{
    PacingSetup setup;
    setup.pacer.policy = pacing::Policy::Bucket;
    setup.pacer.ratePerMinute = rate;
    return setup;
}

} // namespace

class WhatIfTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsBothSettingsOnOneAxis();
    void raisesAStepThatWouldGiveTooManyValues();
    void nothingGivesOneEmptyValue();
    void aScenarioGivesTheTurnsThatNeedAConnection();
    void autoKeepsToWhatItHadLearned();
};

void WhatIfTest::showsBothSettingsOnOneAxis()
{
    // 14 at once: 60/min lets ten go, then one each second; 30/min one at 2 and one at 4 s and
    // refuses two.
    const WhatIf result = whatIf(std::vector<Arrival>(14), bucket(60), bucket(30), 1s);
    QCOMPARE(result.before.admissionsPerSecond, (std::vector<double>{10, 1, 1, 1, 1}));
    QCOMPARE(result.before.meanWaitSeconds, (std::vector<double>{0, 1, 2, 3, 4}));
    QCOMPARE(result.after.admissionsPerSecond, (std::vector<double>{10, 0, 1, 0, 1}));
    QCOMPARE(result.after.refusals, (std::vector<double>{2, 0, 0, 0, 0}));
    QCOMPARE(result.before.summary.refused, std::size_t{0});
    QCOMPARE(result.after.summary.refused, std::size_t{2});
}

void WhatIfTest::raisesAStepThatWouldGiveTooManyValues()
{
    std::vector<Arrival> arrivals(2);
    arrivals[1].at = 100h;
    const WhatIf result = whatIf(arrivals, bucket(60), bucket(60), 1ms);
    QVERIFY(result.before.admissionsPerSecond.size() <= 4096);
    QVERIFY(result.step * 4096 >= 100h);
}

void WhatIfTest::nothingGivesOneEmptyValue()
{
    const WhatIf result = whatIf({}, bucket(60), bucket(30), 0s);
    QCOMPARE(result.after.admissionsPerSecond, std::vector<double>{0});
}

void WhatIfTest::aScenarioGivesTheTurnsThatNeedAConnection()
{
    // One agent, every turn of 1 s anew: at 0, then 1.1 s of turn and 2 s of thinking later. The
    // limit that would reject all of them is not in their way.
    const auto arrivals = arrivalsOf(scenarioOf(
        exact(R"({"kind":"sliding_window","max":0})", session(1, 3, R"(,"new_ratio":1)"))));
    QCOMPARE(arrivals.size(), std::size_t{3});
    QCOMPARE(arrivals[1].at, base::Nanoseconds(3100ms));
    QCOMPARE(arrivals[2].at, base::Nanoseconds(6200ms));
    QVERIFY(arrivals[0].session != 0);
}

void WhatIfTest::autoKeepsToWhatItHadLearned()
{
    PacingSetup untaught;
    untaught.pacer.policy = pacing::Policy::Auto;
    PacingSetup taught = untaught;
    taught.learnedPerMinute = 70;
    const WhatIf result = whatIf(std::vector<Arrival>(100), untaught, taught, 1s);
    // Nothing rejects in a replay: who knows no ceiling opens all at once.
    QCOMPARE(result.before.admissionsPerSecond[0], 100.0);
    QCOMPARE(result.after.admissionsPerSecond[0], 70.0);
    QCOMPARE(result.after.admissionsPerSecond[60], 30.0); // when the 70 are a minute old
    QCOMPARE(result.after.summary.maxPerMinute, std::size_t{70});
    // Locked, the rate stands above what was learned where it is lower.
    taught.pacer.ratePerMinute = 40;
    taught.pacer.ratePinned = true;
    const WhatIf locked = whatIf(std::vector<Arrival>(100), untaught, taught, 1s);
    QCOMPARE(locked.after.admissionsPerSecond[0], 40.0);
}

QTEST_APPLESS_MAIN(WhatIfTest)

#include "tst_whatif.moc"
