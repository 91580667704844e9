// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

namespace {

constexpr Nanoseconds minute = std::chrono::minutes(1);

// Openings of `offered` arrivals per minute, evenly, for four minutes; each waiter leaves when
// the pacer says so, a refused one is not seen again.
std::vector<Nanoseconds> openings(int offered)
{
    Timeline line;
    std::vector<Nanoseconds> opened;
    for (int i = 0; i < 4 * offered; ++i) {
        const Nanoseconds when = minute * i / offered;
        for (auto next = line.pacer->nextDue(); next && sinceStart(*next) <= when;
             next = line.pacer->nextDue())
        {
            const Nanoseconds left = sinceStart(*next);
            line.leave(left);
            opened.insert(opened.end(), line.departures.size(), left);
        }
        if (line.arrive(when) == "go")
            opened.push_back(when);
    }
    return opened;
}

} // namespace

class BucketLoadTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void yieldsTheRateWhateverIsOffered_data();
    void yieldsTheRateWhateverIsOffered();
    void passesWhatIsBelowTheRate();
    void admitsOneRefillAfterFiftyRefusals();
    void leavesThreeAttemptsToWhoeverIsRefusedInCaseB06();
    void losesNobodyAtOnePerMinuteInCaseB07();
    void keepsTenThousandInOrderWhileTheyComeAndGo();
};

void BucketLoadTest::yieldsTheRateWhateverIsOffered_data()
{
    QTest::addColumn<int>("offered");
    for (const int offered : {70, 82, 120, 240})
        QTest::addRow("%d per minute", offered) << offered;
}

// Section 3, and case B04 for 82 per minute.
void BucketLoadTest::yieldsTheRateWhateverIsOffered()
{
    QFETCH(const int, offered);
    const auto opened = openings(offered);
    const auto inLastMinute = std::ranges::count_if(
        opened, [](Nanoseconds when) { return when >= 3 * minute && when < 4 * minute; });
    QVERIFY2(inLastMinute >= 59 && inLastMinute <= 61, qPrintable(QString::number(inLastMinute)));
}

void BucketLoadTest::passesWhatIsBelowTheRate()
{
    QCOMPARE(openings(50).size(), std::size_t(200));
}

// Case B05: with burst 1 and a bound of 666 ms, a refill takes 2 s at 30/min.
void BucketLoadTest::admitsOneRefillAfterFiftyRefusals()
{
    Timeline line(bucket(30, 1), idleOf(10'000ms));
    QCOMPARE(line.arrive(0ms), std::string("go"));
    for (int i = 0; i < 50; ++i)
        QCOMPARE(line.arrive(20ms * i), std::string("refuse"));
    QCOMPARE(line.arrive(2'000ms), std::string("go"));
}

// Case B06: rate 30, burst 1, deadline 10 s (2 retries): three at once, each coming back after its
// hint; whoever is refused has had all 3 attempts before the deadline.
void BucketLoadTest::leavesThreeAttemptsToWhoeverIsRefusedInCaseB06()
{
    Timeline line(bucket(30, 1), idleOf(10'000ms));
    std::multimap<Nanoseconds, int> agenda{{0ms, 0}, {0ms, 1}, {0ms, 2}}; // when, client
    int attempts[3] = {0, 0, 0};
    int admitted = 0;
    while (!agenda.empty()) {
        const auto [when, client] = *agenda.begin();
        agenda.erase(agenda.begin());
        QVERIFY(when < Nanoseconds(10'000ms));
        ++attempts[client];
        if (line.arrive(when) != "refuse") {
            ++admitted;
            QVERIFY(line.last.index() == 0 || line.promisedAt() < Nanoseconds(10'000ms));
            line.leave(when + line.budget.bound);
        } else if (attempts[client] < 3) {
            agenda.emplace(when + std::get<Refused>(line.last).hint, client);
        } else {
            QCOMPARE(attempts[client], 3);
        }
    }
    QVERIFY(admitted >= 2); // at 0 s and, at the latest, with the token of 2 s
}

// Case B07: rate 1, 20 at once, 5 retries.
void BucketLoadTest::losesNobodyAtOnePerMinuteInCaseB07()
{
    Timeline line(bucket(1));
    const std::string outcomes = line.arrive(0ms, 20);
    QCOMPARE(std::ranges::count(outcomes, 'g'), std::ptrdiff_t(19));
    QCOMPARE(std::ranges::count(outcomes, 'q'), std::ptrdiff_t(1));
    QCOMPARE(std::ranges::count(outcomes, 'r'), std::ptrdiff_t(0));
}

// A budget no turn has today (a bound of hours) builds a queue of ten thousand. One arrives and one
// in the middle leaves, twenty thousand times: nobody is lost, and the newest is always the last.
void BucketLoadTest::keepsTenThousandInOrderWhileTheyComeAndGo()
{
    RequestBudget patient;
    patient.bound = std::chrono::hours(10);
    Timeline line(bucket(600, 1), patient);
    line.arrive(0ms);
    for (int i = 0; i < 10'000; ++i)
        line.pacer->request({WaiterId(++line.ids), patient}, at(0ms));
    for (int i = 0; i < 20'000; ++i) {
        const auto decision = line.pacer->request({WaiterId(++line.ids), patient}, at(0ms));
        const auto *queued = std::get_if<Queued>(&decision);
        QVERIFY(queued);
        QCOMPARE(queued->place, std::size_t(10'001));
        line.pacer->cancel(WaiterId(line.ids - 5'000), at(0ms));
        QCOMPARE(line.pacer->level(at(0ms)).waiting, std::size_t(10'000));
    }
    QVERIFY(line.pacer->nextDue() == at(100ms).steady); // 600 a minute: 100 ms apart
}

QTEST_APPLESS_MAIN(BucketLoadTest)
#include "tst_bucketload.moc"
