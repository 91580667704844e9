// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/columns.h"
#include "ui/format/settingwords.h"
#include "ui/format/words.h"
#include "ui/models/recorddetails.h"
#include "ui/models/recordwords.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;

class WordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void phasesCarryTheirGlyphAndMeaning();
    void decisionsAreSaidInPlainWords();
    void upstreamStatesAreSortedByWhatTheyMean();
    void changesReadAsASentence();
    void onlyFailuresLookLikeFailures();
    void everyKindOfRecordHasANameAndALine();
    void limitsAreSaidInPlainWords();
    void detailsShowEveryColumnThatApplies();
    void hostileTextsStayText();
};

void WordsTest::phasesCarryTheirGlyphAndMeaning()
{
    QCOMPARE(phaseWord(live::Phase::Streaming).meaning, Meaning::Active);
    QCOMPARE(phaseWord(live::Phase::Streaming).glyph, u'▶');
    QCOMPARE(phaseWord(live::Phase::Queued).meaning, Meaning::Waiting);
    QCOMPARE(phaseWord(live::Phase::Queued).glyph, u'◐');
    QCOMPARE(phaseWord(live::Phase::Backoff).meaning, Meaning::Limit);
}

void WordsTest::decisionsAreSaidInPlainWords()
{
    using heads::Decision;
    using heads::Place;
    QCOMPARE(decisionWords({}, {}), QStringLiteral("–"));
    QCOMPARE(decisionWords(Decision::Continuation, Place::Same), QStringLiteral("continued"));
    QCOMPARE(decisionWords(Decision::NewPartitionHead, Place::Dialled), QStringLiteral("new head"));
    QCOMPARE(decisionWords(Decision::ParallelIsolated, Place::Lane),
             QStringLiteral("beside a busy parent · free lane"));
    QCOMPARE(agentWords("s1", ""), QStringLiteral("main · s1"));
    QCOMPARE(agentWords("s1", "a2"), QStringLiteral("a2 · s1"));
}

void WordsTest::upstreamStatesAreSortedByWhatTheyMean()
{
    QCOMPARE(upstreamWord("ok").meaning, Meaning::Active);
    QCOMPARE(upstreamWord("untried").meaning, Meaning::Done);
    QCOMPARE(upstreamWord("rejecting (403)").meaning, Meaning::Limit);
    QCOMPARE(upstreamWord("unreachable: no route").meaning, Meaning::Failed);
    QCOMPARE(upstreamWord("unreachable: no route").text, QStringLiteral("unreachable: no route"));
}

void WordsTest::changesReadAsASentence()
{
    QCOMPARE(changeText({{}, "rate_per_min", "60", "6", "window"}), QStringLiteral("rate 60 → 6"));
    QCOMPARE(changeText({{}, "idle_ms", "120000", "30000", "file"}),
             QStringLiteral("idle deadline 2\u00a0min\u00a000\u00a0s → 30\u00a0s"));
    QCOMPARE(changeText({{}, "rate_per_min", "6", "0", "window"}),
             QStringLiteral("rate 6 → no limit"));
    QCOMPARE(changeText({{}, "made_up", "", "x", ""}), QStringLiteral("made_up default → x"));
    QCOMPARE(whoWords("window"), QStringLiteral("by you"));
}

void WordsTest::onlyFailuresLookLikeFailures()
{
    const auto meaning = [](const char *end) {
        ledger::TurnEnded ended;
        ended.end = end;
        return recordWords({{}, {}, {}, {}, ended}).meaning;
    };
    QCOMPARE(meaning("completed"), Meaning::Done);
    QCOMPARE(meaning("client_gone"), Meaning::Done);
    QCOMPARE(meaning("refused"), Meaning::Limit);
    QCOMPARE(meaning("failed"), Meaning::Failed);
    QCOMPARE(meaning("process_died"), Meaning::Failed);
    ledger::Connection closed;
    closed.event = "closed";
    QCOMPARE(recordWords({{}, {}, {}, {}, closed}).meaning, Meaning::Done);
    closed.event = "rejected";
    QCOMPARE(recordWords({{}, {}, {}, {}, closed}).meaning, Meaning::Limit);
}

void WordsTest::everyKindOfRecordHasANameAndALine()
{
    std::vector<ledger::Body> all;
    for (const ledger::Kind &kind : ledger::kinds())
        all.push_back(kind.blank().body);
    QCOMPARE(all.size(), std::variant_size_v<ledger::Body>);
    QCOMPARE(recordKinds().size(), static_cast<qsizetype>(all.size()));
    for (const ledger::Body &body : all) {
        const ledger::Record record{{}, {}, {}, {}, body};
        QVERIFY(recordKind(record) != QStringLiteral("–"));
        QVERIFY(recordWords(record).glyph != 0);
    }
}

void WordsTest::limitsAreSaidInPlainWords()
{
    const auto line = [](ledger::Body body, base::WallTime at = {}) {
        QString text = recordWords({at, {}, {}, {}, std::move(body)}).text;
        return text.replace(u'\u00a0', u' ').replace(u'\u202f', u' ');
    };
    QCOMPARE(line(ledger::SpacingChanged{"adaptive", 0, 2'000}),
             QStringLiteral("spacing between openings: none → 2.0 s"));
    ledger::CeilingChanged learned;
    learned.oldShape = "unknown";
    learned.shape = "window";
    learned.perMinute = 71.2;
    learned.confidence = 0.5;
    QCOMPARE(line(learned),
             QStringLiteral("estimated ceiling: none known → 71.2 openings/min, confidence 50 %"));
    ledger::CeilingChanged capped;
    capped.oldShape = "window";
    capped.shape = "cap";
    capped.oldPerMinute = 70;
    capped.socketCap = 40;
    capped.confidence = 0.75;
    QCOMPARE(line(capped),
             QStringLiteral("estimated ceiling: 70 openings/min → 40 open sockets, confidence "
                            "75 %"));
    QCOMPARE(line(ledger::TokenBudget{"tokens", 60'000, 9'000, 8'000, 15'000, 2'000.0, true}),
             QStringLiteral("tokens: 8 000 of 60 000 left, calls wait 2.0 s for the reset"));
    QCOMPARE(line(ledger::QuotaWindow{"codex", "5 h", 18'000'000, 41, {}}),
             QStringLiteral("5 h quota: 41 % used"));
    const base::WallTime noon(base::Milliseconds(1'772'366'400'000));
    const ledger::QuotaWindow week{"codex", "7 d", 604'800'000, 85, noon + std::chrono::days(3)};
    const ledger::Record told{noon, {}, {}, {}, week};
    QCOMPARE(recordWords(told).meaning, Meaning::Waiting);
    QVERIFY(recordWords(told).text.contains(QStringLiteral("Wed"))); // not a clock alone
}

void WordsTest::detailsShowEveryColumnThatApplies()
{
    ledger::TurnEnded ended;
    ended.end = "completed";
    ended.totalMs = 4'200;
    ended.inputTokens = 24'000;
    ended.model = "a-model";
    const QString html = recordDetails({{}, base::TurnId(0x12d5), "s1", "a1", ended});
    for (const char *expected :
         {"req_00000000000012d5", "s1", "a1", "completed", "a-model", "4.2", "24"})
        QVERIFY2(html.contains(QString::fromLatin1(expected)), expected);
}

void WordsTest::hostileTextsStayText()
{
    const QString html = recordDetails({{}, {}, {}, {}, ledger::Warning{"k", "<img src=x>"}});
    QVERIFY(!html.contains(QLatin1String("<img")));
    QVERIFY(html.contains(QLatin1String("&lt;img")));
}

QTEST_APPLESS_MAIN(WordsTest)
#include "tst_words.moc"
