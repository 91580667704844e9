// SPDX-License-Identifier: GPL-3.0-or-later
// Many agents on few connections (issue C, "What it must show"; spec/heads.md section 6), with what
// the provider saw as the oracle.
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QSet>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;
using tests::ScriptedProvider;

class LaneCrowdsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiftyAgentsNeedFourConnectionsAndNoPacing();
    void fiveAgentsOfOneSessionContinueTheirOwnHeads_data();
    void fiveAgentsOfOneSessionContinueTheirOwnHeads();
    void sixteenAreInFlightOnAConnectionAndNoMore();
    void oneOpeningServesTheWholeQueue();
    void thirtyTwoNamesAConnectionAndNoMore();
    void aResetOfASharedSocketCostsNobodyATurn();
    void aRejectedDialIsRejectedOnceForAllThatRodeOnIt();
    void theOneWhoDialsMayLeaveTheOthers();
};

namespace {

simulator::Scenario scenario(base::Milliseconds firstToken, base::Milliseconds turn)
{
    simulator::Scenario scenario;
    scenario.connect = {30ms, 60ms};
    scenario.firstToken = {firstToken, firstToken};
    scenario.turn = {turn, turn};
    scenario.lanes = true;
    return scenario;
}

void setLanes(ProxyFixture &proxy, const char *mode)
{
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Lanes, mode).accepted);
}

QByteArray agentName(int i)
{
    return "agent-" + QByteArray::number(i);
}

QByteArray replyText(const HttpCall &call)
{
    QByteArray text;
    const QByteArray start = "\"text_delta\",\"text\":\"";
    for (const QByteArray &line : call.body().split('\n')) {
        const qsizetype at = line.indexOf(start);
        if (at < 0)
            continue;
        const QByteArray rest = line.mid(at + start.size());
        text += rest.left(rest.indexOf('"'));
    }
    return text;
}

bool endedWell(const HttpCall &call)
{
    return call.isComplete() && call.status() == 200 && call.events().last() == "message_stop";
}

struct Crowd
{
    Crowd(ProxyFixture &proxy, int count)
    {
        for (int i = 0; i < count; ++i)
            calls.push_back(
                proxy.post("/v1/messages", messagesBody({"hello"}), "session", agentName(i)));
    }
    [[nodiscard]] bool isDone() const
    {
        return std::ranges::all_of(calls, [](const auto &call) { return endedWell(*call); });
    }

    std::vector<std::unique_ptr<HttpCall>> calls;
};

// An agent that says the next thing as soon as it is answered.
struct Agent
{
    void step(ProxyFixture &proxy, int turns)
    {
        if (call && !endedWell(*call))
            return;
        if (call) {
            ++done;
            history << replyText(*call);
            call.reset();
        }
        if (done == turns)
            return;
        history << name + " says " + QByteArray::number(done);
        call = proxy.post("/v1/messages", messagesBody(history), "one-session", name);
    }

    QByteArray name;
    QList<QByteArray> history = {};
    std::unique_ptr<HttpCall> call = {};
    int done = 0;
};

} // namespace

void LaneCrowdsTest::fiftyAgentsNeedFourConnectionsAndNoPacing()
{
    ProxyFixture proxy(scenario(300ms, 2s));
    setLanes(proxy, "auto");
    proxy.start();
    proxy.engine().setWatched(true);
    std::vector<ledger::Record> records;
    QObject::connect(&proxy.engine(), &engine::Engine::snapshotReady, &proxy.engine(),
                     [&records](const live::SnapshotPointer &snapshot) {
                         records.insert(records.end(), snapshot->records.begin(),
                                        snapshot->records.end());
                     });
    const Crowd crowd(proxy, 50);
    QTRY_VERIFY_WITH_TIMEOUT(crowd.isDone(), 20'000);
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.turns, std::uint64_t{50});
    QVERIFY2(seen.upgradesAccepted <= 4, std::to_string(seen.upgradesAccepted).c_str());
    QVERIFY(seen.errors.empty());
    QCOMPARE(seen.largestOverlap, std::uint64_t{1});
    QTRY_VERIFY(std::ranges::count_if(records,
                                      [](const ledger::Record &record) {
                                          return std::holds_alternative<ledger::TurnEnded>(
                                              record.body);
                                      })
                == 50);
    for (const ledger::Record &record : records) {
        if (const auto *admission = std::get_if<ledger::Admission>(&record.body)) {
            QCOMPARE(admission->outcome, std::string("admitted"));
            QCOMPARE(admission->waitedMs, 0.0);
        }
    }
}

void LaneCrowdsTest::fiveAgentsOfOneSessionContinueTheirOwnHeads_data()
{
    QTest::addColumn<QByteArray>("lanes");
    QTest::newRow("auto") << QByteArray("auto");
    QTest::newRow("on") << QByteArray("on");
    QTest::newRow("off") << QByteArray("off");
}

void LaneCrowdsTest::fiveAgentsOfOneSessionContinueTheirOwnHeads()
{
    QFETCH(const QByteArray, lanes);
    ProxyFixture proxy(scenario(10ms, 40ms));
    setLanes(proxy, lanes.constData());
    proxy.start();
    std::vector<Agent> agents;
    for (int i = 0; i < 5; ++i)
        agents.push_back({.name = agentName(i)});
    const auto allDone = [&] {
        for (Agent &agent : agents)
            agent.step(proxy, 10);
        return std::ranges::all_of(agents, [](const Agent &agent) { return agent.done == 10; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(allDone(), 30'000);
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.turns, std::uint64_t{50});
    QCOMPARE(seen.creates, std::uint64_t{50});
    QCOMPARE(seen.continuations, std::uint64_t{45});
    QVERIFY(seen.errors.empty());
    QCOMPARE(seen.largestOverlap, std::uint64_t{1});
    QCOMPARE(seen.upgradesAccepted, std::uint64_t(lanes == "off" ? 5 : 1));
}

void LaneCrowdsTest::sixteenAreInFlightOnAConnectionAndNoMore()
{
    ScriptedProvider peer;
    peer.onCreate = [&peer](const ScriptedProvider::Create &create) { peer.created(create); };
    ProxyFixture proxy(peer.url());
    setLanes(proxy, "auto");
    proxy.start();
    const Crowd crowd(proxy, 20);
    QTRY_COMPARE(peer.creates().size(), 20);
    QCOMPARE(peer.opened(), 2);
    QList<qsizetype> sockets;
    for (const ScriptedProvider::Create &create : peer.creates())
        sockets.append(create.socket);
    QCOMPARE(sockets.count(0), 16);
    QCOMPARE(sockets.count(1), 4);
}

// Protocol notes 1.10: N waiters need N / 16 openings, and none waits for a second one.
void LaneCrowdsTest::oneOpeningServesTheWholeQueue()
{
    ScriptedProvider peer;
    peer.onCreate = [&peer](const ScriptedProvider::Create &create) { peer.created(create); };
    ProxyFixture proxy(peer.url());
    setLanes(proxy, "auto");
    for (const auto &[key, value] :
         {std::pair(settings::Key::RatePerMin, "30"), std::pair(settings::Key::Burst, "1")})
        QVERIFY(proxy.settings.set(settings::Source::File, key, value).accepted);
    proxy.start();
    const Crowd crowd(proxy, 18); // the last two wait for an opening, two and four seconds
    QTRY_COMPARE(peer.creates().size(), 16);
    QTRY_COMPARE(peer.opened(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(peer.creates().size(), 18, 1000);
    QCOMPARE(peer.opened(), 2);
}

void LaneCrowdsTest::thirtyTwoNamesAConnectionAndNoMore()
{
    ScriptedProvider peer;
    peer.onCreate = [&peer](const ScriptedProvider::Create &create) {
        peer.answer(create, QStringLiteral("reply"));
    };
    ProxyFixture proxy(peer.url());
    setLanes(proxy, "auto");
    proxy.start();
    QSet<QString> names;
    for (int i = 0; i < 33; ++i) {
        const auto call
            = proxy.post("/v1/messages", messagesBody({"hello"}), "session", agentName(i));
        QTRY_VERIFY(endedWell(*call));
        if (i == 31)
            QCOMPARE(peer.opened(), 1);
    }
    for (const ScriptedProvider::Create &create : peer.creates()) {
        if (create.socket == 0)
            names.insert(create.lane());
    }
    QCOMPARE(names.size(), 32);
    QCOMPARE(peer.opened(), 2);
    QCOMPARE(peer.creates().last().socket, 1);
}

void LaneCrowdsTest::aResetOfASharedSocketCostsNobodyATurn()
{
    simulator::Scenario world = scenario(1500ms, 1600ms);
    simulator::Fault reset;
    reset.kind = simulator::Fault::Kind::Reset;
    reset.at = 1200ms; // hits every open socket, before any output
    world.faults = {reset};
    ProxyFixture proxy(world);
    setLanes(proxy, "auto");
    proxy.start();
    const Crowd crowd(proxy, 10);
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{10});
    QTRY_VERIFY_WITH_TIMEOUT(crowd.isDone(), 10'000);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
    QCOMPARE(proxy.provider().statistics().turns, std::uint64_t{10});
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{20});
}

void LaneCrowdsTest::aRejectedDialIsRejectedOnceForAllThatRodeOnIt()
{
    simulator::Scenario world = scenario(10ms, 20ms);
    world.connect = {300ms, 300ms};
    simulator::Fault reject;
    reject.kind = simulator::Fault::Kind::RejectUpgrades;
    reject.status = 429;
    reject.retryAfter = 1s;
    reject.count = 1;
    world.faults = {reject};
    ProxyFixture proxy(world);
    setLanes(proxy, "on"); // so that they ride on a connection that is not open yet
    proxy.start();
    const Crowd crowd(proxy, 5);
    const auto backingOff = [&proxy] {
        return std::ranges::count(proxy.engine().snapshot()->turns, live::Phase::Backoff,
                                  &live::TurnRow::phase);
    };
    QTRY_VERIFY(backingOff() > 0);
    QCOMPARE(backingOff(), 1); // whoever rode goes by another one at once
    QTRY_VERIFY_WITH_TIMEOUT(crowd.isDone(), 15'000);
    QCOMPARE(proxy.provider().statistics().upgradesRejected, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
}

void LaneCrowdsTest::theOneWhoDialsMayLeaveTheOthers()
{
    simulator::Scenario world = scenario(10ms, 20ms);
    world.connect = {400ms, 400ms};
    ProxyFixture proxy(world);
    setLanes(proxy, "on");
    proxy.start();
    const auto dials = proxy.post("/v1/messages", messagesBody({"hello"}), "s", "first");
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    const auto rides = proxy.post("/v1/messages", messagesBody({"hello"}), "s", "second");
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{2});
    dials->abort();
    QTRY_VERIFY(endedWell(*rides));
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{1});
    QCOMPARE(proxy.provider().statistics().creates, std::uint64_t{1});
}

QTEST_GUILESS_MAIN(LaneCrowdsTest)
#include "tst_lanecrowds.moc"
