// SPDX-License-Identifier: GPL-3.0-or-later
// A provider that answers after it has failed, or answers twice: no turn is ever given what was
// meant for another.
#include "tests/support/conversation.h"
#include "tests/support/lanestage.h"

#include <QTest>

using namespace headway;
using tests::endedWell;
using tests::list;
using Stage = tests::LaneStage;

class StrayAnswersTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLaneOnWhichATurnFailedServesNobodyElse();
    void aLaneThatDrainsIntoAFailureServesNobodyElse();
    void aRetryAfterAServerErrorTakesAnotherLane();
    void anAnswerThatComesAgainIsNotTheNextTurns_data();
    void anAnswerThatComesAgainIsNotTheNextTurns();
};

namespace {

QJsonObject serverError()
{
    return {{QStringLiteral("type"), QStringLiteral("server_error")},
            {QStringLiteral("code"), QStringLiteral("server_error")},
            {QStringLiteral("message"), QStringLiteral("went wrong")}};
}

} // namespace

void StrayAnswersTest::aLaneOnWhichATurnFailedServesNobodyElse()
{
    Stage stage;
    stage.learn();
    const auto refused = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    stage.refuse(stage.create(1), "invalid_value", "input");
    QTRY_VERIFY(refused->isComplete());
    QCOMPARE(refused->status(), 400);
    const auto next = stage.say({"two"}, "b");
    QTRY_COMPARE(stage.creates(), 3);
    QVERIFY(stage.create(2).lane() != stage.create(1).lane());
    stage.peer.answer(stage.create(1), QStringLiteral("of the first")); // all the same
    stage.peer.answer(stage.create(2), QStringLiteral("of the second"));
    QTRY_VERIFY(endedWell(*next));
    QVERIFY(next->body().contains("of the second"));
    QVERIFY(!next->body().contains("of the first"));
}

void StrayAnswersTest::aLaneThatDrainsIntoAFailureServesNobodyElse()
{
    Stage stage;
    stage.learn();
    auto left = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    left.reset(); // its client leaves
    QTRY_COMPARE(stage.inFlight(), std::size_t{0});
    stage.peer.refuse(stage.create(1), serverError());
    // The proxy has read that when a later word on the same connection has arrived.
    const auto after = stage.say({"probe", "yes", "two"}, "prober");
    QTRY_COMPARE(stage.creates(), 3);
    QCOMPARE(stage.create(2).socket, stage.create(1).socket);
    stage.peer.answer(stage.create(2), QStringLiteral("well"));
    QTRY_VERIFY(endedWell(*after));
    const auto next = stage.say({"three"}, "c");
    QTRY_COMPARE(stage.creates(), 4);
    QVERIFY(stage.create(3).lane() != stage.create(1).lane()
            || stage.create(3).socket != stage.create(1).socket);
    stage.peer.answer(stage.create(1), QStringLiteral("of the first"));
    stage.peer.answer(stage.create(3), QStringLiteral("of the third"));
    QTRY_VERIFY(endedWell(*next));
    QVERIFY(!next->body().contains("of the first"));
}

// spec/pacing.md section 6: "one inner retry on a new socket or lane".
void StrayAnswersTest::aRetryAfterAServerErrorTakesAnotherLane()
{
    Stage stage;
    stage.learn();
    const auto call = stage.say({"one"}, "a");
    QTRY_COMPARE(stage.creates(), 2);
    stage.peer.refuse(stage.create(1), serverError());
    QTRY_COMPARE_WITH_TIMEOUT(stage.creates(), 3, 10'000);
    QVERIFY(stage.create(2).lane() != stage.create(1).lane()
            || stage.create(2).socket != stage.create(1).socket);
    stage.peer.answer(stage.create(2), QStringLiteral("at last"));
    QTRY_VERIFY(endedWell(*call));
}

void StrayAnswersTest::anAnswerThatComesAgainIsNotTheNextTurns_data()
{
    QTest::addColumn<QString>("lanes");
    QTest::newRow("a connection of its own") << QStringLiteral("off");
    QTest::newRow("a lane") << QStringLiteral("on");
}

void StrayAnswersTest::anAnswerThatComesAgainIsNotTheNextTurns()
{
    QFETCH(const QString, lanes);
    Stage stage(lanes.toStdString());
    stage.learn();
    const auto second = stage.say({"probe", "yes", "two"}, "prober");
    QTRY_COMPARE(stage.creates(), 2);
    QCOMPARE(stage.create(1).parent(), stage.create(0).id()); // a continuation
    stage.peer.answer(stage.create(0), QStringLiteral("yes")); // once more
    QTRY_COMPARE(stage.creates(), 3);
    // Nothing of that place counts any more, not even the answer that was meant.
    stage.peer.answer(stage.create(1), QStringLiteral("too late"));
    QCOMPARE(stage.create(2).parent(), QString());
    QCOMPARE(stage.create(2).texts(), list({"probe", "yes", "two"}));
    QVERIFY(stage.create(2).socket != stage.create(1).socket
            || stage.create(2).lane() != stage.create(1).lane());
    stage.peer.answer(stage.create(2), QStringLiteral("the answer"));
    QTRY_VERIFY(endedWell(*second));
    QVERIFY(second->body().contains("the answer"));
    QVERIFY(!second->body().contains("too late"));
}

QTEST_GUILESS_MAIN(StrayAnswersTest)
#include "tst_strayanswers.moc"
