// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

#include <map>
#include <set>

using namespace headway::heads;
using namespace std::chrono_literals;

// Agents side by side (cases/reports.md section 5), and the traps in the order of events.
class CrowdsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiveAgentsOfOneSessionKeepTheirOwnHeads();
    void twoAgentsInTurnsNeverShareAnId();
    void anIdIsOnlyGoodOnItsOwnLiveConnection();
    void aFreedHeadIsAdoptedByExactlyOneOfTwoWaiters();
    void adoptionLeavesWhatAnArrivalWouldHaveLeft();
    void whatASecondScanChanged_data();
    void whatASecondScanChanged();

private:
    static std::string keyOf(std::string_view agent);
};

std::string CrowdsTest::keyOf(std::string_view agent)
{
    PartitionInput input;
    input.endpoint = "wss://a";
    input.model = "m";
    input.session = "one session for all";
    input.agent = agent;
    return partitionKey(input)->value();
}

// B45: five agents, one session id, overlapping, ten turns each.
void CrowdsTest::fiveAgentsOfOneSessionKeepTheirOwnHeads()
{
    Timeline t;
    std::vector<std::string> agents;
    std::vector<std::string> histories(5, "S1 U1");
    std::map<std::string, HeadId> own;
    for (int i = 1; i <= 5; ++i)
        agents.push_back(keyOf("a" + std::to_string(i)));
    for (int turn = 1; turn <= 10; ++turn) {
        std::vector<HeadId> inFlight;
        for (std::size_t i = 0; i < agents.size(); ++i) {
            const ScanResult scan = t.scan(histories[i], agents[i]);
            COMPARE_WORD(scan.decision,
                         turn == 1 ? Decision::NewPartitionHead : Decision::Continuation);
            inFlight.push_back(t.begin(histories[i], agents[i]));
            QVERIFY(turn == 1 || own[agents[i]] == inFlight.back());
            own[agents[i]] = inFlight.back();
        }
        for (std::size_t i = 0; i < agents.size(); ++i) {
            const std::string reply = "A" + std::to_string(turn);
            t.pass(1s);
            t.end(inFlight[i], reply);
            histories[i] += ' ' + reply + " U" + std::to_string(turn + 1);
        }
    }
    QCOMPARE(t.pool.size(), std::size_t{5});
}

// B47.
void CrowdsTest::twoAgentsInTurnsNeverShareAnId()
{
    Timeline t;
    std::map<std::string, std::string> histories{{"a1", "U1"}, {"a2", "U1"}};
    std::map<std::string, std::set<std::string>> ids;
    for (int turn = 1; turn <= 10; ++turn) {
        for (auto &[agent, history] : histories) {
            const ScanResult scan = t.scan(history, agent);
            if (turn > 1)
                ids[agent].insert(scan.previousResponseId);
            (void)t.turn(history, "A1", agent);
            history += " A1 U1"; // both say the same all the time
        }
    }
    QCOMPARE(ids["a1"], (std::set<std::string>{"resp_1"}));
    QCOMPARE(ids["a2"], (std::set<std::string>{"resp_2"}));
}

// B40.
void CrowdsTest::anIdIsOnlyGoodOnItsOwnLiveConnection()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    const ScanResult before = t.scan("U1 A1 U2");
    QCOMPARE(before.previousResponseId, std::string("resp_1"));
    (void)t.pool.removeConnection(before.connection, EvictionReason::PeerClosed);
    const ScanResult after = t.scan("U1 A1 U2");
    COMPARE_WORD(after.decision, Decision::NewPartitionHead);
    QCOMPARE(after.previousResponseId, std::string{});
    QCOMPARE(after.deltaFrom, std::size_t{0});
}

void CrowdsTest::aFreedHeadIsAdoptedByExactlyOneOfTwoWaiters()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    t.end(parent, "A1");
    const auto input = Timeline::items("U1 A1 U2");
    int adopted = 0;
    for (int waiter = 0; waiter < 2; ++waiter) { // both are released in the same instant
        const ScanResult again = t.pool.scan(t.request(input), t.now);
        if (again.decision != Decision::Continuation)
            continue;
        ++adopted;
        (void)t.pool.claim(again.head, t.request(input), t.now);
    }
    QCOMPARE(adopted, 1);
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::ParallelIsolated);
}

void CrowdsTest::adoptionLeavesWhatAnArrivalWouldHaveLeft()
{
    const auto stateAfter = [](headway::base::Nanoseconds wait) {
        Timeline t(PoolSettings{.establishedCap = 1});
        (void)t.turn("U1", "A1", "other");
        (void)t.turn("U1 A1 U2", "A2", "other"); // established
        (void)t.turn("U1", "A1");
        (void)t.scan("U1 A1 U2"); // on arrival
        t.pass(wait);
        (void)t.scan("U1 A1 U2"); // after a wait
        (void)t.begin("U1 A1 U2");
        QStringList lines = Timeline::told(t.evictions);
        for (const HeadView &view : t.pool.views(t.now))
            lines << QString::number(view.head.value()) + u' '
                    + QString::fromStdString(std::string(name(view.generation))) + u' '
                    + QString::number(view.turns) + u' ' + QString::number(view.items);
        return lines;
    };
    const QStringList expected{QStringLiteral("established_lru_cap 1"),
                               QStringLiteral("2 established 2 3")};
    QCOMPARE(stateAfter(0s), expected);
    QCOMPARE(stateAfter(3s), expected);
}

void CrowdsTest::whatASecondScanChanged_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<QByteArray>("outcome");
    using enum Decision;
    const auto row = [](Decision before, Decision after, const char *outcome) {
        const std::string title = std::string(name(before)) + " then " + std::string(name(after));
        QTest::newRow(title.c_str())
            << static_cast<int>(before) << static_cast<int>(after) << QByteArray(outcome);
    };
    for (const Decision before : {ParallelIsolated, HistoryMismatchNewHead, NewPartitionHead}) {
        row(before, Continuation, "continuation");
        row(before, Fork, "continuation");
    }
    row(HistoryMismatchNewHead, ParallelIsolated, "parallel_isolated");
    row(NewPartitionHead, ParallelIsolated, "parallel_isolated");
    row(ParallelIsolated, HistoryMismatchNewHead, "reinstated");
    row(ParallelIsolated, NewPartitionHead, "reinstated");
    row(ParallelIsolated, ParallelIsolated, "no_change");
    row(NewPartitionHead, HistoryMismatchNewHead, "no_change");
    row(HistoryMismatchNewHead, HistoryMismatchNewHead, "no_change");
    row(Unpartitioned, Unpartitioned, "no_change");
}

void CrowdsTest::whatASecondScanChanged()
{
    QFETCH(const int, before);
    QFETCH(const int, after);
    QFETCH(const QByteArray, outcome);
    const auto told
        = name(rescanOutcome(static_cast<Decision>(before), static_cast<Decision>(after)));
    QCOMPARE(QByteArray::fromStdString(std::string(told)), outcome);
}

QTEST_APPLESS_MAIN(CrowdsTest)
#include "tst_crowds.moc"
