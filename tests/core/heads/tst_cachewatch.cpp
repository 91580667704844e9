// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/cachewatch.h"
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::TurnId;

// spec/heads.md section 9: what was lost, both canaries, deferral and budget.
class CacheWatchTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEvictionThatCostAReuseIsTold();
    void theLatestOfSeveralLostHeadsIsTold();
    void nothingIsLostWhenTheRequestIsAnotherOne();
    void aHeadThatTheUserClosedIsToldToo();
    void aHeadThatEndedAtItsCompletionIsToldWithItsReply();
    void theDifferenceTellsTokensAndPromptChanges();
    void anIsolatedTurnIsToldWhatDiffered();
    void theSameBlobThatComparesUnequalIsACanary();
    void anotherBlobIsNone();
    void everyAbandonedCandidateIsChecked();
    void aTurnThatDoesNotWaitWarnsAtOnce();
    void aContinuationWarnsNobody();
    void aFirstDifferenceAtTheStartIsANewConversation();
    void aDeferredWarningIsDroppedWhenTheTurnContinuesAndSpendsNothing();
    void aDeferredWarningIsRaisedOnEveryOtherOutcome();
    void threeOfASignatureInAnHour();
    void signaturesHaveBudgetsOfTheirOwn();
    void noTextOfTheConversationIsTold();
};

namespace {

struct Watched : Timeline
{
    void end(HeadId head, std::string_view echoed, std::uint64_t tokens)
    {
        evictions = pool.complete(
            head, {.responseId = "resp", .echoed = items(echoed), .contextTokens = tokens}, now);
    }

    QStringList decided(TurnId turn, const ScanResult &scan, bool waits = false)
    {
        return keys(watch.decided(turn, scan, waits, now.steady));
    }

    static QStringList keys(const std::vector<CacheWarning> &warnings)
    {
        QStringList list;
        for (const CacheWarning &warning : warnings)
            list << QString::fromStdString(warning.key) + u' '
                    + QString::number(warning.expectedTokens);
        return list;
    }

    CacheWatch watch;
};

ScanResult mismatch(ItemKind kind, std::size_t index = 3, std::uint64_t tokens = 100)
{
    ScanResult scan;
    scan.decision = Decision::HistoryMismatchNewHead;
    scan.difference = FirstDifference{
        .index = index, .kind = kind, .expected = {1, 1}, .found = {2, 2}, .tokens = tokens};
    return scan;
}

const QStringList lost100{QStringLiteral("cache.lost 100")};

} // namespace

void CacheWatchTest::anEvictionThatCostAReuseIsTold()
{
    Watched t;
    t.end(t.begin("U1"), "R1 A1", 5'000);
    t.pass(5min);
    QCOMPARE(t.sweep().size(), 1);
    for (const char *request : {"U1 R1 A1 U2", "U1 A1 U2"}) {
        const ScanResult scan = t.scan(request);
        COMPARE_WORD(scan.decision, Decision::NewPartitionHead);
        QVERIFY(scan.lost.has_value());
        COMPARE_WORD(scan.lost->reason, EvictionReason::NurseryIdleTtl);
        QCOMPARE(scan.lost->tokens, std::uint64_t{5'000});
        QCOMPARE(scan.lost->items, std::size_t{3});
    }
    QCOMPARE(t.decided(TurnId{1}, t.scan("U1 A1 U2")),
             QStringList{QStringLiteral("cache.lost 5000")});
}

void CacheWatchTest::theLatestOfSeveralLostHeadsIsTold()
{
    Watched t;
    t.end(t.begin("U1"), "A1", 1'000);
    const HeadId head = t.begin("U1 A1 U2");
    (void)t.pool.remove(head, EvictionReason::PeerClosed); // in flight: U1 A1 was held
    const ScanResult scan = t.scan("U1 A1 U2 A2 U3");
    COMPARE_WORD(scan.lost->reason, EvictionReason::PeerClosed);
    t.end(t.begin("U1 A1 U2"), "A2", 2'000);
    (void)t.pool.shed(1);
    COMPARE_WORD(t.scan("U1 A1 U2 A2 U3").lost->reason, EvictionReason::SocketCap); // longer
    COMPARE_WORD(t.scan("U1 A1 U9").lost->reason, EvictionReason::PeerClosed);
}

void CacheWatchTest::nothingIsLostWhenTheRequestIsAnotherOne()
{
    Watched t;
    t.end(t.begin("U1"), "A1", 1'000);
    (void)t.pool.shed(1);
    QVERIFY(!t.scan("U1 A9 U2").lost.has_value());
    QVERIFY(!t.scan("U1 A1").lost.has_value()); // not longer
    QVERIFY(!t.scan("U1 A1 U2", "other").lost.has_value());
}

void CacheWatchTest::aHeadThatTheUserClosedIsToldToo()
{
    Watched t;
    const HeadId head = t.begin("U1");
    t.end(head, "A1", 1'000);
    (void)t.pool.remove(head, EvictionReason::User);
    COMPARE_WORD(t.scan("U1 A1 U2").lost->reason, EvictionReason::User);
}

void CacheWatchTest::aHeadThatEndedAtItsCompletionIsToldWithItsReply()
{
    Watched t;
    const HeadId head = t.begin("U1");
    t.suspend(55min);
    t.end(head, "A1", 1'000);
    QCOMPARE(t.pool.size(), std::size_t{0});
    COMPARE_WORD(t.scan("U1 A1 U2").lost->reason, EvictionReason::HardTtl);
}

void CacheWatchTest::theDifferenceTellsTokensAndPromptChanges()
{
    Watched t;
    t.end(t.begin("U1"), "A1", 7'000);
    t.prompt.tools.low = 9;
    const ScanResult scan = t.scan("U1 A9 U2");
    QCOMPARE(scan.difference->tokens, std::uint64_t{7'000});
    QCOMPARE(scan.difference->promptChanges, (std::vector<std::string>{"tools"}));
    const auto warnings = t.watch.decided(TurnId{1}, scan, false, t.now.steady);
    QCOMPARE(warnings.size(), std::size_t{1});
    const QString text = QString::fromStdString(warnings.front().text);
    QVERIFY2(text.contains(u"item 1 (assistant_message)"), qPrintable(text));
    QVERIFY2(text.contains(u"tools") && text.contains(u"7000"), qPrintable(text));
}

void CacheWatchTest::anIsolatedTurnIsToldWhatDiffered()
{
    Watched t;
    t.end(t.begin("U1"), "A1", 7'000);
    (void)t.begin("U1 A1 U2");
    const ScanResult branch = t.scan("U1 A1 U3"); // the parent was merely busy
    COMPARE_WORD(branch.decision, Decision::ParallelIsolated);
    QVERIFY(!branch.difference.has_value());
    QCOMPARE(t.decided(TurnId{1}, branch), QStringList{QStringLiteral("cache.lost 0")});
}

void CacheWatchTest::theSameBlobThatComparesUnequalIsACanary()
{
    Watched t;
    auto stored = Timeline::items("R1 A1");
    stored[0].identity = 77;
    const HeadId head = t.begin("U1");
    (void)t.pool.complete(head, {.responseId = "r", .echoed = stored}, t.now);
    auto request = Timeline::items("U1 R2 A1 U2");
    request[1].identity = 77;
    const ScanResult scan = t.pool.scan(t.request(request), t.now);
    COMPARE_WORD(scan.decision, Decision::HistoryMismatchNewHead);
    QVERIFY(scan.canaries == (std::vector<Canary>{{ItemKind::Reasoning, 1, head}}));
    QVERIFY(t.decided(TurnId{1}, scan).contains(QStringLiteral("cache.canary.reasoning 0")));
}

void CacheWatchTest::anotherBlobIsNone()
{
    Watched t;
    auto stored = Timeline::items("R1 A1");
    stored[0].identity = 77;
    (void)t.pool.complete(t.begin("U1"), {.responseId = "r", .echoed = stored}, t.now);
    auto request = Timeline::items("U1 R2 A1 U2");
    request[1].identity = 78;
    QVERIFY(t.pool.scan(t.request(request), t.now).canaries.empty());
    request[1].identity = 0;
    QVERIFY(t.pool.scan(t.request(request), t.now).canaries.empty());
}

void CacheWatchTest::everyAbandonedCandidateIsChecked()
{
    Watched t;
    auto stored = Timeline::items("R1 A1");
    stored[0].identity = 77;
    const HeadId faulty = t.begin("U1");
    (void)t.pool.complete(faulty, {.responseId = "r", .echoed = stored}, t.now);
    (void)t.turn("U1 R2 A5", "A6"); // goes along for longer
    auto request = Timeline::items("U1 R2 A1 U2");
    request[1].identity = 77;
    const ScanResult scan = t.pool.scan(t.request(request), t.now);
    QCOMPARE(scan.difference->index, std::size_t{2});
    QVERIFY(scan.canaries == (std::vector<Canary>{{ItemKind::Reasoning, 1, faulty}}));
}

void CacheWatchTest::aTurnThatDoesNotWaitWarnsAtOnce()
{
    Watched t;
    QCOMPARE(t.decided(TurnId{1}, mismatch(ItemKind::UserMessage)), lost100);
    QVERIFY(t.watch.settled(TurnId{1}, t.now.steady).empty());
}

void CacheWatchTest::aContinuationWarnsNobody()
{
    Watched t;
    for (const Decision decision :
         {Decision::Continuation, Decision::Fork, Decision::NewPartitionHead}) {
        ScanResult scan;
        scan.decision = decision;
        QCOMPARE(t.decided(TurnId{1}, scan), QStringList{});
    }
}

void CacheWatchTest::aFirstDifferenceAtTheStartIsANewConversation()
{
    Watched t;
    QCOMPARE(t.decided(TurnId{1}, mismatch(ItemKind::UserMessage, 0)), QStringList{});
    QCOMPARE(t.decided(TurnId{1}, mismatch(ItemKind::UserMessage, 1)), lost100);
}

void CacheWatchTest::aDeferredWarningIsDroppedWhenTheTurnContinuesAndSpendsNothing()
{
    Watched t;
    for (int i = 1; i <= 10; ++i) {
        const TurnId turn{static_cast<std::uint64_t>(i)};
        QCOMPARE(t.decided(turn, mismatch(ItemKind::UserMessage), true), QStringList{});
        QCOMPARE(t.watch.continued(turn), std::size_t{1});
        QCOMPARE(t.watch.continued(turn), std::size_t{0});
        QVERIFY(t.watch.settled(turn, t.now.steady).empty());
    }
    QCOMPARE(t.watch.overBudget(), std::uint64_t{0});
    for (int i = 0; i < 3; ++i)
        QCOMPARE(t.decided(TurnId{99}, mismatch(ItemKind::UserMessage)), lost100);
}

void CacheWatchTest::aDeferredWarningIsRaisedOnEveryOtherOutcome()
{
    Watched t;
    QCOMPARE(t.decided(TurnId{1}, mismatch(ItemKind::UserMessage), true), QStringList{});
    QCOMPARE(Watched::keys(t.watch.settled(TurnId{1}, t.now.steady)), lost100);
    QVERIFY(t.watch.settled(TurnId{1}, t.now.steady).empty()); // once
    // Each turn has its own.
    QCOMPARE(t.decided(TurnId{2}, mismatch(ItemKind::UserMessage), true), QStringList{});
    QVERIFY(t.watch.settled(TurnId{3}, t.now.steady).empty());
    QCOMPARE(t.watch.continued(TurnId{2}), std::size_t{1});
}

void CacheWatchTest::threeOfASignatureInAnHour()
{
    Watched t;
    const auto warn = [&t] { return t.decided(TurnId{1}, mismatch(ItemKind::UserMessage)); };
    QCOMPARE(warn(), lost100);
    t.pass(10min);
    QCOMPARE(warn(), lost100);
    QCOMPARE(warn(), lost100);
    QCOMPARE(warn(), QStringList{});
    QCOMPARE(t.watch.overBudget(), std::uint64_t{1});
    t.pass(50min - 1ns);
    QCOMPARE(warn(), QStringList{});
    t.pass(1ns); // the first one is an hour old
    QCOMPARE(warn(), lost100);
    QCOMPARE(warn(), QStringList{});
    t.pass(10min);
    QCOMPARE(warn(), lost100);
    QCOMPARE(warn(), lost100);
    QCOMPARE(warn(), QStringList{});
}

void CacheWatchTest::signaturesHaveBudgetsOfTheirOwn()
{
    Watched t;
    for (int i = 0; i < 4; ++i)
        (void)t.decided(TurnId{1}, mismatch(ItemKind::UserMessage));
    QCOMPARE(t.decided(TurnId{1}, mismatch(ItemKind::Reasoning)), lost100);
    ScanResult scan;
    scan.decision = Decision::HistoryMismatchNewHead;
    scan.canaries = {{ItemKind::FunctionCall, 1, HeadId{1}}};
    const auto canary = [&](const std::string &tool) {
        const std::vector<std::string> tools{tool};
        return t.watch.decided(TurnId{1}, scan, false, t.now.steady, tools).size();
    };
    for (int i = 0; i < 3; ++i)
        QCOMPARE(canary("Edit"), std::size_t{1});
    QCOMPARE(canary("Edit"), std::size_t{0});
    QCOMPARE(canary("Bash"), std::size_t{1});
}

void CacheWatchTest::noTextOfTheConversationIsTold()
{
    Watched t;
    t.end(t.begin("U-secret"), "A-secret", 1);
    for (const char *request : {"U-secret A-other U2", "U-secret"}) {
        for (const CacheWarning &warning :
             t.watch.decided(TurnId{1}, t.scan(request), false, t.now.steady))
            QVERIFY(warning.text.find("secret") == std::string::npos);
    }
}

QTEST_APPLESS_MAIN(CacheWatchTest)
#include "tst_cachewatch.moc"
