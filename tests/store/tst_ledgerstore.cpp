// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerstore.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;

class LedgerStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesABatchWhenItsOldestRecordIsOldEnough();
    void writesABatchAtOnceWhenItIsFull();
    void writesWhatIsLeftWhenItStops();
    void writesInTheOrderOfTheCalls();
    void saysOkOnceTheFileIsOpen();
    void keepsTheFilesToTheOwner();
    void usesTheWalAndVersionsTheSchema();
    void goesOnWhereTheLastRunEnded();
    void dropsRecordsAfterItStopped();
    void neverStartedIsHarmless();

private:
    store::LedgerOptions options() const
    {
        store::LedgerOptions options;
        options.path = m_folder->filePath(QStringLiteral("state/ledger.sqlite"));
        options.retentionAge = std::chrono::hours(24 * 36'500); // the samples' date does not matter
        return options;
    }
    std::optional<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder.emplace(); }
};

namespace {

std::vector<ledger::Record> warnings(int count, int from = 0)
{
    std::vector<ledger::Record> records;
    for (int i = from; i < from + count; ++i)
        records.push_back(samples::with(ledger::Warning{std::to_string(i), ""}));
    return records;
}

const QString keysInOrder
    = QStringLiteral("SELECT group_concat(key) FROM (SELECT key FROM warning ORDER BY seq)");

} // namespace

void LedgerStoreTest::writesABatchWhenItsOldestRecordIsOldEnough()
{
    store::LedgerStore ledger(options());
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append(warnings(3)); // far from full: only its age can write it
    QTRY_COMPARE(committed.size(), 1);
    QCOMPARE(committed.at(0).at(0).toULongLong(), 3U);
    QCOMPARE(testsupport::number(options().path, QStringLiteral("SELECT count(*) FROM warning")),
             3);
}

void LedgerStoreTest::writesABatchAtOnceWhenItIsFull()
{
    auto slow = options();
    slow.batchAge = std::chrono::hours(1);
    store::LedgerStore ledger(slow);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append(warnings(999));
    ledger.append(warnings(1));
    QTRY_COMPARE(committed.size(), 1);
    ledger.append(warnings(2'500)); // no transaction is larger than a batch
    QTRY_COMPARE(committed.size(), 4);
    QCOMPARE(committed.at(1).at(0).toULongLong(), 2'000U);
    QCOMPARE(committed.at(2).at(0).toULongLong(), 3'000U);
    QCOMPARE(committed.at(3).at(0).toULongLong(), 3'500U);
}

void LedgerStoreTest::writesWhatIsLeftWhenItStops()
{
    auto slow = options();
    slow.batchAge = std::chrono::hours(1);
    store::LedgerStore ledger(slow);
    ledger.start();
    ledger.append(warnings(7));
    ledger.stop();
    QCOMPARE(testsupport::number(slow.path, QStringLiteral("SELECT count(*) FROM warning")), 7);
    QVERIFY(!QFileInfo::exists(slow.path + QStringLiteral("-wal"))); // the file was closed
}

void LedgerStoreTest::writesInTheOrderOfTheCalls()
{
    store::LedgerStore ledger(options());
    ledger.start();
    for (int i = 0; i < 5; ++i)
        ledger.append(warnings(2, 2 * i));
    ledger.stop();
    QCOMPARE(testsupport::text(options().path, keysInOrder), QStringLiteral("0,1,2,3,4,5,6,7,8,9"));
}

void LedgerStoreTest::saysOkOnceTheFileIsOpen()
{
    store::LedgerStore ledger(options());
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    QTRY_COMPARE(state.size(), 1);
    QCOMPARE(state.at(0).at(0).toString(), QStringLiteral("ok"));
}

void LedgerStoreTest::keepsTheFilesToTheOwner()
{
    store::LedgerStore ledger(options());
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append(warnings(1));
    QTRY_COMPARE(committed.size(), 1);
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;
    for (const char *ending : {"", "-wal", "-shm", ".lock"}) {
        const QFileInfo file(options().path + QString::fromLatin1(ending));
        QVERIFY2(file.exists(), ending);
        QVERIFY2(!(file.permissions() & others), ending);
    }
    QVERIFY(!(QFileInfo(QFileInfo(options().path).path()).permissions() & others));
}

void LedgerStoreTest::usesTheWalAndVersionsTheSchema()
{
    store::LedgerStore ledger(options());
    ledger.start();
    ledger.stop();
    QCOMPARE(testsupport::text(options().path, QStringLiteral("PRAGMA journal_mode")),
             QStringLiteral("wal"));
    QCOMPARE(testsupport::number(options().path, QStringLiteral("PRAGMA user_version")), 5);
}

void LedgerStoreTest::goesOnWhereTheLastRunEnded()
{
    for (int run = 0; run < 3; ++run) {
        store::LedgerStore ledger(options());
        ledger.start();
        ledger.append(warnings(2, 2 * run));
        ledger.stop();
    }
    QCOMPARE(testsupport::text(options().path, keysInOrder), QStringLiteral("0,1,2,3,4,5"));
    QCOMPARE(testsupport::number(options().path, QStringLiteral("SELECT max(seq) FROM warning")),
             6);
}

void LedgerStoreTest::dropsRecordsAfterItStopped()
{
    store::LedgerStore ledger(options());
    ledger.start();
    ledger.stop();
    ledger.append(warnings(1));
    ledger.stop();
    QCOMPARE(testsupport::number(options().path, QStringLiteral("SELECT count(*) FROM warning")),
             0);
}

void LedgerStoreTest::neverStartedIsHarmless()
{
    store::LedgerStore ledger(options());
    ledger.append(warnings(1));
    ledger.stop();
    QVERIFY(!QFileInfo::exists(options().path));
}

QTEST_GUILESS_MAIN(LedgerStoreTest)
#include "tst_ledgerstore.moc"
