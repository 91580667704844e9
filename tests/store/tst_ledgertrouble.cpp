// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/filelock.h"
#include "proxy/store/ledgerstore.h"
#include "proxy/store/ledgerverify.h"
#include "proxy/store/sqlconnection.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace headway;

// A ledger whose file is out of use: it says so, keeps what it can, and goes on when it can.
class LedgerTroubleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void setsADamagedFileAsideAndBeginsANewOne();
    void setsAFileAsideThatTurnsOutDamagedLater();
    void accountsForTurnsThatBeganInTheFileSetAside();
    void beginsANewFileWhenItsOwnIsRemoved();
    void waitsForTheLockOfAnotherProcess();
    void waitsForALockedDatabase();
    void waitsForAFolderThatCannotBeMade();
    void goesOnAfterTheDiskWasFull();
    void keepsNoMoreInMemoryThanItMayAndSaysWhatWasLost();
    void saysAtItsEndWhatCouldNotBeWritten();
    void leavesANewerSchemaUntouched();
    void leavesAnotherProgramsDatabaseUntouched();

private:
    QString at(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    std::optional<QTemporaryDir> m_folder;
    store::LedgerOptions m_options;
};

namespace {

std::vector<ledger::Record> warnings(int count)
{
    std::vector<ledger::Record> records;
    for (int i = 0; i < count; ++i)
        records.push_back(samples::with(ledger::Warning{std::to_string(i), std::string(200, 't')}));
    return records;
}

ledger::Record turn(std::uint64_t id, ledger::Body body)
{
    ledger::Record record = samples::with(std::move(body));
    record.turn = base::TurnId(id);
    return record;
}

ledger::TurnEnded completed()
{
    ledger::TurnEnded ended;
    ended.end = "completed";
    return ended;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write the fixture");
}

qint64 warningsIn(const QString &path)
{
    return testsupport::number(path, QStringLiteral("SELECT count(*) FROM warning"));
}

QString lastOf(const QSignalSpy &spy)
{
    return spy.isEmpty() ? QString() : spy.last().at(0).toString();
}

// Files of this process may not grow beyond so many bytes, until the end of the scope.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN); // writes then fail with EFBIG
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

void LedgerTroubleTest::init()
{
    m_folder.emplace();
    m_options = {};
    m_options.path = at("ledger.sqlite");
    m_options.batchAge = std::chrono::milliseconds(1);
    m_options.retentionAge = std::chrono::hours(24 * 36'500); // the samples' date does not matter
    m_options.firstRetry = std::chrono::milliseconds(10);
    m_options.longestRetry = std::chrono::milliseconds(20);
}

void LedgerTroubleTest::setsADamagedFileAsideAndBeginsANewOne()
{
    const QByteArray rubbish(20'000, 'x');
    put(m_options.path, rubbish);
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append(warnings(3));
    QTRY_COMPARE(committed.size(), 1);
    ledger.stop();

    const QStringList aside
        = QDir(m_folder->path()).entryList({QStringLiteral("ledger.sqlite.damaged-*")});
    QCOMPARE(aside.size(), 1);
    QCOMPARE(contentOf(m_folder->filePath(aside.at(0))), rubbish);
    QVERIFY(lastOf(state).contains(aside.at(0)));
    QCOMPARE(warningsIn(m_options.path), 3);
    QVERIFY(store::verifyLedger(m_options.path)->holds());
}

void LedgerTroubleTest::setsAFileAsideThatTurnsOutDamagedLater()
{
    {
        store::LedgerStore ledger(m_options);
        ledger.start();
        ledger.append(warnings(5'000));
        ledger.stop();
    }
    QByteArray content = contentOf(m_options.path);
    content.replace(content.size() / 2, content.size() / 2, QByteArray(content.size() / 2, '\xee'));
    put(m_options.path, content);

    store::LedgerStore ledger(m_options);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append(warnings(500));
    QTRY_COMPARE(committed.size(), 1);
    ledger.stop();
    QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("ledger.sqlite.damaged-*")}).size(),
             1);
    QCOMPARE(warningsIn(m_options.path), 500);
}

void LedgerTroubleTest::accountsForTurnsThatBeganInTheFileSetAside()
{
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append({turn(1, ledger::TurnStarted{}), turn(2, ledger::TurnStarted{})});
    QTRY_COMPARE(committed.size(), 1);
    {
        // Somebody writes over the file while it is in use.
        auto connection = store::SqlConnection::open(
            m_options.path, store::SqlConnection::Access::ReadWrite, std::chrono::seconds(5));
        QVERIFY(connection->run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")).has_value());
    }
    QFile file(m_options.path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QCOMPARE(file.write(QByteArray(file.size(), 'x')), file.size());
    file.close();
    ledger.append({turn(1, completed())});
    ledger.append(warnings(500));
    QTRY_VERIFY(lastOf(state).contains(QStringLiteral("set aside")));
    QTRY_VERIFY(committed.last().at(0).toULongLong() == 503U);
    ledger.stop();
    const auto verified = store::verifyLedger(m_options.path);
    QVERIFY2(verified->holds(), qPrintable(verified->text()));
    QCOMPARE(verified->open.turns, std::vector<base::TurnId>{base::TurnId(2)});
}

void LedgerTroubleTest::beginsANewFileWhenItsOwnIsRemoved()
{
    store::LedgerStore ledger(m_options);
    QSignalSpy committed(&ledger, &store::LedgerStore::committed);
    ledger.start();
    ledger.append({turn(1, ledger::TurnStarted{})});
    QTRY_COMPARE(committed.size(), 1);
    QVERIFY(QFile::remove(m_options.path));
    ledger.append({turn(1, completed())});
    QTRY_COMPARE(committed.size(), 2);
    ledger.stop();
    const auto verified = store::verifyLedger(m_options.path);
    QVERIFY2(verified.has_value() && verified->holds(),
             qPrintable(verified ? verified->text() : verified.error().text));
    QCOMPARE(verified->totals.records, quint64{1});
}

void LedgerTroubleTest::waitsForTheLockOfAnotherProcess()
{
    auto other = store::FileLock::tryLock(m_options.path + QStringLiteral(".lock"));
    QVERIFY(other.has_value());
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(warnings(3));
    QTRY_VERIFY(lastOf(state).contains(QStringLiteral("in use by another Headway")));
    QVERIFY(!QFile::exists(m_options.path));
    other.reset();
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    ledger.stop();
    QCOMPARE(warningsIn(m_options.path), 3);
}

void LedgerTroubleTest::waitsForALockedDatabase()
{
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    {
        auto other = store::SqlConnection::open(
            m_options.path, store::SqlConnection::Access::ReadWrite, std::chrono::seconds(5));
        QVERIFY(other->run(QStringLiteral("BEGIN IMMEDIATE")).has_value());
        ledger.append(warnings(3));
        QTRY_VERIFY(lastOf(state).contains(
            QStringLiteral("locked by another program; 3 records are kept in memory")));
    }
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    ledger.stop();
    QCOMPARE(warningsIn(m_options.path), 3);
}

void LedgerTroubleTest::waitsForAFolderThatCannotBeMade()
{
    m_options.path = at("folder/ledger.sqlite");
    put(at("folder"), "a file in the way");
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(warnings(3));
    QTRY_VERIFY(lastOf(state).contains(QStringLiteral("its folder may not be written")));
    QVERIFY(QFile::remove(at("folder")));
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    ledger.stop();
    QCOMPARE(warningsIn(m_options.path), 3);
}

void LedgerTroubleTest::goesOnAfterTheDiskWasFull()
{
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(warnings(100));
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    {
        const FileSizeLimit limit(300'000);
        ledger.append(warnings(5'000));
        QTRY_VERIFY(lastOf(state).contains(QStringLiteral("records are kept in memory")));
        QVERIFY(!lastOf(state).contains(QStringLiteral("lost")));
    }
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    ledger.stop();
    QCOMPARE(warningsIn(m_options.path), 5'100);
    QVERIFY(store::verifyLedger(m_options.path)->holds());
    QVERIFY(QDir(m_folder->path()).entryList({QStringLiteral("*.damaged-*")}).isEmpty());
}

void LedgerTroubleTest::keepsNoMoreInMemoryThanItMayAndSaysWhatWasLost()
{
    m_options.memoryRecords = 10;
    auto other = store::FileLock::tryLock(m_options.path + QStringLiteral(".lock"));
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(
        {turn(1, ledger::TurnStarted{}), turn(2, ledger::TurnStarted{}), turn(2, completed())});
    ledger.append(warnings(9));
    ledger.append({turn(1, completed())});
    QTRY_VERIFY(
        lastOf(state).contains(QStringLiteral("10 records are kept in memory and 3 were lost")));
    other.reset();
    QTRY_COMPARE(lastOf(state), QStringLiteral("ok"));
    ledger.stop();
    QCOMPARE(warningsIn(m_options.path), 9);
    const auto verified = store::verifyLedger(m_options.path);
    QVERIFY2(verified->holds(),
             qPrintable(verified->text())); // turn 1 ended: its beginning was lost
    QCOMPARE(verified->lost, quint64{3});
    QCOMPARE(verified->totals.records, quint64{10});
}

void LedgerTroubleTest::saysAtItsEndWhatCouldNotBeWritten()
{
    m_options.memoryRecords = 10;
    const auto other = store::FileLock::tryLock(m_options.path + QStringLiteral(".lock"));
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(warnings(12));
    ledger.stop();
    QVERIFY2(lastOf(state).contains(QStringLiteral("in use by another Headway")),
             qPrintable(lastOf(state)));
    QVERIFY2(lastOf(state).endsWith(QStringLiteral("12 records could not be written and are lost")),
             qPrintable(lastOf(state)));
}

void LedgerTroubleTest::leavesANewerSchemaUntouched()
{
    testsupport::value(m_options.path, QStringLiteral("CREATE TABLE turn (x)"));
    testsupport::value(m_options.path, QStringLiteral("PRAGMA user_version = 99"));
    const QByteArray before = contentOf(m_options.path);
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    ledger.append(warnings(3));
    QTRY_VERIFY(
        lastOf(state).contains(QStringLiteral("written by a newer version of Headway (schema 99")));
    ledger.stop();
    QCOMPARE(contentOf(m_options.path), before);
}

void LedgerTroubleTest::leavesAnotherProgramsDatabaseUntouched()
{
    testsupport::value(m_options.path, QStringLiteral("CREATE TABLE somebodys (x)"));
    const QByteArray before = contentOf(m_options.path);
    store::LedgerStore ledger(m_options);
    QSignalSpy state(&ledger, &store::LedgerStore::stateChanged);
    ledger.start();
    QTRY_VERIFY(lastOf(state).contains(QStringLiteral("another program; it was left untouched")));
    ledger.stop();
    QCOMPARE(contentOf(m_options.path), before);
}

QTEST_GUILESS_MAIN(LedgerTroubleTest)
#include "tst_ledgertrouble.moc"
