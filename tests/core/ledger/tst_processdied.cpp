// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/processdied.h"

#include <QTest>

using namespace headway;
using ledger::Record;

class ProcessDiedTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsEveryOpenLifeOnce();
    void tellsWhatIsKnownOfATurn();
    void makesDoWithoutTheStartOfATurn();
    void neverClaimsANegativeDuration();
};

namespace {

constexpr base::WallTime at(int milliseconds)
{
    return base::WallTime(base::Milliseconds(milliseconds));
}

Record started(std::uint64_t turn, int when)
{
    return {.at = at(when),
            .turn = base::TurnId(turn),
            .session = "session",
            .agent = "agent",
            .body = ledger::TurnStarted{"messages", "asked", "used", "high", 77}};
}

} // namespace

void ProcessDiedTest::endsEveryOpenLifeOnce()
{
    ledger::Conservation conservation;
    for (std::uint64_t turn = 1; turn <= 3; ++turn) {
        conservation.add(started(turn, 0));
        ledger::Admission admission;
        admission.outcome = turn == 1 ? "admitted" : "queued";
        admission.request = turn;
        conservation.add({.at = at(1),
                          .turn = base::TurnId(turn),
                          .session = {},
                          .agent = {},
                          .body = admission});
    }
    const auto closings = ledger::closeAsProcessDied(conservation.open(), {}, at(5), at(9));
    QCOMPARE(closings.size(), std::size_t{6});
    for (const Record &closing : closings) {
        QCOMPARE(closing.at, at(9));
        conservation.add(closing);
    }
    conservation.add({.at = at(9),
                      .turn = {},
                      .session = {},
                      .agent = {},
                      .body = ledger::Process{"started", "", 1}});
    QVERIFY(conservation.isConserved());
    QCOMPARE(conservation.totals().turnsEnded, (std::array<std::uint64_t, 5>{0, 0, 0, 0, 3}));
    QCOMPARE(conservation.totals().requestsEnded,
             (std::array<std::uint64_t, 7>{0, 0, 0, 0, 0, 0, 3}));
}

void ProcessDiedTest::tellsWhatIsKnownOfATurn()
{
    const std::vector<Record> begun{started(1, 1'000)};
    const auto closings = ledger::closeAsProcessDied(
        {.turns = {base::TurnId(1)}, .requests = {{5, base::TurnId(1), true}}}, begun, at(3'500),
        at(60'000));
    QCOMPARE(closings.size(), std::size_t{2});
    for (const Record &closing : closings) {
        QCOMPARE(closing.turn, base::TurnId(1));
        QCOMPARE(closing.session, std::string("session"));
        QCOMPARE(closing.agent, std::string("agent"));
    }
    QCOMPARE(std::get<ledger::Admission>(closings[0].body).outcome, std::string("process_died"));
    QCOMPARE(std::get<ledger::Admission>(closings[0].body).request, std::uint64_t{5});
    const auto &turn = std::get<ledger::TurnEnded>(closings[1].body);
    QCOMPARE(turn.end, std::string("process_died"));
    QCOMPARE(turn.dialect, std::string("messages"));
    QCOMPARE(turn.modelAsked, std::string("asked"));
    QCOMPARE(turn.model, std::string("used"));
    QCOMPARE(turn.effort, std::string("high"));
    QCOMPARE(turn.bytesIn, std::uint64_t{77});
    QCOMPARE(turn.totalMs, 2'500.0); // as far as the dead process was heard of
    QVERIFY(!turn.reason.empty());
}

void ProcessDiedTest::makesDoWithoutTheStartOfATurn()
{
    const auto closings = ledger::closeAsProcessDied({.turns = {base::TurnId(4)}, .requests = {}},
                                                     {}, at(1), at(2));
    QCOMPARE(closings.size(), std::size_t{1});
    QCOMPARE(closings[0].turn, base::TurnId(4));
    QCOMPARE(std::get<ledger::TurnEnded>(closings[0].body).totalMs, 0.0);
}

void ProcessDiedTest::neverClaimsANegativeDuration()
{
    const std::vector<Record> begun{started(1, 1'000)}; // the clock was set back since
    const auto closings = ledger::closeAsProcessDied({.turns = {base::TurnId(1)}, .requests = {}},
                                                     begun, at(400), at(2));
    QCOMPARE(std::get<ledger::TurnEnded>(closings[0].body).totalMs, 0.0);
}

QTEST_APPLESS_MAIN(ProcessDiedTest)
#include "tst_processdied.moc"
