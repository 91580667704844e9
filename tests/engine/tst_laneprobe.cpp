// SPDX-License-Identifier: GPL-3.0-or-later
// How it is found out whether there are lanes (spec/heads.md section 6) when whoever asks leaves,
// or nobody answers, or the answer is wrong later on.
#include "tests/support/lanestage.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::endedWell;
using tests::list;
using Stage = tests::LaneStage;

class LaneProbeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoeverIsHeldBackAsksWhenTheQuestionHasGone();
    void theProbeIsWaitedForTwoSecondsAndNotTwice();
    void anEventThatDoesNotSayWhoseItIsEndsTheLanes();
    void aHeldCreateGetsNoEventOfTheOthers();
};

void LaneProbeTest::whoeverIsHeldBackAsksWhenTheQuestionHasGone()
{
    Stage stage("on");
    stage.proxy.start();
    const auto asks = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    const auto held = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.inFlight(), std::size_t{2});
    asks->abort();
    QTRY_COMPARE(stage.inFlight(), std::size_t{1});
    QCOMPARE(stage.creates(), 1);
    stage.refuse(stage.create(0), "invalid_prompt"); // the end of what it asked with
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).socket, 0);
    QCOMPARE(stage.create(1).texts(), list({"two"}));
    QVERIFY(!stage.create(1).lane().isEmpty());
    const auto later = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.inFlight(), std::size_t{2});
    QCOMPARE(stage.creates(), 2); // now that one is the question
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*held));
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.peer.opened(), 1);
}

void LaneProbeTest::theProbeIsWaitedForTwoSecondsAndNotTwice()
{
    Stage stage("auto");
    stage.proxy.start();
    const auto asks = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    const auto waits = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.inFlight(), std::size_t{2});
    stage.proxy.passTime(1900ms);
    QCOMPARE(stage.peer.opened(), 1);
    stage.proxy.passTime(150ms);
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).socket, 1);
    QCOMPARE(stage.create(1).texts(), list({"two"}));
}

void LaneProbeTest::anEventThatDoesNotSayWhoseItIsEndsTheLanes()
{
    Stage stage;
    stage.learn();
    const auto a = stage.say({"one"}, "a");
    const auto b = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.created(stage.create(1));
    stage.peer.echoes = false;
    stage.peer.created(stage.create(2));
    QTRY_COMPARE(stage.creates(), 5);
    QCOMPARE(stage.peer.opened(), 3); // one each
    QCOMPARE(stage.peer.open(), 2);
    for (qsizetype i : {3, 4}) {
        QCOMPARE(stage.create(i).lane(), QString());
        stage.peer.answer(stage.create(i), QStringLiteral("reply"));
    }
    QTRY_VERIFY(endedWell(*a) && endedWell(*b));
    const auto next = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 6);
    QCOMPARE(stage.create(5).lane(), QString());
}

void LaneProbeTest::aHeldCreateGetsNoEventOfTheOthers()
{
    Stage stage("on");
    stage.peer.echoes = true;
    stage.proxy.start();
    const auto asks = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 1);
    const auto held = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.inFlight(), std::size_t{2});
    // An error that names nobody is that of the only one who has sent something.
    stage.peer.refuse(stage.create(0),
                      {{QStringLiteral("type"), QStringLiteral("invalid_request_error")},
                       {QStringLiteral("code"), QStringLiteral("invalid_prompt")},
                       {QStringLiteral("message"), QStringLiteral("no")}},
                      false);
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).texts(), list({"one"})); // it might have been about the name
    stage.peer.answer(stage.create(1), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*asks));
    QTRY_COMPARE(stage.creates(), 3);
    stage.peer.answer(stage.create(2), QStringLiteral("reply"));
    QTRY_VERIFY(endedWell(*held));
}

QTEST_GUILESS_MAIN(LaneProbeTest)
#include "tst_laneprobe.moc"
