// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerretention.h"
#include "proxy/store/ledgerstore.h"
#include "proxy/store/ledgerverify.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace headway;

class LedgerRetentionTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void removesExactlyWhatIsTooOld();
    void removesAThousandRecordsAStepAtMost();
    void shrinksTheFileToItsLimit();
    void keepsEverythingWithinTheLimits();
    void keepsFreshRecordsBehindAClockSetBack();
    void keepsConservationAcrossTheCut();
    void numbersOnAfterEverythingWasRemoved();
    void accountsForALossRightBehindTheCut();
    void isDoneByTheStoreBesideItsWriting();

private:
    void write(const std::vector<ledger::Record> &records)
    {
        QVERIFY(m_database->write(records).has_value());
    }
    int retain(const store::RetentionLimits &limits)
    {
        int steps = 1;
        while (store::retainStep(m_database->connection(), limits).value())
            ++steps;
        return steps;
    }
    qint64 number(const char *statement) const
    {
        return testsupport::number(m_path, QString::fromLatin1(statement));
    }
    std::optional<QTemporaryDir> m_folder;
    QString m_path;
    std::optional<store::LedgerDatabase> m_database;
};

namespace {

constexpr qint64 noLimit = std::numeric_limits<qint64>::max();
constexpr base::WallTime never; // nothing is older than 1970

// Warnings `second` seconds after the samples' time.
std::vector<ledger::Record> warnings(int count, int second, std::size_t size = 10)
{
    std::vector<ledger::Record> records;
    for (int i = 0; i < count; ++i) {
        records.push_back(
            samples::with(ledger::Warning{std::to_string(second), std::string(size, 't')}));
        records.back().at = samples::time + base::Seconds(second);
    }
    return records;
}

ledger::Record turn(std::uint64_t id, int second, ledger::Body body)
{
    ledger::Record record = samples::with(std::move(body));
    record.turn = base::TurnId(id);
    record.at = samples::time + base::Seconds(second);
    return record;
}

} // namespace

void LedgerRetentionTest::init()
{
    m_database.reset();
    m_folder.emplace();
    m_path = m_folder->filePath(QStringLiteral("ledger.sqlite"));
    auto database = store::LedgerDatabase::open(m_path);
    QVERIFY(database.has_value());
    m_database.emplace(std::move(*database));
}

void LedgerRetentionTest::removesExactlyWhatIsTooOld()
{
    for (int second = 0; second < 10; ++second)
        write(warnings(5, second));
    retain({.oldest = samples::time + base::Seconds(4), .bytes = noLimit});
    QCOMPARE(number("SELECT min(CAST(key AS INTEGER)) FROM warning"), 4); // as old as allowed
    QCOMPARE(number("SELECT count(*) FROM warning"), 30);
    QVERIFY(store::verifyLedger(m_path)->holds());
}

void LedgerRetentionTest::removesAThousandRecordsAStepAtMost()
{
    write(warnings(2'500, 0));
    write(warnings(1, 9));
    QVERIFY(store::retainStep(m_database->connection(),
                              {.oldest = samples::time + base::Seconds(5), .bytes = noLimit})
                .value());
    QCOMPARE(number("SELECT count(*) FROM warning"), 1'501);
    QCOMPARE(retain({.oldest = samples::time + base::Seconds(5), .bytes = noLimit}), 3);
    QCOMPARE(number("SELECT count(*) FROM warning"), 1);
}

void LedgerRetentionTest::shrinksTheFileToItsLimit()
{
    for (int second = 0; second < 20; ++second)
        write(warnings(500, second, 400));
    QVERIFY(m_database->connection()
                .run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"))
                .has_value());
    QVERIFY(QFileInfo(m_path).size() > 4'000'000);
    retain({.oldest = never, .bytes = 1'000'000});
    QVERIFY(m_database->connection()
                .run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"))
                .has_value());
    QVERIFY(QFileInfo(m_path).size() <= 1'000'000);
    const qint64 left = number("SELECT count(*) FROM warning");
    QVERIFY(left >= 500 && left <= 2'500); // about a megabyte of them
    QCOMPARE(number("SELECT max(CAST(key AS INTEGER)) FROM warning"), 19); // the latest are kept
    QVERIFY(store::verifyLedger(m_path)->holds());
}

void LedgerRetentionTest::keepsEverythingWithinTheLimits()
{
    write(warnings(100, 0));
    QCOMPARE(retain({.oldest = samples::time, .bytes = 10'000'000}), 1);
    QCOMPARE(number("SELECT count(*) FROM warning"), 100);
    QCOMPARE(number("SELECT count(*) FROM checkpoint"), 0);
}

void LedgerRetentionTest::keepsFreshRecordsBehindAClockSetBack()
{
    write(warnings(10, 100));
    write(warnings(10, 0)); // written later, dated earlier
    retain({.oldest = samples::time + base::Seconds(50), .bytes = noLimit});
    QCOMPARE(number("SELECT count(*) FROM warning"), 20);
}

void LedgerRetentionTest::keepsConservationAcrossTheCut()
{
    ledger::TurnEnded completed;
    completed.end = "completed";
    ledger::Admission asks;
    asks.request = 7;
    asks.outcome = "admitted";
    ledger::Connection opened;
    opened.event = "opened";
    opened.request = 7;
    write({turn(0, 0, ledger::Process{"started", "0.1.0", 1}), turn(1, 0, ledger::TurnStarted{}),
           turn(2, 0, ledger::TurnStarted{}), turn(1, 0, asks)});
    write({turn(2, 1, completed)});
    write({turn(1, 2, opened), turn(1, 2, completed)});
    for (const int second : {1, 2}) { // both cuts fall into the lives
        retain({.oldest = samples::time + base::Seconds(second), .bytes = noLimit});
        const auto verified = store::verifyLedger(m_path);
        QVERIFY2(verified->holds(), qPrintable(verified->text()));
        QCOMPARE(verified->open, ledger::OpenLives{});
    }
    QCOMPARE(number("SELECT count(*) FROM turn_started"), 0);
    QCOMPARE(number("SELECT count(*) FROM turn"), 1);
    write({turn(1, 3, completed)}); // and a second end is still found
    QCOMPARE(store::verifyLedger(m_path)->disagreementCount, quint64{1});
}

void LedgerRetentionTest::numbersOnAfterEverythingWasRemoved()
{
    write(warnings(5, 0));
    retain({.oldest = samples::time + base::Seconds(1), .bytes = noLimit});
    QCOMPARE(number("SELECT count(*) FROM warning"), 0);
    write(warnings(1, 9));
    QCOMPARE(number("SELECT seq FROM warning"), 6);
    QVERIFY(store::verifyLedger(m_path)->holds());
}

void LedgerRetentionTest::accountsForALossRightBehindTheCut()
{
    write(warnings(5, 0));
    retain({.oldest = samples::time + base::Seconds(1), .bytes = noLimit});
    const store::LedgerDatabase::Gap gap{.reason = QStringLiteral("lost"), .lost = 3, .open = {}};
    QVERIFY(m_database->write(warnings(1, 9), gap).has_value());
    const auto verified = store::verifyLedger(m_path);
    QVERIFY2(verified->holds(), qPrintable(verified->text()));
    QCOMPARE(verified->lost, quint64{3});
}

void LedgerRetentionTest::isDoneByTheStoreBesideItsWriting()
{
    m_database.reset();
    store::LedgerOptions options;
    options.path = m_path;
    options.batchAge = std::chrono::milliseconds(1);
    options.retentionAge = std::chrono::hours(24 * 36'500);
    store::LedgerStore ledger(options);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    auto old = warnings(3'000, 0);
    for (ledger::Record &record : old)
        record.at = base::WallTime(std::chrono::hours(24)); // of 1970
    ledger.append(old);
    QTRY_COMPARE(committed.size(), 3);
    ledger.setRetention(std::chrono::hours(24), noLimit);
    QTRY_COMPARE(number("SELECT count(*) FROM warning"), 0);
    ledger.stop();
    QVERIFY(store::verifyLedger(m_path)->holds());
}

QTEST_GUILESS_MAIN(LedgerRetentionTest)
#include "tst_ledgerretention.moc"
