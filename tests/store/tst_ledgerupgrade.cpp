// SPDX-License-Identifier: GPL-3.0-or-later
// spec/ledger.md: "The schema is versioned and migrated".
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerreader.h"
#include "proxy/store/ledgerverify.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using ledger::Record;

class LedgerUpgradeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOlderFileIsReadAsItStands();
    void anOlderFileGetsTheNewColumnsAndKeepsItsRecords();
    void anOlderFileGetsTheNewKinds();
    void aNewerFileIsRefusedUntouched();

private:
    [[nodiscard]] QString olderFile() const;
    QTemporaryDir m_folder;
};

namespace {

std::vector<ledger::HeadDecided> decisions(const QString &path)
{
    const auto reader = store::LedgerReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().text));
    auto cursor = reader->records({});
    if (!cursor)
        qFatal("%s", qPrintable(cursor.error().text));
    std::vector<ledger::HeadDecided> found;
    while (cursor->next().value()) {
        const Record record = cursor->record();
        if (const auto *decided = std::get_if<ledger::HeadDecided>(&record.body))
            found.push_back(*decided);
    }
    return found;
}

void write(const QString &path,
           const std::vector<Record> &records = {samples::with(samples::headDecided())})
{
    auto database = store::LedgerDatabase::open(path);
    if (!database)
        qFatal("%s", qPrintable(database.error().text));
    if (!database->write(records))
        qFatal("the ledger cannot be written");
}

} // namespace

// As version 1 made it.
QString LedgerUpgradeTest::olderFile() const
{
    const QString path = m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()));
    write(path);
    for (const char *statement :
         {"ALTER TABLE head_decision DROP COLUMN lane",
          "ALTER TABLE head_decision DROP COLUMN expected_tokens",
          "ALTER TABLE head_decision DROP COLUMN lost_reason",
          "ALTER TABLE head_decision DROP COLUMN lost_tokens",
          "ALTER TABLE head_decision DROP COLUMN suppressed_warnings",
          "ALTER TABLE connection DROP COLUMN lane", "ALTER TABLE connection DROP COLUMN detail",
          "DROP TABLE spacing_changed", "DROP TABLE ceiling_changed", "DROP TABLE token_budget",
          "DROP TABLE quota_window", "ALTER TABLE warning DROP COLUMN severity",
          "PRAGMA user_version = 1"})
        testsupport::value(path, QString::fromLatin1(statement));
    return path;
}

void LedgerUpgradeTest::anOlderFileIsReadAsItStands()
{
    const QString path = olderFile();
    const auto found = decisions(path);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().decision, std::string("history_mismatch_new_head"));
    QCOMPARE(found.front().isolatedBy, std::uint64_t{37});
    QCOMPARE(found.front().lane, std::string());
    QCOMPARE(found.front().lostTokens, std::uint64_t{0});
    QCOMPARE(testsupport::number(path, QStringLiteral("PRAGMA user_version")), 1);
}

void LedgerUpgradeTest::anOlderFileGetsTheNewColumnsAndKeepsItsRecords()
{
    const QString path = olderFile();
    write(path);
    QCOMPARE(testsupport::number(path, QStringLiteral("PRAGMA user_version")), 5);
    const auto found = decisions(path);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].isolatedBy, std::uint64_t{37});
    QCOMPARE(found[0].lane, std::string());
    QCOMPARE(found[1].lane, std::string("lane-3"));
    QCOMPARE(found[1].lostTokens, std::uint64_t{39});
}

void LedgerUpgradeTest::anOlderFileGetsTheNewKinds()
{
    const QString path = olderFile();
    write(path, samples::everyKind());
    const auto verified = store::verifyLedger(path);
    QVERIFY(verified);
    QCOMPARE(verified->missing, quint64{0});
    for (const char *kind : {"spacing_changed", "ceiling_changed", "token_budget", "quota_window"})
        QCOMPARE(verified->records.at(*ledger::findKind(kind)), quint64{1});
}

// What a newer program wrote is nobody's to change.
void LedgerUpgradeTest::aNewerFileIsRefusedUntouched()
{
    const QString path = m_folder.filePath(QStringLiteral("newer.sqlite"));
    write(path);
    testsupport::value(path, QStringLiteral("PRAGMA user_version = 6"));
    testsupport::value(path, QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    const auto bytes = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = bytes();
    QVERIFY(!before.isEmpty());
    const auto writer = store::LedgerDatabase::open(path);
    QVERIFY(!writer);
    QCOMPARE(writer.error().code, store::StoreError::Code::Newer);
    QVERIFY(!store::LedgerReader::open(path));
    QCOMPARE(bytes(), before);
}

QTEST_GUILESS_MAIN(LedgerUpgradeTest)
#include "tst_ledgerupgrade.moc"
