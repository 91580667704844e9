// SPDX-License-Identifier: GPL-3.0-or-later
// Policy `auto`, spec/pacing.md section 7, against doors that a few lines describe.
#include "tests/core/pacing/stage.h"

#include <QTest>

#include <set>

using namespace headway::pacing;
using namespace headway::pacing::test;
using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;

class AutoPacerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHealthyAccountIsLeftAlone();
    void aFloodIsDialledInRounds();
    void oneRejectionIsNoThrottle();
    void thoseAtAClosedDoorNarrowTheDialsUnderWay();
    void onlyOneProbeMeetsAClosedDoor();
    void aRejectedAttemptKeepsItsPlace();
    void whoWillBeRefusedIsKnown();
    void probesGetRarerWhileTheDoorStaysClosed();
    void aStatedTimeIsNeverUndercut();
    void learnsAWindow();
    void keepsInsideALearnedWindow();
    void findsAHigherWindow();
    void learnsARate();
    void learnsACapAndSheds();
    void neverExceedsAPinnedRate();
    void beginsAgainFromARateSetWhileItRuns_data();
    void beginsAgainFromARateSetWhileItRuns();
    void refusesFinallyAtLatestWithATicket();
    void aTurnWithItsTicketGoesFirst();
    void aTicketDoesNotStopARateWithoutABurst();
    void anAdmissionSaysThatItUsedATicket();
    void anUnknownDialMayEndWithoutAnAnswer();
    void handingAnAdmissionBackLeavesNoTrace();
    void theEstimateSurvivesARestart();
    void theEstimateFadesWithAge();
    void forgetsAnOldEstimate();
};

namespace {

bool always(Nanoseconds, std::size_t)
{
    return true;
}

// At most `max` dials in any 60 s; what is rejected closes the door for 20 s.
Stage::Door window(std::size_t max)
{
    auto passed = std::make_shared<std::deque<Nanoseconds>>();
    auto closed = std::make_shared<Nanoseconds>(-1h);
    return [=](Nanoseconds now, std::size_t) {
        while (!passed->empty() && passed->front() + 60s <= now)
            passed->pop_front();
        if (now < *closed)
            return false;
        if (passed->size() >= max) {
            *closed = now + 20s;
            return false;
        }
        passed->push_back(now);
        return true;
    };
}

std::size_t mostInAMinute(const std::vector<Nanoseconds> &times)
{
    std::size_t most = 0;
    for (std::size_t i = 0, j = 0; j < times.size(); ++j) {
        while (times[i] + 60s <= times[j])
            ++i;
        most = std::max(most, j - i + 1);
    }
    return most;
}

} // namespace

void AutoPacerTest::aHealthyAccountIsLeftAlone()
{
    Stage stage(always);
    stage.arrive(0ms, 30);
    QCOMPARE(stage.opened.size(), std::size_t(30));
    QCOMPARE(stage.pacer->level(at(0ms)).state, DoorState::Open);
}

void AutoPacerTest::aFloodIsDialledInRounds()
{
    Stage stage(always);
    stage.arrive(0ms, 300);
    QCOMPARE(stage.opened.size(), std::size_t(32));
    stage.runTo(1'000ms);
    QCOMPARE(stage.opened.size(), std::size_t(300));
    QVERIFY(stage.opened.back() <= Nanoseconds(400ms));
}

void AutoPacerTest::oneRejectionIsNoThrottle()
{
    int dials = 0;
    Stage stage([&dials](Nanoseconds, std::size_t) { return ++dials != 5; });
    stage.arrive(0ms, 20);
    stage.runTo(100ms); // the fifth was rejected; none that began later is under way
    QCOMPARE(stage.opened.size(), std::size_t(20)); // 19, and the one that came back as the probe
    stage.arrive(150ms, 10);
    QCOMPARE(stage.opened.size(), std::size_t(20)); // held
    stage.runTo(250ms);
    QCOMPARE(stage.opened.size(), std::size_t(30));
    QCOMPARE(stage.rejections.size(), std::size_t(1));
    QCOMPARE(stage.pacer->estimate(at(stage.now)).shape, CeilingShape::Unknown);
}

// 32 under way; of the twenty that are rejected the first one closes the door, so that 32 - 19 may
// go at once when a probe has opened it.
void AutoPacerTest::thoseAtAClosedDoorNarrowTheDialsUnderWay()
{
    int dials = 0;
    Stage stage([&dials](Nanoseconds, std::size_t) { return ++dials > 20; });
    stage.arrive(0ms, 32);
    stage.runTo(150ms); // the probe is under way
    QCOMPARE(stage.rejections.size(), std::size_t(20));
    QCOMPARE(stage.opened.size(), std::size_t(13));
    stage.mostAtOnce = 0;
    stage.runTo(250ms);
    QCOMPARE(stage.mostAtOnce, std::size_t(13));
}

void AutoPacerTest::onlyOneProbeMeetsAClosedDoor()
{
    bool isOpen = true;
    Stage stage([&isOpen](Nanoseconds, std::size_t) { return isOpen; });
    stage.arrive(0ms, 10);
    stage.runTo(1'000ms);
    isOpen = false;
    stage.arrive(1'000ms);
    stage.runTo(1'100ms);
    stage.mostAtOnce = 0;
    stage.arrive(1'100ms, 50);
    stage.runTo(30'000ms);
    QCOMPARE(stage.mostAtOnce, std::size_t(1));
    QVERIFY(stage.refused.empty());
    isOpen = true;
    stage.runTo(45'000ms);
    QCOMPARE(stage.opened.size(), std::size_t(61));
}

void AutoPacerTest::aRejectedAttemptKeepsItsPlace()
{
    const auto pacer = makePacer({Policy::Auto, 60, 10, 0ms}, at(0ms));
    const auto ask = [&pacer](std::uint64_t id) {
        return pacer->request({.id = WaiterId(id), .budget = {}}, at(0ms));
    };
    for (std::uint64_t id = 1; id <= 2; ++id) {
        QVERIFY(std::holds_alternative<Admitted>(ask(id)));
        pacer->settle(WaiterId(id));
    }
    const auto second = pacer->rejected(WaiterId(2), {403, std::nullopt}, at(100ms));
    QVERIFY(second);
    QVERIFY(std::holds_alternative<Queued>(*second));
    QVERIFY(std::holds_alternative<Queued>(ask(3)));
    const auto first = pacer->rejected(WaiterId(1), {403, std::nullopt}, at(110ms));
    QVERIFY(std::holds_alternative<Queued>(*first));
    const auto places = pacer->queue();
    QCOMPARE(places.size(), std::size_t(3));
    QCOMPARE(places[0].id, WaiterId(1));
    QCOMPARE(places[1].id, WaiterId(2));
    QCOMPARE(places[2].id, WaiterId(3));
}

// With the rate pinned nothing is learned, so that what is foretold comes true: as many are
// refused.
void AutoPacerTest::whoWillBeRefusedIsKnown()
{
    Stage stage([](Nanoseconds, std::size_t) { return true; }, {Policy::Auto, 10, 10, 0ms, true});
    stage.arrive(0ms, 50);
    stage.runTo(1'000ms);
    const auto places = stage.pacer->queue();
    const auto foretold = std::ranges::count_if(places, &Pacer::Place::isRefusal);
    QVERIFY(foretold > 0 && foretold < static_cast<std::ptrdiff_t>(places.size()));
    for (const Pacer::Place &place : places)
        if (place.isRefusal)
            QCOMPARE(place.departsAt, at(116'000ms).steady);
    stage.runTo(130'000ms);
    QCOMPARE(static_cast<std::ptrdiff_t>(stage.refused.size()), foretold);
}

void AutoPacerTest::probesGetRarerWhileTheDoorStaysClosed()
{
    Stage stage([](Nanoseconds now, std::size_t) { return now < 10s || now >= 100s; });
    stage.arrive(0ms, 5);
    stage.arrive(9'990ms, 30);
    stage.arrive(10'000ms, 4);
    stage.runTo(99'000ms);
    QVERIFY(stage.rejections.size() < 40);
    QVERIFY(stage.rejections.size() > 10);
    stage.runTo(115'000ms);
    QCOMPARE(stage.opened.size(), std::size_t(39));
}

void AutoPacerTest::aStatedTimeIsNeverUndercut()
{
    Stage stage([](Nanoseconds now, std::size_t) { return now < 1s || now >= 26s; });
    stage.retryAfter = 25'000ms;
    stage.arrive(0ms, 3);
    stage.arrive(500ms);
    stage.arrive(1'000ms, 2);
    stage.runTo(26'000ms);
    QCOMPARE(stage.rejections.size(), std::size_t(2)); // both were under way
    QCOMPARE(stage.pacer->level(at(5s)).state, DoorState::CoolingDown);
    QVERIFY(sinceStart(*stage.pacer->level(at(5s)).until) >= Nanoseconds(26'100ms));
    stage.runTo(100s);
    QCOMPARE(stage.opened.size(), std::size_t(6));
    QVERIFY(stage.opened[4] >= Nanoseconds(26'100ms));
}

void AutoPacerTest::learnsAWindow()
{
    Stage stage(window(20));
    stage.arrive(0ms, 40);
    stage.runTo(62s);
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Window);
    QCOMPARE(estimate.perMinute, 20.0);
    QVERIFY(estimate.confidence > 0 && estimate.confidence < 1);
    QCOMPARE(stage.opened.size(), std::size_t(40));
}

void AutoPacerTest::keepsInsideALearnedWindow()
{
    Stage stage(window(20));
    stage.arrive(0ms, 40);
    stage.runTo(60'500ms);
    const std::size_t rejections = stage.rejections.size();
    for (int i = 0; i < 10; ++i)
        stage.arrive(61s + i * 30s, 10);
    stage.runTo(400s);
    QVERIFY(mostInAMinute(stage.opened) <= 20);
    // A few trials of one more, no more than that.
    QVERIFY(stage.rejections.size() - rejections <= 12);
}

void AutoPacerTest::findsAHigherWindow()
{
    const auto low = window(20);
    const auto high = window(60);
    Stage stage([=](Nanoseconds now, std::size_t sockets) {
        return now < 70s ? low(now, sockets) : high(now, sockets);
    });
    stage.arrive(0ms, 60);
    for (int i = 0; i < 60; ++i)
        stage.arrive(70s + i * 5s, 5);
    stage.runTo(400s);
    QVERIFY(stage.pacer->estimate(at(stage.now)).perMinute >= 55);
    QVERIFY(mostInAMinute(stage.opened) >= 55);
}

// 30 a minute, 5 at once.
void AutoPacerTest::learnsARate()
{
    auto tokens = std::make_shared<double>(5);
    auto last = std::make_shared<Nanoseconds>(0);
    Stage stage([=](Nanoseconds now, std::size_t) {
        *tokens = std::min(5.0, *tokens + double((now - *last).count()) / 2e9);
        *last = now;
        if (*tokens < 1)
            return false;
        *tokens -= 1;
        return true;
    });
    stage.arrive(0ms, 50);
    stage.runTo(95s);
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Rate);
    QVERIFY(estimate.spacing > Nanoseconds(1'800ms) && estimate.spacing < Nanoseconds(2'200ms));
    QVERIFY(stage.opened.size() >= 46); // of 5 + 95 / 2
}

void AutoPacerTest::learnsACapAndSheds()
{
    Stage stage([](Nanoseconds, std::size_t sockets) { return sockets < 15; });
    stage.arrive(0ms, 15);
    stage.arrive(10s, 10);
    stage.runTo(30s);
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Cap);
    QCOMPARE(estimate.socketCap, std::size_t(15));
    QCOMPARE(stage.opened.size(), std::size_t(25));
    QCOMPARE(stage.shed, std::size_t(10));
    const std::size_t rejections = stage.rejections.size();
    stage.arrive(40s, 5);
    stage.runTo(50s);
    QCOMPARE(stage.opened.size(), std::size_t(30));
    QVERIFY(stage.rejections.size() <= rejections + 1);
}

void AutoPacerTest::neverExceedsAPinnedRate()
{
    Stage stage(always, {Policy::Auto, 40, 10, 0ms, true});
    for (int i = 0; i < 100; ++i)
        stage.arrive(i * 1s, 2);
    stage.runTo(180s);
    QCOMPARE(mostInAMinute(stage.opened), std::size_t(40));
}

void AutoPacerTest::beginsAgainFromARateSetWhileItRuns_data()
{
    QTest::addColumn<double>("rate");
    QTest::addColumn<int>("openings"); // of the minute after it was set
    // "It starts at rate_per_min, grows fast while demand presses": by two with every opening once
    // half is used. 30 were opened in the minute before; of 6 that is half, so no room is left
    // until the first of the 30 is a minute old. Then each opening makes room for two more.
    QTest::newRow("lowered") << 6.0 << 0;
    QTest::newRow("the same") << 60.0 << 40;
    QTest::newRow("raised") << 100.0 << 40;
}

void AutoPacerTest::beginsAgainFromARateSetWhileItRuns()
{
    QFETCH(const double, rate);
    QFETCH(const int, openings);
    Stage stage(always);
    stage.arrive(0ms, 30);
    stage.runTo(1s);
    QCOMPARE(stage.opened.size(), std::size_t(30));
    stage.pacer->applySettings({Policy::Auto, rate, 10, 0ms}, at(1s));
    stage.arrive(1s, 40);
    stage.runTo(59s);
    QCOMPARE(stage.opened.size(), std::size_t(30 + openings));
    stage.runTo(180s);
    QCOMPARE(stage.opened.size(), std::size_t(70)); // nobody is lost
}

void AutoPacerTest::refusesFinallyAtLatestWithATicket()
{
    Stage stage([](Nanoseconds now, std::size_t) { return now < 1s; });
    stage.arrive(0ms, 3);
    stage.arrive(2s, 2);
    stage.runTo(117'999ms);
    QVERIFY(stage.refused.empty()); // 2 s + 120 s - 2 s - 2 s
    stage.runTo(118'500ms);
    QCOMPARE(stage.refused.size(), std::size_t(2));
    for (const Refused &refusal : stage.refused) {
        QVERIFY(refusal.final);
        QVERIFY(refusal.slot);
        QVERIFY(refusal.hint >= headway::base::Seconds(1));
        QVERIFY(refusal.hint <= headway::base::Seconds(60));
        QVERIFY(refusal.waited >= Nanoseconds(116s));
    }
}

void AutoPacerTest::aTurnWithItsTicketGoesFirst()
{
    const auto pacer = makePacer({Policy::Auto, 1, 10, 0ms, true}, at(0ms));
    AdmissionRequest request{.id = WaiterId(1), .budget = {}};
    QVERIFY(std::holds_alternative<Admitted>(pacer->request(request, at(0ms))));
    pacer->settle(WaiterId(1));
    pacer->opened(WaiterId(1), at(1ms));
    request = {.id = WaiterId(2), .budget = {}};
    request.ticketKey = 77;
    request.idleDeadline = at(6s).steady; // latest: 2 s
    QVERIFY(std::holds_alternative<Queued>(pacer->request(request, at(500ms))));
    const auto left = pacer->due(at(2s));
    QCOMPARE(left.size(), std::size_t(1));
    const auto &refusal = std::get<Refused>(left[0].outcome);
    // Somebody else joins; then the turn is back within its hold.
    QVERIFY(
        std::holds_alternative<Queued>(pacer->request({.id = WaiterId(3), .budget = {}}, at(3s))));
    request.id = WaiterId(4);
    request.idleDeadline = headway::base::SteadyTime::max();
    QVERIFY(std::holds_alternative<Admitted>(pacer->request(request, {*refusal.slot, {}})));
    QCOMPARE(pacer->queue().front().id, WaiterId(3)); // who came before it waits on
}

// One in ten seconds, none saved up. The slot is at 10 s and held until 10 + 0.3 * 8 + 2 s.
void AutoPacerTest::aTicketDoesNotStopARateWithoutABurst()
{
    const auto pacer = makePacer({Policy::Auto, 60, 10, 0ms}, at(0ms));
    CeilingEstimate estimate;
    estimate.shape = CeilingShape::Rate;
    estimate.spacing = 10s;
    estimate.confidence = 1;
    estimate.measuredAt = at(0ms).wall;
    pacer->recall(estimate, at(0ms));
    AdmissionRequest request{.id = WaiterId(1), .budget = {}};
    request.ticketKey = 77;
    request.idleDeadline = at(6s).steady; // latest: 2 s
    QVERIFY(std::holds_alternative<Queued>(pacer->request(request, at(0ms))));
    const auto left = pacer->due(at(2s));
    QCOMPARE(left.size(), std::size_t(1));
    QCOMPARE(std::get<Refused>(left[0].outcome).hint, headway::base::Seconds(8));
    QVERIFY(
        std::holds_alternative<Queued>(pacer->request({.id = WaiterId(2), .budget = {}}, at(3s))));
    const auto gone = pacer->due(at(10s));
    QCOMPARE(gone.size(), std::size_t(1));
    QVERIFY(std::holds_alternative<Admitted>(gone[0].outcome));
}

void AutoPacerTest::anAdmissionSaysThatItUsedATicket()
{
    const auto pacer = makePacer({Policy::Auto, 1, 10, 0ms, true}, at(0ms));
    AdmissionRequest request{.id = WaiterId(1), .budget = {}};
    QVERIFY(!std::get<Admitted>(pacer->request(request, at(0ms))).withTicket);
    pacer->settle(WaiterId(1));
    pacer->opened(WaiterId(1), at(1ms));
    request = {.id = WaiterId(2), .budget = {}};
    request.ticketKey = 77;
    request.idleDeadline = at(6s).steady; // latest: 2 s
    (void)pacer->request(request, at(500ms));
    const auto left = pacer->due(at(2s));
    const auto slot = std::get<Refused>(left.at(0).outcome).slot;
    QVERIFY(slot && sinceStart(*slot) >= Nanoseconds(60s)); // one opening a minute
    request.id = WaiterId(4);
    request.idleDeadline = headway::base::SteadyTime::max();
    const auto back = pacer->request(request, {*slot, {}});
    QVERIFY(std::get<Admitted>(back).withTicket);
    QVERIFY(pacer->takeLapsedTickets(at(600s)).empty());
}

void AutoPacerTest::anUnknownDialMayEndWithoutAnAnswer()
{
    const auto pacer = makePacer({Policy::Auto, 60, 10, 0ms}, at(0ms));
    for (std::uint64_t id = 1; id <= 32; ++id) {
        QVERIFY(std::holds_alternative<Admitted>(
            pacer->request({.id = WaiterId(id), .budget = {}}, at(0ms))));
        pacer->settle(WaiterId(id));
    }
    QVERIFY(std::holds_alternative<Queued>(
        pacer->request({.id = WaiterId(33), .budget = {}}, at(0ms))));
    pacer->dialFailed(WaiterId(1), at(10ms));
    QCOMPARE(pacer->due(at(10ms)).size(), std::size_t(1));
}

void AutoPacerTest::handingAnAdmissionBackLeavesNoTrace()
{
    const auto pacer = makePacer({Policy::Auto, 2, 10, 0ms, true}, at(0ms));
    for (std::uint64_t id = 1; id <= 2; ++id)
        QVERIFY(std::holds_alternative<Admitted>(
            pacer->request({.id = WaiterId(id), .budget = {}}, at(0ms))));
    QVERIFY(
        std::holds_alternative<Queued>(pacer->request({.id = WaiterId(3), .budget = {}}, at(1ms))));
    pacer->giveBack(WaiterId(2), at(2ms));
    pacer->giveBack(WaiterId(2), at(2ms));
    const auto left = pacer->due(at(2ms));
    QCOMPARE(left.size(), std::size_t(1));
    QCOMPARE(left[0].id, WaiterId(3));
}

void AutoPacerTest::theEstimateSurvivesARestart()
{
    Stage stage(window(20));
    CeilingEstimate known;
    known.shape = CeilingShape::Window;
    known.perMinute = 20;
    known.confidence = 0.8;
    known.measuredAt = at(0ms).wall - 1h;
    stage.pacer->recall(known, at(0ms));
    QCOMPARE(stage.pacer->estimate(at(0ms)).perMinute, 20.0);
    stage.arrive(0ms, 20);
    stage.arrive(1s, 10);
    stage.runTo(5s);
    QCOMPARE(stage.opened.size(), std::size_t(20));
    QVERIFY(stage.rejections.size() <= 2); // at most a trial, and its probe
}

void AutoPacerTest::theEstimateFadesWithAge()
{
    Stage stage(window(20));
    stage.arrive(0ms, 40);
    stage.runTo(62s);
    headway::base::Now later = at(62s);
    const double before = stage.pacer->estimate(later).confidence;
    later.wall += 6h;
    const double after = stage.pacer->estimate(later).confidence;
    QVERIFY(after > 0.45 * before && after < 0.55 * before);
}

void AutoPacerTest::forgetsAnOldEstimate()
{
    Stage stage(always);
    CeilingEstimate old;
    old.shape = CeilingShape::Window;
    old.perMinute = 5;
    old.confidence = 1;
    old.measuredAt = at(0ms).wall - 48h;
    stage.pacer->recall(old, at(0ms));
    stage.arrive(0ms, 30);
    QCOMPARE(stage.opened.size(), std::size_t(30));
}

QTEST_APPLESS_MAIN(AutoPacerTest)
#include "tst_autopacer.moc"
