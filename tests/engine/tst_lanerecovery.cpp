// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 8 on a connection that carries several turns: each of them recovers by its
// own row, with the frames on the wire as the oracle.
#include "tests/store/sqliterows.h"
#include "tests/support/conversation.h"
#include "tests/support/lanestage.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using settings::Key;
using simulator::Fault;
using tests::Conversation;
using tests::endedWell;
using tests::HttpCall;
using tests::list;
using tests::messagesBody;
using tests::ProxyFixture;
using Stage = tests::LaneStage;

class LaneRecoveryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClosedConnectionCostsEachTurnWhatItsOwnRowSays();
    void aSecondClosePutsThemOnTheLadder();
    void aConnectionThatAnswersNoPingCostsEachTurnWhatItsOwnRowSays();
    void aRejectedCredentialLeavesTheOthersInPeace();
    void aRefusedNameTakesAnotherConnection();
    void aRefusedNameTakesALaneThatTheConnectionKnows();
    void aForkWhoseNameIsRefusedKeepsItsParent();
    void aNameThatIsRefusedTwiceTakesTheLadder();
    void afterOutputARefusedNameIsAnError();
    void aLaneThatNeverDrainsLosesItsPlaceAfterFiveMinutesOfSilence();
    void aDrainedLaneLetsTheNextOfTheQueueIn();
    void whatThePeerSaysIsRecordedBesideTheReason();
};

namespace {

constexpr const char *noMoreNames = "websocket_stream_limit_reached";

// An honest error behind what was read already.
bool brokeOff(const HttpCall &call)
{
    return call.isClosed() && call.status() == 200 && call.events().last() == "error";
}

Fault silence(bool pongs)
{
    Fault fault;
    fault.kind = Fault::Kind::Silence;
    fault.pongs = pongs;
    fault.count = 1;
    return fault;
}

simulator::Scenario lasting(base::Milliseconds turn)
{
    simulator::Scenario scenario;
    scenario.connect = scenario.firstToken = {0ms, 0ms};
    scenario.turn = {turn, turn};
    scenario.lanes = true;
    return scenario;
}

} // namespace

void LaneRecoveryTest::aClosedConnectionCostsEachTurnWhatItsOwnRowSays()
{
    Stage stage;
    stage.learn();
    const auto streams = stage.say({"one"}, "a");
    const auto delta = stage.say({"probe", "yes", "two"}, "prober");
    const auto fresh = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 4);
    for (qsizetype i = 1; i < 4; ++i)
        QCOMPARE(stage.create(i).socket, 0);
    QCOMPARE(stage.create(2).parent(), stage.create(0).id());
    stage.peer.created(stage.create(1));
    stage.peer.inProgress(stage.create(1));
    stage.peer.text(stage.create(1), QStringLiteral("the beginning"));
    stage.peer.created(stage.create(3)); // accepted, and nothing more
    QTRY_VERIFY(streams->body().contains("the beginning"));
    stage.peer.close(0);
    QTRY_VERIFY(brokeOff(*streams));
    QTRY_COMPARE(stage.creates(), 6);
    QCOMPARE(stage.peer.opened(), 2);
    QStringList again;
    for (qsizetype i : {4, 5}) {
        QCOMPARE(stage.create(i).socket, 1);
        QCOMPARE(stage.create(i).parent(), QString());
        again.append(stage.create(i).texts().last());
        stage.peer.answer(stage.create(i), QStringLiteral("reply"));
    }
    again.sort();
    QCOMPARE(again, list({"three", "two"})); // not what had output
    QTRY_VERIFY(endedWell(*delta) && endedWell(*fresh));
    const bool wasDelta = stage.create(4).texts().size() > 1;
    QCOMPARE(stage.create(wasDelta ? 4 : 5).texts(), list({"probe", "yes", "two"}));
    QCOMPARE(stage.creates(), 6);
    QCOMPARE(stage.inFlight(), std::size_t{0});
}

void LaneRecoveryTest::aSecondClosePutsThemOnTheLadder()
{
    Stage stage;
    stage.proxy.set(Key::Retries, "1");
    stage.learn();
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.close(0);
    QTRY_COMPARE(stage.creates(), 5);
    stage.peer.close(1);
    const auto backsOff = [&] {
        const auto turns = stage.proxy.engine().snapshot()->turns;
        return turns.size() == 2 && std::ranges::all_of(turns, [](const live::TurnRow &turn) {
                   return turn.phase == live::Phase::Backoff;
               });
    };
    QTRY_VERIFY(backsOff());
    QCOMPARE(stage.peer.opened(), 2);
    stage.proxy.passTime(2s); // the one retry there is
    QTRY_COMPARE(stage.creates(), 7);
    stage.peer.close(stage.create(5).socket);
    if (stage.create(6).socket != stage.create(5).socket)
        stage.peer.close(stage.create(6).socket);
    QTRY_VERIFY(a->isComplete() && b->isComplete());
    QVERIFY(a->status() >= 500 && b->status() >= 500);
    QCOMPARE(stage.creates(), 7);
}

void LaneRecoveryTest::aConnectionThatAnswersNoPingCostsEachTurnWhatItsOwnRowSays()
{
    ProxyFixture proxy(lasting(20s));
    proxy.set(Key::Lanes, "on");
    proxy.start();
    const auto streams = proxy.post("/v1/messages", messagesBody({"one"}), "s", "a");
    QTRY_VERIFY_WITH_TIMEOUT(streams->events().contains("content_block_delta"), 20'000);
    proxy.provider().add(silence(true));
    const auto waits = proxy.post("/v1/messages", messagesBody({"two"}), "s", "b");
    QTRY_COMPARE(proxy.wire().sent().size(), 2);
    QCOMPARE(proxy.wire().opened().size(), 1);
    proxy.provider().strike(silence(false));
    proxy.passTime(15s);
    proxy.passTime(10s);
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{2});
    proxy.passTime(10s); // 35 s
    QTRY_VERIFY(brokeOff(*streams));
    QTRY_COMPARE(proxy.wire().sent().size(), 3);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
    QCOMPARE(proxy.wire().last().input(), QStringList{QStringLiteral("user: two")});
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(waits->events().contains("content_block_delta"), 20'000);
    waits->abort();
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
    proxy.stop();
    QCOMPARE(testsupport::number(
                 proxy.ledgerPath(),
                 QStringLiteral("SELECT count(*) FROM connection WHERE reason = 'probe_failed'")),
             1);
}

void LaneRecoveryTest::aRejectedCredentialLeavesTheOthersInPeace()
{
    ProxyFixture proxy(lasting(1500ms));
    proxy.set(Key::Lanes, "auto");
    proxy.start();
    Conversation idle(proxy, "s", "idle");
    QVERIFY(idle.say(QStringLiteral("hello")));
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 16; ++i)
        calls.push_back(proxy.post("/v1/messages", messagesBody({"busy"}), "s",
                                   "agent-" + QByteArray::number(i)));
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{16});
    QCOMPARE(proxy.wire().opened().size(), 1);
    Fault expired;
    expired.kind = Fault::Kind::RejectUpgrades;
    expired.status = 401;
    expired.count = 1;
    proxy.provider().add(expired);
    calls.push_back(proxy.post("/v1/messages", messagesBody({"one too many"}), "s", "z"));
    for (const auto &call : calls)
        QTRY_VERIFY_WITH_TIMEOUT(endedWell(*call), 10'000); // the sixteen in peace
    QCOMPARE(proxy.wire().rejections(), QList<int>{401});
    QCOMPARE(proxy.wire().sent().size(), 18);
    QTRY_COMPARE(proxy.wire().gone(), QList{proxy.wire().opened().at(0)}); // nobody is left on it
    QVERIFY(idle.say(QStringLiteral("more")));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input().size(), 3);
    proxy.stop();
    // The idle head at once, the others after their turns: seventeen of one connection.
    QCOMPARE(testsupport::number(proxy.ledgerPath(),
                                 QStringLiteral("SELECT count(*) FROM connection WHERE reason = "
                                                "'credential_rejected'")),
             17);
}

void LaneRecoveryTest::aRefusedNameTakesAnotherConnection()
{
    Stage stage;
    stage.learn();
    const auto refused = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    stage.refuse(stage.create(1), noMoreNames, "stream_id");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.create(2).socket, 1);
    QCOMPARE(stage.create(2).texts(), list({"one"}));
    stage.peer.answer(stage.create(2), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*refused));
    // Nobody else is sent there with a new name, and what lives there goes on there.
    const auto next = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).socket, 1);
    const auto more = stage.say({"probe", "yes", "more"}, "prober");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).socket, 0);
    QCOMPARE(stage.create(4).parent(), stage.create(0).id());
}

void LaneRecoveryTest::aRefusedNameTakesALaneThatTheConnectionKnows()
{
    Stage stage;
    stage.learn();
    auto frees = stage.say({"one"}, "a");
    const auto refused = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    frees.reset(); // its client leaves
    QTRY_COMPARE(stage.inFlight(), std::size_t{1});
    stage.peer.answer(stage.create(1), QStringLiteral("unread")); // its lane is free again
    stage.refuse(stage.create(2), noMoreNames, "stream_id");
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).socket, 0);
    QCOMPARE(stage.create(3).lane(), stage.create(1).lane());
    stage.peer.answer(stage.create(3), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*refused));
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneRecoveryTest::aForkWhoseNameIsRefusedKeepsItsParent()
{
    Stage stage;
    stage.learn();
    auto frees = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    const auto left = stage.say({"probe", "yes", "left"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    const auto right = stage.say({"probe", "yes", "right"}, "prober");
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).parent(), stage.create(0).id());
    frees.reset();
    QTRY_COMPARE(stage.inFlight(), std::size_t{2});
    stage.peer.answer(stage.create(1), QStringLiteral("unread"));
    stage.refuse(stage.create(3), noMoreNames, "stream_id");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).socket, 0);
    QCOMPARE(stage.create(4).lane(), stage.create(1).lane());
    QCOMPARE(stage.create(4).parent(), stage.create(0).id());
    QCOMPARE(stage.create(4).texts(), list({"right"}));
    stage.peer.answer(stage.create(4), QStringLiteral("r"));
    QTRY_VERIFY(endedWell(*right));
}

void LaneRecoveryTest::aNameThatIsRefusedTwiceTakesTheLadder()
{
    Stage stage;
    stage.proxy.set(Key::Retries, "1");
    stage.learn();
    const auto call = stage.say({"one"}, "a");
    for (qsizetype i : {1, 2}) {
        QTRY_COMPARE(stage.creates(), i + 1);
        stage.refuse(stage.create(i), noMoreNames, "stream_id");
    }
    QTRY_COMPARE(stage.proxy.turn().phase, live::Phase::Backoff);
    stage.proxy.passTime(2s);
    QTRY_COMPARE(stage.creates(), 4);
    stage.refuse(stage.create(3), noMoreNames, "stream_id");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 400);
    QCOMPARE(stage.creates(), 4);
}

void LaneRecoveryTest::afterOutputARefusedNameIsAnError()
{
    Stage stage;
    stage.learn();
    const auto call = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    stage.peer.created(stage.create(1));
    stage.peer.inProgress(stage.create(1));
    stage.peer.text(stage.create(1), QStringLiteral("the beginning"));
    QTRY_VERIFY(call->body().contains("the beginning"));
    stage.refuse(stage.create(1), noMoreNames, "stream_id");
    QTRY_VERIFY(brokeOff(*call));
    QCOMPARE(stage.creates(), 2);
}

void LaneRecoveryTest::aLaneThatNeverDrainsLosesItsPlaceAfterFiveMinutesOfSilence()
{
    Stage stage;
    for (const Key key : {Key::IdleMs, Key::TotalMs, Key::FirstEventMs})
        stage.proxy.set(key, "3600000");
    stage.learn();
    const auto stays = stage.say({"one"}, "a");
    const auto leaves = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    const QString lost = stage.create(2).lane();
    stage.peer.created(stage.create(1));
    stage.peer.inProgress(stage.create(1));
    stage.peer.created(stage.create(2));
    leaves->abort();
    QTRY_COMPARE(stage.inFlight(), std::size_t{1});
    const auto pass = [&](int seconds) { // while the connection is heard of
        for (int passed = 0; passed < seconds; passed += 10) {
            const qsizetype texts = stays->body().count("text_delta");
            stage.peer.text(stage.create(1), QStringLiteral("."));
            QTRY_VERIFY(stays->body().count("text_delta") > texts);
            stage.proxy.passTime(10s);
        }
    };
    pass(100);
    stage.peer.inProgress(stage.create(2)); // a sign of life
    pass(290);
    // Two in flight: the fifteenth of these finds no place.
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 15; ++i)
        calls.push_back(stage.say({"busy"}, "agent-" + QByteArray::number(i)));
    QTRY_COMPARE(stage.creates(), 18);
    QCOMPARE(stage.peer.opened(), 2);
    QCOMPARE(stage.create(17).socket, 1);
    pass(10); // five minutes
    const auto next = stage.say({"three"}, "next");
    QTRY_COMPARE(stage.creates(), 19);
    QCOMPARE(stage.create(18).socket, 0);
    QVERIFY(stage.create(18).lane() != lost); // upstream would queue it behind the old one
    // What still comes of it is nobody's.
    stage.peer.answer(stage.create(2), QStringLiteral("late"));
    stage.peer.answer(stage.create(18), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*next));
    QVERIFY(!next->body().contains("late"));
    QCOMPARE(stage.peer.open(), 2);
}

void LaneRecoveryTest::aDrainedLaneLetsTheNextOfTheQueueIn()
{
    Stage stage;
    stage.proxy.set(Key::RatePerMin, "1");
    stage.proxy.set(Key::Burst, "1");
    stage.learn();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 16; ++i)
        calls.push_back(stage.say({"busy"}, "agent-" + QByteArray::number(i)));
    QTRY_COMPARE(stage.creates(), 17);
    const auto queued = stage.say({"next"}, "next");
    QTRY_COMPARE(stage.inFlight(), std::size_t{17});
    calls.front()->abort();
    QTRY_COMPARE(stage.inFlight(), std::size_t{16});
    QCOMPARE(stage.creates(), 17);
    const auto leaver = std::ranges::find_if(stage.peer.creates(), [](const auto &create) {
        return create.lane() == QLatin1String("lane-2"); // the first one's
    });
    stage.peer.answer(*leaver, QStringLiteral("nobody reads this"));
    QTRY_COMPARE_WITH_TIMEOUT(stage.creates(), 18, 2000);
    QCOMPARE(stage.create(17).socket, 0);
    QCOMPARE(stage.create(17).texts(), list({"next"}));
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneRecoveryTest::whatThePeerSaysIsRecordedBesideTheReason()
{
    Stage stage;
    stage.learn();
    stage.peer.close(0, QStringLiteral("maintenance, key sk-abcdefghijklmnopqrstuvwxyz012345"));
    QTRY_VERIFY(stage.proxy.engine().snapshot()->heads.empty());
    stage.proxy.stop();
    const QString detail = testsupport::text(
        stage.proxy.ledgerPath(),
        QStringLiteral("SELECT detail FROM connection WHERE reason = 'peer_closed'"));
    QVERIFY2(detail.startsWith(QLatin1String("maintenance, key ")), qPrintable(detail));
    QVERIFY(!detail.contains(QLatin1String("sk-abcdefghijklmnop")));
}

QTEST_GUILESS_MAIN(LaneRecoveryTest)
#include "tst_lanerecovery.moc"
