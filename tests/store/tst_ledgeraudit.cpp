// SPDX-License-Identifier: GPL-3.0-or-later
// A ledger gone over step by step says the same as one gone over at once.
#include "proxy/store/ledgeraudit.h"
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerreader.h"
#include "proxy/store/ledgerretention.h"
#include "proxy/store/ledgerverify.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace headway;
using ledger::Record;

class LedgerAuditTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void stepsSayWhatOneLookSays_data();
    void stepsSayWhatOneLookSays();
    void whatWasMadeSinceIsGoneOverAlone();
    void aGapAtTheEndOfAStepIsFound();
    void aRecordRemovedBehindTheAuditIsNoDisagreementWhenRetentionDidIt();
    void lossesAtTheSeamOfTwoStepsAreAccountedFor();
    void aNewFileIsGoneOverFromItsStart();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("l.sqlite")); }
    void write(const std::vector<Record> &records,
               const std::optional<store::LedgerDatabase::Gap> &gap = {}) const;
    void goOn(store::LedgerAudit &audit, qint64 most) const;
    void goToTheEnd(store::LedgerAudit &audit, qint64 most) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

Record of(std::uint64_t turn, ledger::Body body)
{
    return {samples::time, base::TurnId(turn), {}, {}, std::move(body)};
}

ledger::TurnEnded ended(const char *how)
{
    ledger::TurnEnded turn;
    turn.end = how;
    return turn;
}

std::vector<Record> run(int turns)
{
    std::vector<Record> records{of(0, ledger::Process{"started", "0.1.0", 1})};
    for (int turn = 1; turn <= turns; ++turn) {
        const auto id = static_cast<std::uint64_t>(turn);
        records.push_back(of(id, ledger::TurnStarted{}));
        records.push_back(of(id, ended("completed")));
    }
    return records;
}

} // namespace

void LedgerAuditTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void LedgerAuditTest::write(const std::vector<Record> &records,
                            const std::optional<store::LedgerDatabase::Gap> &gap) const
{
    auto database = store::LedgerDatabase::open(path());
    if (!database || !database->write(records, gap))
        qFatal("the ledger cannot be written");
}

void LedgerAuditTest::goOn(store::LedgerAudit &audit, qint64 most) const
{
    const auto reader = store::LedgerReader::open(path());
    if (!reader || !audit.goOn(reader->connection(), most))
        qFatal("the ledger cannot be read");
}

void LedgerAuditTest::goToTheEnd(store::LedgerAudit &audit, qint64 most) const
{
    int steps = 0;
    do
        goOn(audit, most);
    while (!audit.isAtEnd() && ++steps < 1'000);
    QVERIFY(audit.isAtEnd());
}

void LedgerAuditTest::stepsSayWhatOneLookSays_data()
{
    QTest::addColumn<qint64>("most");
    QTest::addColumn<QByteArray>("change");
    for (const qint64 most : {1, 2, 3, 7, 1'000}) {
        QTest::addRow("%lld at a time, nothing wrong", static_cast<long long>(most))
            << most << QByteArray();
        QTest::addRow("%lld at a time, an end lacks", static_cast<long long>(most))
            << most << QByteArray("DELETE FROM turn WHERE seq = 5");
        QTest::addRow("%lld at a time, two beginnings lack", static_cast<long long>(most))
            << most << QByteArray("DELETE FROM turn_started WHERE seq IN (8, 10)");
        QTest::addRow("%lld at a time, a row stands before the first", static_cast<long long>(most))
            << most
            << QByteArray("INSERT INTO warning (seq, time, key, text) VALUES (0, '', '', '')");
    }
}

void LedgerAuditTest::stepsSayWhatOneLookSays()
{
    QFETCH(const qint64, most);
    QFETCH(const QByteArray, change);
    write(run(10));
    if (!change.isEmpty())
        testsupport::value(path(), QString::fromLatin1(change));
    const auto whole = store::verifyLedger(path());
    QVERIFY(whole);
    QCOMPARE(whole->holds(), change.isEmpty());
    store::LedgerAudit audit(1'000);
    goToTheEnd(audit, most);
    QCOMPARE(audit.disagreementCount(), whole->disagreementCount);
    QCOMPARE(audit.disagreements(), whole->disagreements);
    QCOMPARE(audit.missing(), whole->missing);
    QCOMPARE(audit.conservation().totals(), whole->totals);
}

void LedgerAuditTest::whatWasMadeSinceIsGoneOverAlone()
{
    auto records = run(3);
    records.push_back(of(4, ledger::TurnStarted{})); // open at the seam
    write(records);
    store::LedgerAudit audit(1'000);
    goToTheEnd(audit, 100);
    QCOMPARE(audit.conservation().totals().records, quint64{8});
    write({of(4, ended("completed")), of(5, ledger::TurnStarted{}), of(5, ended("failed"))});
    QCOMPARE(audit.share(), 1.0);
    goToTheEnd(audit, 100);
    QCOMPARE(audit.conservation().totals().records, quint64{11});
    QCOMPARE(audit.disagreementCount(), quint64{0});
    write({of(5, ended("completed"))}); // a second time
    goToTheEnd(audit, 100);
    QCOMPARE(audit.disagreementCount(), quint64{1});
}

void LedgerAuditTest::aGapAtTheEndOfAStepIsFound()
{
    write(run(10));
    testsupport::value(path(), QStringLiteral("DELETE FROM turn WHERE seq BETWEEN 3 AND 12"));
    testsupport::value(path(),
                       QStringLiteral("DELETE FROM turn_started WHERE seq BETWEEN 3 AND 12"));
    store::LedgerAudit audit(1'000);
    goToTheEnd(audit, 4); // a whole step finds nothing
    QCOMPARE(audit.missing(), quint64{10});
}

void LedgerAuditTest::aRecordRemovedBehindTheAuditIsNoDisagreementWhenRetentionDidIt()
{
    write(run(10));
    store::LedgerAudit audit(1'000);
    goOn(audit, 4);
    QVERIFY(audit.share() < 1);
    {
        const auto connection = store::SqlConnection::open(
            path(), store::SqlConnection::Access::ReadWrite, std::chrono::seconds(5));
        QVERIFY(connection);
        // Everything is older than this.
        const auto more = store::retainStep(
            *connection, {.oldest = samples::time + std::chrono::hours(1), .bytes = 1 << 30});
        QVERIFY(more);
    }
    write({of(11, ledger::TurnStarted{}), of(11, ended("completed"))});
    goToTheEnd(audit, 4);
    QCOMPARE(audit.disagreements(), QStringList());
}

void LedgerAuditTest::lossesAtTheSeamOfTwoStepsAreAccountedFor()
{
    write({of(0, ledger::Process{"started", "0.1.0", 1}), of(1, ledger::TurnStarted{})});
    store::LedgerAudit audit(1'000);
    goToTheEnd(audit, 2);
    // Turn 1 ended and turn 2 began while the disk was full.
    write({of(2, ended("completed"))},
          store::LedgerDatabase::Gap{.reason = QStringLiteral("lost"),
                                     .lost = 2,
                                     .open = {.turns = {base::TurnId(2)}, .requests = {}}});
    goToTheEnd(audit, 2);
    QCOMPARE(audit.disagreements(), QStringList());
    QCOMPARE(audit.lost(), quint64{2});
}

void LedgerAuditTest::aNewFileIsGoneOverFromItsStart()
{
    write(run(10));
    store::LedgerAudit audit(1'000);
    goToTheEnd(audit, 100);
    for (const char *ending : {"", "-wal", "-shm"})
        QFile::remove(path() + QLatin1String(ending));
    write(run(2));
    goToTheEnd(audit, 100);
    QCOMPARE(audit.conservation().totals().records, quint64{5});
    QCOMPARE(audit.disagreements(), QStringList());
}

QTEST_GUILESS_MAIN(LedgerAuditTest)
#include "tst_ledgeraudit.moc"
