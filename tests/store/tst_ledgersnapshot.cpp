// SPDX-License-Identifier: GPL-3.0-or-later
// A span of the ledger as an SQLite file of its own (spec/ledger.md, "Reading").
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerexport.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>
#include <optional>

using namespace headway;
using store::ExportFormat;
using store::ExportRequest;
using store::StoreError;

class LedgerSnapshotTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void hasEveryRecordUnderItsNumber();
    void isALedgerThatCanBeReadAgain();
    void hasOnlyTheSpanAskedFor();
    void isOfOneInstantWhileWritingGoesOn();
    void isOfOneInstantWhileAnotherThreadWrites();
    void aCancelledOneLeavesTheOlderFileAlone();
    void isTheOwnersAlone();
    void cannotGoToStandardOutput();
    void sayWhyTheFileCannotBeWritten();

private:
    QString at(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    ExportRequest request(const char *out = "out.sqlite") const
    {
        ExportRequest request;
        request.path = at("ledger.sqlite");
        request.out = at(out);
        request.format = ExportFormat::Sqlite;
        return request;
    }
    void write(int count)
    {
        std::vector<ledger::Record> records;
        for (int i = 0; i < count; ++i)
            records.push_back(samples::with(ledger::Warning{std::to_string(i), "text"}));
        QVERIFY(m_database->write(records).has_value());
    }

    std::optional<QTemporaryDir> m_folder;
    std::optional<store::LedgerDatabase> m_database;
};

void LedgerSnapshotTest::init()
{
    m_database.reset();
    m_folder.emplace();
    auto database = store::LedgerDatabase::open(at("ledger.sqlite"));
    QVERIFY(database.has_value());
    m_database.emplace(std::move(*database));
}

void LedgerSnapshotTest::hasEveryRecordUnderItsNumber()
{
    write(50);
    const auto result = store::exportLedger(request());
    QVERIFY2(result, result ? "" : qPrintable(result.error().text));
    QCOMPARE(result->files, QStringList{at("out.sqlite")});
    const QString sum = QStringLiteral("SELECT group_concat(seq || ':' || key) FROM warning");
    QCOMPARE(testsupport::text(at("out.sqlite"), sum), testsupport::text(at("ledger.sqlite"), sum));
    QCOMPARE(testsupport::number(at("out.sqlite"), QStringLiteral("SELECT count(*) FROM warning")),
             50);
    QCOMPARE(testsupport::text(at("out.sqlite"), QStringLiteral("PRAGMA integrity_check")),
             QStringLiteral("ok"));
}

void LedgerSnapshotTest::isALedgerThatCanBeReadAgain()
{
    write(10);
    QVERIFY(store::exportLedger(request()));
    ExportRequest again = request("again.jsonl");
    again.path = at("out.sqlite");
    again.format = ExportFormat::JsonLines;
    const auto result = store::exportLedger(again);
    QVERIFY(result);
    QVERIFY(result->records >= 10);
}

void LedgerSnapshotTest::hasOnlyTheSpanAskedFor()
{
    write(20);
    ExportRequest part = request();
    part.span.fromSeq = 5;
    part.span.toSeq = 9;
    const auto result = store::exportLedger(part);
    QVERIFY(result);
    QCOMPARE(result->records, quint64{5});
    QCOMPARE(testsupport::number(at("out.sqlite"), QStringLiteral("SELECT min(seq) FROM warning")),
             5);
}

void LedgerSnapshotTest::isOfOneInstantWhileWritingGoesOn()
{
    write(9'000);
    ExportRequest all = request();
    const qint64 before
        = testsupport::number(at("ledger.sqlite"), QStringLiteral("SELECT count(*) FROM warning"));
    int asked = 0;
    all.progress = [&](quint64, double share) {
        if (share < 1 && ++asked == 1)
            write(500);
        return true;
    };
    QVERIFY(store::exportLedger(all));
    QVERIFY(asked > 0);
    QCOMPARE(testsupport::number(at("out.sqlite"), QStringLiteral("SELECT count(*) FROM warning")),
             before);
}

// Every transaction is one record of two kinds: an instant has as many of one as of the other, and
// all numbers up to its last one.
void LedgerSnapshotTest::isOfOneInstantWhileAnotherThreadWrites()
{
    m_database.reset();
    std::atomic<bool> goesOn = true;
    std::atomic<int> written = 0;
    const std::unique_ptr<QThread> writer(QThread::create([&, path = at("ledger.sqlite")] {
        auto database = store::LedgerDatabase::open(path);
        const std::vector<ledger::Record> pair{samples::with(ledger::Warning{"w", ""}),
                                               samples::with(ledger::Retry{})};
        while (goesOn && database && database->write(pair))
            ++written;
    }));
    const auto ends = qScopeGuard([&] {
        goesOn = false;
        writer->wait();
    });
    writer->start();
    QTRY_VERIFY(written > 100);
    qint64 before = 0;
    for (int i = 0; i < 5; ++i) {
        const int atLeast = written;
        const auto result = store::exportLedger(request());
        QVERIFY2(result, result ? "" : qPrintable(result.error().text));
        const auto numberOf = [this](const char *statement) {
            return testsupport::number(at("out.sqlite"), QString::fromLatin1(statement));
        };
        const qint64 warnings = numberOf("SELECT count(*) FROM warning");
        QVERIFY(warnings >= atLeast && warnings > before);
        QCOMPARE(numberOf("SELECT count(*) FROM retry"), warnings);
        QCOMPARE(numberOf("SELECT max(seq) FROM retry"), 2 * warnings);
        before = warnings;
        QTRY_VERIFY(written > before);
    }
}

void LedgerSnapshotTest::aCancelledOneLeavesTheOlderFileAlone()
{
    QFile older(at("out.sqlite"));
    QVERIFY(older.open(QIODevice::WriteOnly) && older.write("older") == 5);
    older.close();
    write(9'000);
    ExportRequest all = request();
    all.progress = [](quint64, double) { return false; };
    const auto result = store::exportLedger(all);
    QVERIFY(!result);
    QCOMPARE(result.error().code, StoreError::Code::Cancelled);
    QVERIFY(older.open(QIODevice::ReadOnly));
    QCOMPARE(older.readAll(), QByteArray("older"));
    QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("out.sqlite*")}).size(), 1);
}

void LedgerSnapshotTest::isTheOwnersAlone()
{
    write(1);
    QVERIFY(store::exportLedger(request()));
    QCOMPARE(QFileInfo(at("out.sqlite")).permissions()
                 & (QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther
                    | QFileDevice::WriteOther),
             QFileDevice::Permissions());
}

void LedgerSnapshotTest::cannotGoToStandardOutput()
{
    ExportRequest piped = request();
    piped.out = QStringLiteral("-");
    const auto result = store::exportLedger(piped);
    QVERIFY(!result);
    QCOMPARE(result.error().code, StoreError::Code::Invalid);
}

void LedgerSnapshotTest::sayWhyTheFileCannotBeWritten()
{
    const auto result = store::exportLedger(request("none/out.sqlite"));
    QVERIFY(!result);
    QCOMPARE(result.error().code, StoreError::Code::CannotOpen);
    QVERIFY(result.error().text.contains(QLatin1String("none/out.sqlite")));
}

QTEST_GUILESS_MAIN(LedgerSnapshotTest)
#include "tst_ledgersnapshot.moc"
