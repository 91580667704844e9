// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 6, and the decisions of section 4 that need lanes, with the frames on the
// wire as the oracle: how many sockets, which stream_id, which previous_response_id, which items.
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;
using tests::ScriptedProvider;

class LaneWireTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offSendsNoName();
    void anEchoPutsTheOthersOnTheSameSocket();
    void noSecondCreateGoesUpBeforeTheEcho();
    void withoutAnEchoEachTurnGetsASocketAndNoName();
    void aRefusedNameIsSentAgainWithoutOneOnTheSameSocket();
    void anUnrelatedComplaintIsToldAndLeavesTheQuestionOpen();
    void theVerdictIsRemembered();
    void onSharesAtOnceButHoldsTheSecondCreateBack();
    void onTurnsElsewhereWhenThereIsNoEcho();
    void aBusyParentIsForkedOnALaneOfItsOwn();
    void theParentDoesNotAdvanceBeforeItsForkHasStarted();
    void aForkWhoseParentIsGoneIsSentInFullOnItsLane();
    void withoutTheParentsReplyABusyParentIsolatesOnALane();
    void anAbandonedLaneIsDrainedAndTheOthersGoOn();
    void aDrainedLaneIsUsedAgainOnlyAfterItsEnd();
    void aSlowReaderOfOneLaneDoesNotHoldTheOthers();
    void aQueuedReplyReachesASlowReaderWhole();
    void anErrorWithoutANameIsEverybodys();
    void aClosedSocketSendsAllItsTurnsToOneNewSocket();
    void anOldSocketTakesNobodyNew();
    void lanesCanBeSwitchedOffAtRunTime();
};

namespace {

struct Stage
{
    explicit Stage(const char *lanes)
        : proxy(peer.url())
    {
        (void)proxy.settings.set(settings::Source::File, settings::Key::Lanes, lanes);
        proxy.start();
    }

    std::unique_ptr<HttpCall> say(const QList<QByteArray> &texts, const QByteArray &agent)
    {
        return proxy.post("/v1/messages", messagesBody(texts), "session", agent);
    }
    [[nodiscard]] const ScriptedProvider::Create &create(qsizetype index) const
    {
        return peer.creates().at(index);
    }
    [[nodiscard]] qsizetype creates() const { return peer.creates().size(); }

    // A whole turn that finds out that there are lanes.
    void learn()
    {
        const auto first = say({"probe"}, "prober");
        QTRY_COMPARE(creates(), 1);
        peer.answer(create(0), QStringLiteral("yes"));
        QTRY_VERIFY(first->isComplete());
    }

    ScriptedProvider peer;
    ProxyFixture proxy;
};

const QString invalid = QStringLiteral("invalid_request_error");

QJsonObject complaint(const QString &code, const QString &param)
{
    return {{QStringLiteral("type"), invalid},
            {QStringLiteral("code"), code},
            {QStringLiteral("message"), QString(u"Unknown parameter: '" + param + u"'.")},
            {QStringLiteral("param"), param}};
}

QStringList list(std::initializer_list<const char *> words)
{
    QStringList texts;
    for (const char *const word : words)
        texts.append(QLatin1String(word));
    return texts;
}

bool endedWell(const HttpCall &call)
{
    return call.isComplete() && call.status() == 200 && call.events().last() == "message_stop";
}

} // namespace

void LaneWireTest::offSendsNoName()
{
    Stage stage("off");
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 2);
    QVERIFY(!stage.create(0).frame.contains(QStringLiteral("stream_id")));
    QVERIFY(!stage.create(1).frame.contains(QStringLiteral("stream_id")));
}

void LaneWireTest::anEchoPutsTheOthersOnTheSameSocket()
{
    Stage stage("auto");
    const auto a = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    QVERIFY(!stage.create(0).lane().isEmpty());
    stage.peer.created(stage.create(0));
    QTRY_COMPARE(stage.proxy.engine().snapshot()->turns.size(), std::size_t{1});
    const auto b = stage.say({"two"}, "b");
    const auto c = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.peer.opened(), 1);
    QVERIFY(stage.create(1).lane() != stage.create(0).lane());
    QVERIFY(stage.create(2).lane() != stage.create(1).lane());
    QVERIFY(stage.create(2).lane() != stage.create(0).lane());
    for (qsizetype i : {2, 0, 1}) // in any order
        stage.peer.answer(stage.create(i), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*a) && endedWell(*b) && endedWell(*c));
}

void LaneWireTest::noSecondCreateGoesUpBeforeTheEcho()
{
    Stage stage("auto");
    const auto a = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{2});
    QCOMPARE(stage.proxy.engine().snapshot()->waiting, 0U); // it holds no admission
    QCOMPARE(stage.creates(), 1);
    QCOMPARE(stage.peer.opened(), 1);
    stage.peer.created(stage.create(0));
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneWireTest::withoutAnEchoEachTurnGetsASocketAndNoName()
{
    Stage stage("auto");
    stage.peer.echoes = false;
    const auto a = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{2});
    stage.peer.answer(stage.create(0), QStringLiteral("reply"));
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 2);
    QVERIFY(!stage.create(1).frame.contains(QStringLiteral("stream_id")));
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*a) && endedWell(*b));
    // The first head goes on where it is, without a name.
    const auto more = stage.say({"one", "reply", "more"}, "a");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.create(2).socket, 0);
    QCOMPARE(stage.create(2).parent(), stage.create(0).id());
    QCOMPARE(stage.create(2).texts(), list({"more"}));
    QVERIFY(!stage.create(2).frame.contains(QStringLiteral("stream_id")));
}

void LaneWireTest::aRefusedNameIsSentAgainWithoutOneOnTheSameSocket()
{
    Stage stage("auto");
    stage.peer.echoes = false;
    const auto a = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    stage.peer.refuse(stage.create(0),
                      complaint(QStringLiteral("unknown_parameter"), QStringLiteral("stream_id")));
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 1);
    QVERIFY(!stage.create(1).frame.contains(QStringLiteral("stream_id")));
    QCOMPARE(stage.create(1).texts(), list({"one"}));
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*a));
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    QVERIFY(!stage.create(2).frame.contains(QStringLiteral("stream_id")));
}

void LaneWireTest::anUnrelatedComplaintIsToldAndLeavesTheQuestionOpen()
{
    Stage stage("auto");
    const auto a = stage.say({"one"}, "a");
    const QJsonObject error = complaint(QStringLiteral("invalid_value"), QStringLiteral("tools"));
    QTRY_COMPARE(stage.creates(), 1);
    stage.peer.refuse(stage.create(0), error);
    QTRY_COMPARE(stage.creates(), 2); // it might have been about the name
    stage.peer.refuse(stage.create(1), error);
    QTRY_VERIFY(a->isComplete());
    QCOMPARE(a->status(), 400);
    QCOMPARE(stage.creates(), 2);
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    QVERIFY(!stage.create(2).lane().isEmpty());
}

void LaneWireTest::theVerdictIsRemembered()
{
    Stage stage("auto");
    stage.learn();
    const auto b = stage.say({"two"}, "b");
    const auto c = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 3); // at once, both
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneWireTest::onSharesAtOnceButHoldsTheSecondCreateBack()
{
    Stage stage("on");
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{2});
    QTRY_COMPARE(stage.creates(), 1);
    QCOMPARE(stage.proxy.engine().snapshot()->heads.size(), std::size_t{2});
    stage.peer.created(stage.create(0));
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneWireTest::onTurnsElsewhereWhenThereIsNoEcho()
{
    Stage stage("on");
    stage.peer.echoes = false;
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{2});
    QTRY_COMPARE(stage.creates(), 1);
    stage.peer.answer(stage.create(0), QStringLiteral("reply"));
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).socket, 1);
    QVERIFY(!stage.create(1).frame.contains(QStringLiteral("stream_id")));
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*a) && endedWell(*b));
}

void LaneWireTest::aBusyParentIsForkedOnALaneOfItsOwn()
{
    Stage stage("auto");
    stage.learn();
    const auto next = stage.say({"probe", "yes", "left"}, "prober");
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).lane(), stage.create(0).lane());
    const auto fork = stage.say({"probe", "yes", "right"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.peer.opened(), 1);
    QVERIFY(stage.create(2).lane() != stage.create(0).lane());
    QCOMPARE(stage.create(2).parent(), stage.create(0).id());
    QCOMPARE(stage.create(2).texts(), list({"right"}));
    stage.peer.answer(stage.create(2), QStringLiteral("r"));
    stage.peer.answer(stage.create(1), QStringLiteral("l"));
    QTRY_VERIFY(endedWell(*next) && endedWell(*fork));
    // Each branch goes on on its own lane.
    const auto left = stage.say({"probe", "yes", "left", "l", "left again"}, "prober");
    const auto right = stage.say({"probe", "yes", "right", "r", "right again"}, "prober");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(3).parent(), stage.create(1).id());
    QCOMPARE(stage.create(3).lane(), stage.create(1).lane());
    QCOMPARE(stage.create(4).parent(), stage.create(2).id());
    QCOMPARE(stage.create(4).lane(), stage.create(2).lane());
}

void LaneWireTest::theParentDoesNotAdvanceBeforeItsForkHasStarted()
{
    Stage stage("auto");
    stage.learn();
    const auto left = stage.say({"probe", "yes", "left"}, "prober");
    QTRY_COMPARE(stage.creates(), 2);
    const auto fork = stage.say({"probe", "yes", "right"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.answer(stage.create(1), QStringLiteral("l"));
    QTRY_VERIFY(endedWell(*left));
    const auto on = stage.say({"probe", "yes", "left", "l", "on"}, "prober");
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{2});
    stage.peer.created(stage.create(2)); // not enough
    const auto other = stage.say({"elsewhere"}, "other"); // what goes up meanwhile
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).texts(), list({"elsewhere"}));
    stage.peer.inProgress(stage.create(2));
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).texts(), list({"on"}));
    QCOMPARE(stage.create(4).parent(), stage.create(1).id());
}

void LaneWireTest::aForkWhoseParentIsGoneIsSentInFullOnItsLane()
{
    Stage stage("auto");
    stage.learn();
    const auto left = stage.say({"probe", "yes", "left"}, "prober");
    QTRY_COMPARE(stage.creates(), 2);
    const auto fork = stage.say({"probe", "yes", "right"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.refuse(stage.create(2),
                      complaint(QStringLiteral("previous_response_not_found"),
                                QStringLiteral("previous_response_id")));
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.peer.opened(), 1);
    QCOMPARE(stage.create(3).lane(), stage.create(2).lane());
    QCOMPARE(stage.create(3).parent(), QString());
    QCOMPARE(stage.create(3).texts(), list({"probe", "yes", "right"}));
    // Its parent may advance at once.
    stage.peer.answer(stage.create(1), QStringLiteral("l"));
    QTRY_VERIFY(endedWell(*left));
    const auto on = stage.say({"probe", "yes", "left", "l", "on"}, "prober");
    QTRY_COMPARE(stage.creates(), 5);
}

void LaneWireTest::withoutTheParentsReplyABusyParentIsolatesOnALane()
{
    Stage stage("auto");
    stage.learn();
    const auto parent = stage.say({"question"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    const auto again = stage.say({"question"}, "a"); // the same input: it could be its parent
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.peer.opened(), 1);
    QVERIFY(stage.create(2).lane() != stage.create(1).lane());
    QCOMPARE(stage.create(2).parent(), QString());
    QCOMPARE(stage.create(2).texts(), list({"question"}));
}

void LaneWireTest::anAbandonedLaneIsDrainedAndTheOthersGoOn()
{
    Stage stage("auto");
    stage.learn();
    const auto stays = stage.say({"one"}, "a");
    const auto leaves = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.created(stage.create(2));
    stage.peer.inProgress(stage.create(2));
    leaves->abort();
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{1});
    QCOMPARE(stage.peer.open(), 1);
    stage.peer.complete(stage.create(2), QStringLiteral("nobody reads this"));
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*stays));
    QCOMPARE(stage.peer.opened(), 1);
    QVERIFY(!stays->body().contains("nobody"));
}

void LaneWireTest::aDrainedLaneIsUsedAgainOnlyAfterItsEnd()
{
    Stage stage("auto");
    stage.learn();
    const auto stays = stage.say({"one"}, "a");
    const auto leaves = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    const QString lane = stage.create(2).lane();
    leaves->abort();
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{1});
    const auto meanwhile = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 4);
    QVERIFY(stage.create(3).lane() != lane);
    stage.peer.answer(stage.create(2), QStringLiteral("late"));
    stage.peer.answer(stage.create(3), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*meanwhile)); // behind the late one on the same socket
    const auto next = stage.say({"four"}, "d");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).lane(), lane);
}

void LaneWireTest::aSlowReaderOfOneLaneDoesNotHoldTheOthers()
{
    Stage stage("auto");
    stage.learn();
    const auto slow = stage.say({"one"}, "a");
    const auto fast = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    slow->stopReading();
    stage.peer.created(stage.create(1));
    stage.peer.inProgress(stage.create(1));
    const QString block(64 << 10, u'x');
    for (int i = 0; i < 300; ++i) // far beyond what kernel, proxy and queue hold
        stage.peer.text(stage.create(1), block);
    stage.peer.answer(stage.create(2), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*fast));
    // Its lane is dropped, not the socket.
    QTRY_COMPARE(stage.proxy.engine().turnsInFlight(), std::size_t{0});
    QCOMPARE(stage.peer.open(), 1);
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneWireTest::aQueuedReplyReachesASlowReaderWhole()
{
    Stage stage("auto");
    stage.learn();
    const auto slow = stage.say({"one"}, "a");
    const auto other = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    slow->stopReading();
    stage.peer.created(stage.create(1));
    stage.peer.inProgress(stage.create(1));
    // Fills the client's buffer until the proxy queues, then ends.
    const QString block(64 << 10, u'x');
    qsizetype sent = 0;
    const auto bytesOut = [&] {
        std::uint64_t bytes = 0;
        const live::SnapshotPointer seen = stage.proxy.engine().snapshot();
        for (const live::TurnRow &turn : seen->turns)
            bytes = std::max(bytes, turn.bytesOut);
        return bytes;
    };
    bool reaches = true;
    while (reaches && sent < 400) {
        const std::uint64_t before = bytesOut();
        stage.peer.text(stage.create(1), block);
        ++sent;
        reaches = QTest::qWaitFor([&] { return bytesOut() > before; }, 500);
    }
    QVERIFY(!reaches);
    stage.peer.text(stage.create(1), QStringLiteral("the end"));
    stage.peer.complete(stage.create(1), QStringLiteral("whatever"));
    stage.peer.answer(stage.create(2), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*other));
    QVERIFY(!slow->isComplete());
    slow->goOnReading();
    QTRY_VERIFY(endedWell(*slow));
    QCOMPARE(slow->body().count("text_delta"), sent + 1);
    QVERIFY(slow->body().contains("the end"));
}

void LaneWireTest::anErrorWithoutANameIsEverybodys()
{
    Stage stage("auto");
    stage.learn();
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.refuse(
        stage.create(1),
        {{QStringLiteral("code"), QStringLiteral("websocket_connection_limit_reached")},
         {QStringLiteral("message"), QStringLiteral("too old")}},
        false);
    QTRY_COMPARE(stage.creates(), 5); // both again, together on one new socket
    QCOMPARE(stage.peer.opened(), 2);
    for (qsizetype i : {3, 4}) {
        QCOMPARE(stage.create(i).socket, 1);
        stage.peer.answer(stage.create(i), QStringLiteral("reply"));
    }
    QTRY_VERIFY(endedWell(*a) && endedWell(*b));
}

void LaneWireTest::aClosedSocketSendsAllItsTurnsToOneNewSocket()
{
    Stage stage("auto");
    stage.learn();
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"probe", "yes", "two"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.create(2).parent(), stage.create(0).id());
    stage.peer.close(0);
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.peer.opened(), 2);
    QStringList lanes;
    for (qsizetype i : {3, 4}) {
        QCOMPARE(stage.create(i).socket, 1);
        QCOMPARE(stage.create(i).parent(), QString());
        lanes.append(stage.create(i).lane());
        stage.peer.answer(stage.create(i), QStringLiteral("reply"));
    }
    QVERIFY(lanes[0] != lanes[1]);
    QTRY_VERIFY(endedWell(*a) && endedWell(*b));
}

void LaneWireTest::anOldSocketTakesNobodyNew()
{
    Stage stage("auto");
    stage.learn();
    const auto runs = stage.say({"one"}, "a");
    const auto refused = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.refuse(
        stage.create(2),
        {{QStringLiteral("code"), QStringLiteral("websocket_connection_limit_reached")},
         {QStringLiteral("message"), QStringLiteral("too old")}});
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).socket, 1);
    const auto next = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).socket, 1);
    stage.peer.answer(stage.create(1), QStringLiteral("reply")); // it ends in peace
    QTRY_VERIFY(endedWell(*runs));
    QTRY_COMPARE(stage.peer.open(), 1);
}

void LaneWireTest::lanesCanBeSwitchedOffAtRunTime()
{
    Stage stage("auto");
    stage.learn();
    stage.proxy.engine().changeSetting(QStringLiteral("lanes"), QStringLiteral("off"));
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.peer.opened(), 2);
    QVERIFY(!stage.create(1).frame.contains(QStringLiteral("stream_id")));
    // What lives on a lane goes on there.
    const auto more = stage.say({"probe", "yes", "more"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.create(2).lane(), stage.create(0).lane());
    QCOMPARE(stage.create(2).parent(), stage.create(0).id());
}

QTEST_GUILESS_MAIN(LaneWireTest)
#include "tst_lanewire.moc"
