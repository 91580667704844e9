// SPDX-License-Identifier: GPL-3.0-or-later
// What waits in a lane's own queue for a slow reader (spec/heads.md section 6), and what becomes of
// the lane when the reader leaves or the queue overflows: the next conversation tells whether it is
// free, since the lowest free name is given first.
#include "tests/support/lanestage.h"

#include <QJsonObject>
#include <QTest>

using namespace headway;
using tests::endedWell;
using tests::HttpCall;
using Stage = tests::LaneStage;

class LaneQueueTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLaneWhoseEndIsQueuedIsFreeWhenItsReaderLeaves();
    void anEndThatOverflowsTheQueueFreesTheLane();
};

namespace {

std::uint64_t bytesOut(Stage &stage)
{
    std::uint64_t bytes = 0;
    const live::SnapshotPointer seen = stage.proxy.engine().snapshot();
    for (const live::TurnRow &turn : seen->turns)
        bytes = std::max(bytes, turn.bytesOut);
    return bytes;
}

// A turn on lane 2 whose client reads nothing and whose events wait in the lane's queue, beside
// another on lane 3 that keeps the connection shared.
struct SlowReader
{
    explicit SlowReader(Stage &stage)
    {
        stage.learn();
        slow = stage.say({"one"}, "a");
        QTRY_COMPARE(stage.creates(), 2);
        other = stage.say({"two"}, "b");
        QTRY_COMPARE(stage.creates(), 3);
        slow->stopReading();
        stage.peer.created(stage.create(1));
        stage.peer.inProgress(stage.create(1));
        const QString block(64 << 10, u'x');
        for (int sent = 0; sent < 400; ++sent) {
            const std::uint64_t before = bytesOut(stage);
            stage.peer.text(stage.create(1), block);
            if (!QTest::qWaitFor([&] { return bytesOut(stage) > before; }, 300))
                return;
        }
        QFAIL("its events are never queued");
    }

    std::unique_ptr<HttpCall> slow;
    std::unique_ptr<HttpCall> other;
};

// Everything that was sent before on that connection has been read when this has ended.
void finishOther(Stage &stage, const SlowReader &readers)
{
    stage.peer.answer(stage.create(2), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*readers.other));
}

} // namespace

void LaneQueueTest::aLaneWhoseEndIsQueuedIsFreeWhenItsReaderLeaves()
{
    Stage stage;
    SlowReader readers(stage);
    stage.peer.complete(stage.create(1), QStringLiteral("whatever"));
    finishOther(stage, readers);
    QCOMPARE(stage.inFlight(), std::size_t{1});
    const auto before = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 4);
    QVERIFY(stage.create(3).lane() != stage.create(1).lane());
    readers.slow->abort();
    QTRY_COMPARE(stage.inFlight(), std::size_t{1});
    const auto next = stage.say({"four"}, "d");
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.create(4).socket, 0);
    QCOMPARE(stage.create(4).lane(), stage.create(1).lane());
}

void LaneQueueTest::anEndThatOverflowsTheQueueFreesTheLane()
{
    Stage stage;
    SlowReader readers(stage);
    stage.peer.send(0,
                    {{QStringLiteral("type"), QStringLiteral("response.completed")},
                     {QStringLiteral("stream_id"), stage.create(1).lane()},
                     {QStringLiteral("response"),
                      QJsonObject{{QStringLiteral("id"), stage.create(1).id()},
                                  {QStringLiteral("status"), QStringLiteral("completed")},
                                  {QStringLiteral("padding"), QString(2 << 20, u'x')}}}});
    finishOther(stage, readers);
    QCOMPARE(stage.inFlight(), std::size_t{0}); // the slow one was told to go
    const auto next = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 4);
    QCOMPARE(stage.create(3).socket, 0);
    QCOMPARE(stage.create(3).lane(), stage.create(1).lane());
}

QTEST_GUILESS_MAIN(LaneQueueTest)
#include "tst_lanequeue.moc"
