// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;

// spec/heads.md section 3: strict prefix, optional reasoning, order of several matches.
class HeadMatchTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneHeadAgainstOneRequest_data();
    void oneHeadAgainstOneRequest();
    void theLongestMatchWins();
    void amongEqualLengthsExactComesBeforeReasoningOmitted();
    void amongEqualMatchesTheOldestRegistrationWins();
    void theNextHistoryIsTheWholeInputNotTheDelta();
    void aHistoryOfNoItemsIsNeverContinued();
    void theDifferenceIsToldAgainstTheHeadThatGoesAlongLongest();
    void aRewindDiffersWhereTheRequestEnds();
    void anotherReasoningItemIsToldAgainstTheOneThatStoodThere();
};

void HeadMatchTest::oneHeadAgainstOneRequest_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("echoed");
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("mode"); // none: does not match
    QTest::addColumn<int>("delta");
    const auto row = [](const char *what, const char *input, const char *echoed,
                        const char *request, const char *mode, int delta) {
        QTest::newRow(what) << QByteArray(input) << QByteArray(echoed) << QByteArray(request)
                            << QByteArray(mode) << delta;
    };
    // reference/heads-and-turns-in-the-field.md section 2.9.
    row("worked example: exact", "U1", "R1 F1", "U1 R1 F1 O1", "exact", 3);
    row("worked example: omitted", "U1", "R1 F1", "U1 F1 O1", "reasoning_omitted", 2);
    row("worked example: another blob", "U1", "R1 F1", "U1 RX F1 O1", "none", 0);
    row("worked example: not longer", "U1", "R1 F1", "U1 R1 F1", "none", 0);
    row("worked example: another value", "U1", "R1 F1", "U1 R1 F1b O1", "none", 0);
    // Any reasoning item, anywhere: one of two, and of an earlier turn.
    row("first of two omitted", "U1", "R1 R2 F1", "U1 R2 F1 O1", "reasoning_omitted", 3);
    row("second of two omitted", "U1", "R1 R2 F1", "U1 R1 F1 O1", "reasoning_omitted", 3);
    row("two swapped", "U1", "R1 R2 F1", "U1 R2 R1 F1 O1", "none", 0);
    row("an older turn's omitted", "U1 R1 F1 O1", "R2 A2", "U1 F1 O1 R2 A2 U2", "reasoning_omitted",
        5);
    row("all omitted", "U1 R1 F1 O1", "R2 A2", "U1 F1 O1 A2 U2", "reasoning_omitted", 4);
    row("reasoning nobody stored", "U1", "F1", "U1 R1 F1 O1", "none", 0);
    row("last reasoning omitted", "U1", "A1 R1", "U1 A1 U2", "reasoning_omitted", 2);
    row("last reasoning present, nothing new", "U1", "A1 R1", "U1 A1 R1", "none", 0);
    row("last reasoning replaced", "U1", "A1 R1", "U1 A1 RX U2", "none", 0);
    row("new reasoning after an exact match", "U1", "A1 R1", "U1 A1 R1 RX U2", "exact", 3);
    row("new reasoning after a call", "U1", "F1", "U1 F1 R9 O1", "exact", 2);
    // The provider's own calls likewise, of either kind beside the other.
    row("search present", "U1", "W1 A1", "U1 W1 A1 U2", "exact", 3);
    row("search omitted", "U1", "W1 A1", "U1 A1 U2", "exact", 2);
    row("search replaced", "U1", "W1 A1", "U1 WX A1 U2", "none", 0);
    row("search nobody stored", "U1", "A1", "U1 W1 A1 U2", "none", 0);
    row("thinking omitted, search present", "U1", "R1 W1 A1", "U1 W1 A1 U2", "reasoning_omitted",
        3);
    row("an older turn's search omitted", "U1 W1 A1 U2", "A2", "U1 A1 U2 A2 U3", "exact", 4);
    row("last search omitted, another follows", "U1", "A1 W1", "U1 A1 WX U2", "none", 0);
    // Other items are exact.
    row("empty echo", "U1", "", "U1 U2", "exact", 1);
    row("equal to the empty echo", "U1", "", "U1", "none", 0);
    row("dropped message", "U1", "A1", "U1 U2", "none", 0);
    row("dropped user item", "U1 U2", "A1", "U1 A1 U3", "none", 0);
    row("order changed", "U1", "F1 F2", "U1 F2 F1 O1", "none", 0);
    row("shorter", "U1 U2", "A1", "U1 U2", "none", 0);
    row("empty request", "U1", "A1", "", "none", 0);
    row("differs at 20 of 24",
        "U1 A1 U2 A2 U3 A3 U4 A4 U5 A5 U6 A6 U7 A7 U8 A8 U9 A9 UA AA UB AB UC", "AC",
        "U1 A1 U2 A2 U3 A3 U4 A4 U5 A5 U6 A6 U7 A7 U8 A8 U9 A9 UA AX UB AB UC AC UD", "none", 0);
}

void HeadMatchTest::oneHeadAgainstOneRequest()
{
    QFETCH(const QByteArray, input);
    QFETCH(const QByteArray, echoed);
    QFETCH(const QByteArray, request);
    QFETCH(const QByteArray, mode);
    QFETCH(const int, delta);
    Timeline t;
    (void)t.turn(input.toStdString(), echoed.toStdString());
    const ScanResult result = t.scan(request.toStdString());
    QCOMPARE(QByteArray::fromStdString(std::string(name(result.mode))), mode);
    QCOMPARE(result.deltaFrom, static_cast<std::size_t>(delta));
    QCOMPARE(result.matching, std::size_t{mode == "none" ? 0U : 1U});
    COMPARE_WORD(result.decision,
                 mode == "none" ? Decision::HistoryMismatchNewHead : Decision::Continuation);
}

void HeadMatchTest::theLongestMatchWins()
{
    Timeline t;
    (void)t.turn("U1", "");
    // Not a continuation of the first: it is opened by hand beside it.
    const auto input = Timeline::items("U1 U2");
    const auto opened = t.pool.open(t.request(input), Decision::HistoryMismatchNewHead,
                                    t.nextConnection(), t.now);
    t.end(opened.head, "A2");
    const ScanResult result = t.scan("U1 U2 A2 U3");
    QVERIFY(result.head == opened.head);
    QCOMPARE(result.deltaFrom, std::size_t{3});
    QCOMPARE(result.matching, std::size_t{2});
}

void HeadMatchTest::amongEqualLengthsExactComesBeforeReasoningOmitted()
{
    Timeline t;
    const HeadId withReasoning = t.turn("U1", "R1 A1");
    const HeadId exact = t.turn("U1", "A1");
    QVERIFY(withReasoning != exact);
    const ScanResult result = t.scan("U1 A1 U2");
    QVERIFY(result.head == exact);
    COMPARE_WORD(result.mode, MatchMode::Exact);
    QCOMPARE(result.matching, std::size_t{2});
}

void HeadMatchTest::amongEqualMatchesTheOldestRegistrationWins()
{
    Timeline t;
    const HeadId first = t.begin("U1");
    const auto input = Timeline::items("U1");
    const auto second = t.pool.open(t.request(input), Decision::HistoryMismatchNewHead,
                                    t.nextConnection(), t.now);
    // The older registration completes, and so is used, before the younger one.
    t.end(first, "A1");
    t.pass(std::chrono::seconds{1});
    t.end(second.head, "A1");
    QVERIFY(t.scan("U1 A1 U2").head == first);
}

void HeadMatchTest::theNextHistoryIsTheWholeInputNotTheDelta()
{
    Timeline t;
    const HeadId head = t.turn("U1", "R1 F1");
    QVERIFY(t.turn("U1 F1 O1", "A2") == head);
    const ScanResult result = t.scan("U1 F1 O1 A2 U3");
    QVERIFY(result.head == head);
    QCOMPARE(result.deltaFrom, std::size_t{4});
    COMPARE_WORD(result.mode, MatchMode::Exact);
    QCOMPARE(t.pool.views(t.now).front().items, std::size_t{4});
}

void HeadMatchTest::aHistoryOfNoItemsIsNeverContinued()
{
    Timeline t;
    (void)t.turn("", "");
    COMPARE_WORD(t.scan("U1").decision, Decision::HistoryMismatchNewHead);
}

void HeadMatchTest::theDifferenceIsToldAgainstTheHeadThatGoesAlongLongest()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    (void)t.turn("U1 A9 U2", "A2");
    const ScanResult result = t.scan("U1 A9 U2 A3 U4");
    COMPARE_WORD(result.decision, Decision::HistoryMismatchNewHead);
    QVERIFY(result.difference.has_value());
    QCOMPARE(result.difference->index, std::size_t{3});
    QVERIFY(result.difference->kind == ItemKind::AssistantMessage);
    QVERIFY(result.difference->expected == Timeline::item("A2").print);
    QVERIFY(result.difference->found == Timeline::item("A3").print);
}

void HeadMatchTest::aRewindDiffersWhereTheRequestEnds()
{
    Timeline t;
    (void)t.turn("U1 A1 U2", "A2");
    const ScanResult result = t.scan("U1");
    QVERIFY(result.difference.has_value());
    QCOMPARE(result.difference->index, std::size_t{1});
    QVERIFY(result.difference->expected == Timeline::item("A1").print);
    QVERIFY(result.difference->found == headway::base::Fingerprint{});
}

void HeadMatchTest::anotherReasoningItemIsToldAgainstTheOneThatStoodThere()
{
    Timeline t;
    (void)t.turn("U1", "R1 F1");
    const ScanResult result = t.scan("U1 RX F1 O1");
    QVERIFY(result.difference.has_value());
    QCOMPARE(result.difference->index, std::size_t{1});
    QVERIFY(result.difference->kind == ItemKind::Reasoning);
    QVERIFY(result.difference->expected == Timeline::item("R1").print);
    QVERIFY(result.difference->found == Timeline::item("RX").print);
}

QTEST_APPLESS_MAIN(HeadMatchTest)
#include "tst_headmatch.moc"
