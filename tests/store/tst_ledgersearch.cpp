// SPDX-License-Identifier: GPL-3.0-or-later
// A ledger looked at page by page (spec/window.md, "Ledger").
#include "proxy/core/ledger/columns.h"
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgersearch.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace headway;
using ledger::Record;
using store::LedgerKey;
using Numbers = std::vector<qint64>;

class LedgerSearchTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void saysWhereTheLedgerBeginsAndEnds();
    void aLedgerThatIsNotThereIsSaid();
    void findsWordsInAnyText_data();
    void findsWordsInAnyText();
    void staysWithinTheNumbersAskedAbout();
    void gathersByWhatIsSortedBy();
    void readsThoseOfAPageThatAreThere();
    void looksThroughALedgerOfAnOlderProgram();

private:
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("l.sqlite")); }
    [[nodiscard]] Numbers found(const store::LedgerSearch &search) const;
    QTemporaryDir m_folder;
};

namespace {

Record of(std::uint64_t turn, std::string session, std::string agent, ledger::Body body)
{
    return {samples::time, base::TurnId(turn), std::move(session), std::move(agent),
            std::move(body)};
}

ledger::TurnEnded ended(std::string end)
{
    ledger::TurnEnded turn;
    turn.end = std::move(end);
    return turn;
}

// Their numbers are 1 to 7.
std::vector<Record> some()
{
    ledger::Connection rejected;
    rejected.event = "rejected";
    rejected.connection = 77;
    rejected.status = 429;
    rejected.reason = "100% of the plan\\limit";
    return {of(2, "s1", "a2", ledger::TurnStarted{"messages", "opus", "gpt-large", "", 100}),
            of(1, "s1", "", ledger::TurnStarted{"messages", "opus", "gpt-small", "", 429}),
            of(2, "s1", "a2", rejected),
            of(1, "s2", "", ended("client_gone")),
            of(2, "s1", "a2", ended("completed")),
            of(0, "", "", ledger::Warning{"notice", "The CACHE was missed."}),
            of(0, "", "", ledger::Warning{"notice", "Plain words."})};
}

} // namespace

void LedgerSearchTest::initTestCase()
{
    auto database = store::LedgerDatabase::open(path());
    QVERIFY(database);
    QVERIFY(database->write(some()));
}

Numbers LedgerSearchTest::found(const store::LedgerSearch &search) const
{
    const auto groups = store::searchLedger(path(), search);
    if (!groups)
        qFatal("%s", qPrintable(groups.error().text));
    Numbers all;
    for (const store::LedgerGroup &group : *groups)
        all.insert(all.end(), group.seqs.begin(), group.seqs.end());
    std::ranges::sort(all);
    return all;
}

void LedgerSearchTest::saysWhereTheLedgerBeginsAndEnds()
{
    const auto extent = store::ledgerExtent(path());
    QVERIFY(extent);
    QCOMPARE(extent->first, qint64{1});
    QCOMPARE(extent->last, qint64{7});
}

void LedgerSearchTest::aLedgerThatIsNotThereIsSaid()
{
    const auto extent = store::ledgerExtent(m_folder.filePath(QStringLiteral("none.sqlite")));
    QVERIFY(!extent);
    QVERIFY(extent.error().text.contains(QStringLiteral("there is no ledger")));
}

void LedgerSearchTest::findsWordsInAnyText_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<Numbers>("numbers");
    QTest::newRow("nothing: all") << "" << Numbers{1, 2, 3, 4, 5, 6, 7};
    QTest::newRow("a model") << "gpt-small" << Numbers{2};
    QTest::newRow("in any case") << "the cache" << Numbers{6};
    QTest::newRow("a space is an underscore, too") << "client gone" << Numbers{4};
    QTest::newRow("an agent") << "a2" << Numbers{1, 3, 5};
    QTest::newRow("a turn") << "req_0000000000000001" << Numbers{2, 4};
    QTest::newRow("a number is any whole number") << "429" << Numbers{2, 3};
    QTest::newRow("a percent sign is itself") << "0% of" << Numbers{3};
    QTest::newRow("a percent sign matches nothing else") << "c%e" << Numbers{};
    QTest::newRow("a backslash is itself") << "plan\\limit" << Numbers{3};
    QTest::newRow("an apostrophe ends nothing") << "' OR 1=1 --" << Numbers{};
    QTest::newRow("not the time") << "2026" << Numbers{};
}

void LedgerSearchTest::findsWordsInAnyText()
{
    QFETCH(const QString, words);
    QFETCH(const Numbers, numbers);
    QCOMPARE(found({.from = 1, .to = 7, .words = words}), numbers);
}

void LedgerSearchTest::staysWithinTheNumbersAskedAbout()
{
    QCOMPARE(found({.from = 2, .to = 4}), (Numbers{2, 3, 4}));
    QCOMPARE(found({.from = 2, .to = 7, .kind = ledger::findKind("turn")}), (Numbers{4, 5}));
    QCOMPARE(found({.from = 5,
                    .to = 7,
                    .kind = ledger::findKind("turn"),
                    .words = QStringLiteral("gone")}),
             Numbers{});
}

void LedgerSearchTest::gathersByWhatIsSortedBy()
{
    const auto keys = [this](LedgerKey key) {
        std::vector<std::pair<std::string, Numbers>> all;
        const auto groups = store::searchLedger(path(), {.from = 1, .to = 7, .key = key});
        for (const store::LedgerGroup &group : groups.value())
            all.emplace_back(group.key, group.seqs);
        std::ranges::sort(all);
        return all;
    };
    using Groups = std::vector<std::pair<std::string, Numbers>>;
    QCOMPARE(keys(LedgerKey::Word),
             (Groups{{"Plain words.", {7}},
                     {"The CACHE was missed.", {6}},
                     {"client_gone", {4}},
                     {"completed", {5}},
                     {"gpt-large", {1}},
                     {"gpt-small", {2}},
                     {"rejected", {3}}}));
    const Groups turns = keys(LedgerKey::Turn);
    QCOMPARE(turns.front(), (std::pair<std::string, Numbers>{"", {6, 7}}));
    QCOMPARE(turns.back().first, std::string("req_0000000000000002"));
    const Groups who = keys(LedgerKey::Who);
    QCOMPARE(who.front().second, (Numbers{6, 7})); // nobody's
    QVERIFY(who.back().first.starts_with("a2"));
}

void LedgerSearchTest::readsThoseOfAPageThatAreThere()
{
    const auto page = store::readRecords(path(), Numbers{6, 3, 99});
    QVERIFY(page);
    QCOMPARE(page->size(), std::size_t{2});
    QCOMPARE(page->at(0).first, qint64{3});
    QCOMPARE(std::get<ledger::Connection>(page->at(0).second.body).status,
             std::optional<std::uint64_t>(429));
    QCOMPARE(page->at(1).first, qint64{6});
    QVERIFY(store::readRecords(path(), Numbers{})->empty());
}

void LedgerSearchTest::looksThroughALedgerOfAnOlderProgram()
{
    const QString older = m_folder.filePath(QStringLiteral("older.sqlite"));
    {
        auto database = store::LedgerDatabase::open(older);
        QVERIFY(database && database->write(some()));
    }
    testsupport::value(older, QStringLiteral("DROP TABLE quota_window"));
    testsupport::value(older, QStringLiteral("PRAGMA user_version = 3"));
    QCOMPARE(store::ledgerExtent(older)->last, qint64{7});
    QCOMPARE(
        store::searchLedger(older, {.from = 1, .to = 7, .words = QStringLiteral("plain")})->size(),
        std::size_t{1});
    QCOMPARE(store::readRecords(older, Numbers{7})->size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(LedgerSearchTest)
#include "tst_ledgersearch.moc"
