// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerverify.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using ledger::Record;

class LedgerVerifyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }
    void confirmsACleanLedger();
    void listsWhatTheRunningProcessHasOpen();
    void findsARecordThatWasRemoved_data();
    void findsARecordThatWasRemoved();
    void findsALifeThatEndedTwice();
    void findsWhatWasOpenAtAStop();
    void findsADamagedIndexOfTheFile();
    void acceptsLossesThatTheLedgerAccountsFor();
    void refusesWhatIsNoLedger();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("ledger.sqlite")); }
    void write(const std::vector<Record> &records,
               const std::optional<store::LedgerDatabase::Gap> &gap = std::nullopt)
    {
        auto database = store::LedgerDatabase::open(path());
        QVERIFY(database.has_value());
        QVERIFY(database->write(records, gap).has_value());
    }
    store::LedgerVerification verified() const
    {
        const auto result = store::verifyLedger(path());
        if (!result)
            qFatal("%s", qPrintable(result.error().text));
        return *result;
    }
    std::optional<QTemporaryDir> m_folder;
};

namespace {

Record of(std::uint64_t turn, ledger::Body body)
{
    Record record = samples::with(std::move(body));
    record.turn = base::TurnId(turn);
    return record;
}

ledger::TurnEnded ended(const char *how)
{
    ledger::TurnEnded turn;
    turn.end = how;
    turn.inputTokens = 1'000;
    turn.cachedTokens = 900;
    turn.outputTokens = 50;
    return turn;
}

ledger::Admission asks(std::uint64_t request, const char *outcome)
{
    ledger::Admission admission;
    admission.outcome = outcome;
    admission.request = request;
    return admission;
}

ledger::Connection opened(std::uint64_t request)
{
    ledger::Connection connection;
    connection.event = "opened";
    connection.request = request;
    return connection;
}

std::vector<Record> cleanRun()
{
    return {of(0, ledger::Process{"started", "0.1.0", 1}),
            of(1, ledger::TurnStarted{}),
            of(2, ledger::TurnStarted{}),
            of(1, asks(1, "admitted")),
            of(2, asks(2, "queued")),
            of(1, opened(1)),
            of(1, ended("completed")),
            of(2, asks(2, "cancelled")),
            of(2, ended("client_gone")),
            of(0, ledger::Process{"stopped", "0.1.0", 1})};
}

} // namespace

void LedgerVerifyTest::confirmsACleanLedger()
{
    write(cleanRun());
    const store::LedgerVerification result = verified();
    QVERIFY2(result.holds(), qPrintable(result.text()));
    QCOMPARE(result.records, (std::vector<quint64>{2, 2, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 2}));
    QCOMPARE(result.totals.turnsBegun, quint64{2});
    QCOMPARE(result.totals.turnsEnded, (std::array<std::uint64_t, 5>{1, 1, 0, 0, 0}));
    QCOMPARE(result.totals.requestsEnded, (std::array<std::uint64_t, 7>{0, 1, 0, 1, 0, 0, 0}));
    QCOMPARE(result.inputTokens, quint64{2'000});
    QCOMPARE(result.cachedTokens, quint64{1'800});
    QCOMPARE(result.outputTokens, quint64{100});
    QVERIFY(result.text().contains(
        QStringLiteral("turns: 2 begun, 1 completed, 1 client_gone; 0 open\n")));
    QVERIFY(result.text().contains(QStringLiteral("conserved: no disagreement\n")));
}

void LedgerVerifyTest::listsWhatTheRunningProcessHasOpen()
{
    auto records = cleanRun();
    records.resize(5);
    write(records);
    const store::LedgerVerification result = verified();
    QVERIFY(result.holds());
    QCOMPARE(result.open.turns.size(), std::size_t{2});
    QCOMPARE(result.open.requests.size(), std::size_t{2});
}

void LedgerVerifyTest::findsARecordThatWasRemoved_data()
{
    QTest::addColumn<QByteArray>("statement");
    QTest::newRow("the first") << QByteArray("DELETE FROM process WHERE seq = 1");
    QTest::newRow("one that conservation does not need") << QByteArray("DELETE FROM warning");
    QTest::newRow("two") << QByteArray("DELETE FROM warning WHERE seq > 0");
}

void LedgerVerifyTest::findsARecordThatWasRemoved()
{
    QFETCH(const QByteArray, statement);
    auto records = cleanRun();
    records.insert(records.begin() + 5,
                   {of(0, ledger::Warning{"a", ""}), of(0, ledger::Warning{"b", ""})});
    write(records);
    QVERIFY(verified().holds());
    testsupport::value(path(), QString::fromLatin1(statement));
    const store::LedgerVerification result = verified();
    QVERIFY(!result.holds());
    QVERIFY(result.missing > 0);
    QVERIFY(result.disagreements.join(u' ').contains(QStringLiteral("records: number")));
}

void LedgerVerifyTest::findsALifeThatEndedTwice()
{
    auto records = cleanRun();
    records.insert(records.end() - 1, of(1, ended("failed")));
    write(records);
    const store::LedgerVerification result = verified();
    QCOMPARE(result.disagreementCount, quint64{1});
    QVERIFY(result.disagreements.at(0).contains(
        QStringLiteral("req_0000000000000001 ended a second time")));
    QVERIFY(result.text().contains(QStringLiteral("NOT conserved: 1 disagreements")));
    QVERIFY(result.text().contains(result.disagreements.at(0)));
}

void LedgerVerifyTest::findsWhatWasOpenAtAStop()
{
    auto records = cleanRun();
    records.erase(records.end() - 2); // the end of turn 2
    write(records);
    const store::LedgerVerification result = verified();
    QCOMPARE(result.disagreementCount, quint64{1});
    QVERIFY(
        result.disagreements.at(0).contains(QStringLiteral("req_0000000000000002 was still open")));
}

void LedgerVerifyTest::findsADamagedIndexOfTheFile()
{
    write(cleanRun());
    // A freelist that counts a page too many: the tables read well, SQLite's own check objects.
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(36)); // the header's freelist count
    QCOMPARE(file.write(QByteArray::fromHex("00000001")), 4);
    file.close();
    const store::LedgerVerification result = verified();
    QVERIFY(!result.holds());
    QVERIFY(result.disagreements.at(0).startsWith(QStringLiteral("file: ")));
}

void LedgerVerifyTest::acceptsLossesThatTheLedgerAccountsFor()
{
    write({of(0, ledger::Process{"started", "0.1.0", 1}), of(1, ledger::TurnStarted{})});
    // Turn 1 ended and turn 2 began while the disk was full.
    write({of(2, ended("completed")), of(0, ledger::Process{"stopped", "0.1.0", 1})},
          store::LedgerDatabase::Gap{.reason = QStringLiteral("lost"),
                                     .lost = 2,
                                     .open = {.turns = {base::TurnId(2)}, .requests = {}}});
    const store::LedgerVerification result = verified();
    QVERIFY2(result.holds(), qPrintable(result.text()));
    QCOMPARE(result.lost, quint64{2});
    QVERIFY(result.text().contains(QStringLiteral("could not be written: 2 records")));
}

void LedgerVerifyTest::refusesWhatIsNoLedger()
{
    const auto none = store::verifyLedger(path());
    QVERIFY(!none.has_value());
    QVERIFY(none.error().text.contains(QStringLiteral("there is no ledger")));
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(5'000, 'x')) == 5'000);
    file.close();
    QCOMPARE(store::verifyLedger(path()).error().code, store::StoreError::Code::Damaged);
    file.remove();
    testsupport::value(path(), QStringLiteral("CREATE TABLE somebodys (x)"));
    QCOMPARE(store::verifyLedger(path()).error().code, store::StoreError::Code::Newer);
}

QTEST_GUILESS_MAIN(LedgerVerifyTest)
#include "tst_ledgerverify.moc"
