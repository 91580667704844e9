// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerexport.h"
#include "tests/core/ledger/csvparser.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using store::ExportFormat;
using store::ExportRequest;
using store::StoreError;

class LedgerExportTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void writesOneJsonObjectARecordInTheirOrder();
    void writesOneCsvFilePerKindIntoAFolder();
    void writesOneKindIntoTheNamedCsvFile();
    void writesSeveralKindsBesideTheNamedCsvFile();
    void exportsOnlyTheSpanAskedFor();
    void isConsistentToOneInstantWhileWritingGoesOn();
    void reportsProgressUpToTheWhole();
    void leavesNothingWhenItIsCancelled();
    void replacesAnOlderExportOnlyAtTheEnd();
    void keepsTheExportToTheOwner();
    void leavesTheLedgerAsItIs();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();
    void refusesANewerSchema();

private:
    QString at(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    void write(const std::vector<ledger::Record> &records)
    {
        QVERIFY(m_database->write(records).has_value());
    }
    std::optional<QTemporaryDir> m_folder;
    std::optional<store::LedgerDatabase> m_database;
};

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<ledger::Record> warnings(int count)
{
    std::vector<ledger::Record> records;
    for (int i = 0; i < count; ++i)
        records.push_back(samples::with(ledger::Warning{std::to_string(i), "text"}));
    return records;
}

QStringList filesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::Files, QDir::Name);
}

} // namespace

void LedgerExportTest::init()
{
    m_database.reset();
    m_folder.emplace();
    auto database = store::LedgerDatabase::open(at("ledger.sqlite"));
    QVERIFY(database.has_value());
    m_database.emplace(std::move(*database));
}

void LedgerExportTest::writesOneJsonObjectARecordInTheirOrder()
{
    write(samples::everyKind());
    write(samples::extremes());
    const auto result = store::exportLedger({.path = at("ledger.sqlite"), .out = at("all.jsonl")});
    QVERIFY(result.has_value());
    QCOMPARE(result->files, QStringList{at("all.jsonl")});

    QStringList kinds;
    const QList<QByteArray> lines = contentOf(at("all.jsonl")).split('\n');
    QCOMPARE(lines.back(), QByteArray()); // every line is ended
    for (const QByteArray &line : lines.first(lines.size() - 1)) {
        const QJsonDocument document = QJsonDocument::fromJson(line);
        QVERIFY(document.isObject());
        kinds += document[QLatin1String("kind")].toString();
    }
    const QStringList expected
        = QStringLiteral("turn_started turn head_decision admission connection spacing_changed "
                         "ceiling_changed token_budget quota_window settings_changed retry warning "
                         "process turn admission turn_started head_decision connection warning "
                         "process ceiling_changed token_budget quota_window")
              .split(u' ');
    QCOMPARE(kinds, expected);
    QCOMPARE(result->records, quint64{23});
    QVERIFY(lines.at(14).contains("\"request\":9223372036854775807,"));
}

void LedgerExportTest::writesOneCsvFilePerKindIntoAFolder()
{
    write(samples::everyKind());
    write({samples::with(ledger::Warning{"=cmd()", "a,\"b\"\r\nc"})});
    const auto result = store::exportLedger(
        {.path = at("ledger.sqlite"), .format = ExportFormat::Csv, .out = at("out/csv")});
    QVERIFY(result.has_value());
    QCOMPARE(filesIn(at("out/csv")),
             QStringLiteral("admission.csv ceiling_changed.csv connection.csv head_decision.csv "
                            "process.csv quota_window.csv retry.csv settings_changed.csv "
                            "spacing_changed.csv token_budget.csv "
                            "turn.csv turn_started.csv warning.csv")
                 .split(u' '));
    const testsupport::Rows rows
        = testsupport::CsvParser(contentOf(at("out/csv/warning.csv")).toStdString()).rows();
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(
        rows[0],
        (std::vector<std::string>{"time", "turn", "session", "agent", "key", "text", "severity"}));
    QCOMPARE(
        rows[2],
        (std::vector<std::string>{"2026-03-01T09:05:07.042Z", "req_0123456789abcdef",
                                  "0a1b2c3d4e5f", "f5e4d3c2b1a0", "'=cmd()", "a,\"b\"\r\nc", ""}));
    QCOMPARE(result->records, quint64{14});
}

void LedgerExportTest::writesOneKindIntoTheNamedCsvFile()
{
    write(samples::everyKind());
    const auto result = store::exportLedger({.path = at("ledger.sqlite"),
                                             .format = ExportFormat::Csv,
                                             .span = {.kinds = {*ledger::findKind("retry")}},
                                             .out = at("one.csv")});
    QVERIFY(result.has_value());
    QVERIFY(contentOf(at("one.csv"))
                .startsWith("time,turn,session,agent,attempt,cause,action,delay_ms\r\n"));
    QCOMPARE(contentOf(at("one.csv")).count('\n'), 2);
}

void LedgerExportTest::writesSeveralKindsBesideTheNamedCsvFile()
{
    write(samples::everyKind());
    const auto result = store::exportLedger(
        {.path = at("ledger.sqlite"),
         .format = ExportFormat::Csv,
         .span = {.kinds = {*ledger::findKind("turn"), *ledger::findKind("retry")}},
         .out = at("out.csv")});
    QVERIFY(result.has_value());
    QCOMPARE(result->files, (QStringList{at("out-turn.csv"), at("out-retry.csv")}));
    QVERIFY(QFile::exists(at("out-turn.csv")) && QFile::exists(at("out-retry.csv")));
    QVERIFY(!QFile::exists(at("out.csv")));
}

void LedgerExportTest::exportsOnlyTheSpanAskedFor()
{
    auto records = warnings(5);
    for (int i = 0; i < 5; ++i)
        records[static_cast<std::size_t>(i)].at = samples::time + base::Milliseconds(i);
    write(records);
    const auto result
        = store::exportLedger({.path = at("ledger.sqlite"),
                               .span = {.since = samples::time + base::Milliseconds(1),
                                        .until = samples::time + base::Milliseconds(3)},
                               .out = at("some.jsonl")});
    QCOMPARE(result->records, quint64{2});
    QVERIFY(contentOf(at("some.jsonl")).contains("\"key\":\"1\""));
    QVERIFY(contentOf(at("some.jsonl")).contains("\"key\":\"2\""));
}

// Every write is one record of two kinds; the export sees as many of one as of the other, and none
// of those written after it began.
void LedgerExportTest::isConsistentToOneInstantWhileWritingGoesOn()
{
    const std::vector<ledger::Record> pair{samples::with(ledger::Warning{"w", ""}),
                                           samples::with(ledger::Retry{})};
    for (int i = 0; i < 5'000; ++i)
        write(pair);
    int reports = 0;
    const auto result = store::exportLedger({.path = at("ledger.sqlite"),
                                             .format = ExportFormat::Csv,
                                             .out = at("csv"),
                                             .progress = [&](quint64, double) {
                                                 ++reports;
                                                 for (int i = 0; i < 100; ++i)
                                                     write(pair);
                                                 return true;
                                             }});
    QVERIFY(result.has_value());
    QVERIFY(reports >= 2);
    QCOMPARE(result->records, quint64{10'000});
    QCOMPARE(contentOf(at("csv/warning.csv")).count('\n'), 5'001);
    QCOMPARE(contentOf(at("csv/retry.csv")).count('\n'), 5'001);
    QCOMPARE(testsupport::number(at("ledger.sqlite"), QStringLiteral("SELECT count(*) FROM retry")),
             5'000 + 100 * reports);
}

void LedgerExportTest::reportsProgressUpToTheWhole()
{
    write(warnings(20'000));
    QList<double> shares;
    quint64 seen = 0;
    const auto result = store::exportLedger({.path = at("ledger.sqlite"),
                                             .out = at("all.jsonl"),
                                             .progress = [&](quint64 records, double share) {
                                                 shares += share;
                                                 seen = records;
                                                 return true;
                                             }});
    QVERIFY(result.has_value());
    QVERIFY(shares.size() >= 4);
    QVERIFY(std::ranges::is_sorted(shares));
    QVERIFY(shares.first() > 0 && shares.first() < 0.5);
    QCOMPARE(shares.last(), 1.0);
    QCOMPARE(seen, quint64{20'000});
}

void LedgerExportTest::leavesNothingWhenItIsCancelled()
{
    write(warnings(20'000));
    const auto result = store::exportLedger(
        {.path = at("ledger.sqlite"),
         .out = at("all.jsonl"),
         .progress = [](quint64 records, double) { return records < 8'000; }});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, StoreError::Code::Cancelled);
    QVERIFY(filesIn(m_folder->path()).filter(QStringLiteral("jsonl")).isEmpty());
}

void LedgerExportTest::replacesAnOlderExportOnlyAtTheEnd()
{
    QFile older(at("all.jsonl"));
    QVERIFY(older.open(QIODevice::WriteOnly) && older.write("older") == 5);
    older.close();
    write(warnings(20'000));
    QByteArray during;
    const auto result = store::exportLedger(
        {.path = at("ledger.sqlite"), .out = at("all.jsonl"), .progress = [&](quint64, double) {
             during = contentOf(at("all.jsonl"));
             return true;
         }});
    QVERIFY(result.has_value());
    QCOMPARE(during, QByteArray("older"));
    QCOMPARE(contentOf(at("all.jsonl")).count('\n'), 20'000);
}

void LedgerExportTest::keepsTheExportToTheOwner()
{
    write(warnings(1));
    QVERIFY(store::exportLedger({.path = at("ledger.sqlite"), .out = at("all.jsonl")}).has_value());
    QVERIFY(
        !(QFile::permissions(at("all.jsonl")) & (QFileDevice::ReadGroup | QFileDevice::ReadOther)));
}

void LedgerExportTest::leavesTheLedgerAsItIs()
{
    write(warnings(10));
    m_database.reset();
    const QByteArray before = contentOf(at("ledger.sqlite"));
    QVERIFY(store::exportLedger({.path = at("ledger.sqlite"), .out = at("all.jsonl")}).has_value());
    QCOMPARE(contentOf(at("ledger.sqlite")), before);
}

void LedgerExportTest::refusesWhatCannotBe_data()
{
    QTest::addColumn<QByteArray>("ledger");
    QTest::addColumn<bool>("csv");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<StoreError::Code>("code");
    QTest::addColumn<QByteArray>("word");
    using Code = StoreError::Code;
    QTest::newRow("no ledger") << QByteArray("none.sqlite") << false << QByteArray("o.jsonl")
                               << Code::CannotOpen << QByteArray("none.sqlite");
    QTest::newRow("not a ledger") << QByteArray("text.sqlite") << false << QByteArray("o.jsonl")
                                  << Code::Damaged << QByteArray("damaged");
    QTest::newRow("no such folder")
        << QByteArray("ledger.sqlite") << false << QByteArray("none/o.jsonl") << Code::CannotOpen
        << QByteArray("none/o.jsonl");
    QTest::newRow("a file where a folder should be")
        << QByteArray("ledger.sqlite") << true << QByteArray("text.sqlite") << Code::CannotOpen
        << QByteArray("text.sqlite");
    QTest::newRow("several kinds to one output")
        << QByteArray("ledger.sqlite") << true << QByteArray("-") << Code::Invalid
        << QByteArray("one kind");
}

void LedgerExportTest::refusesWhatCannotBe()
{
    QFETCH(const QByteArray, ledger);
    QFETCH(const bool, csv);
    QFETCH(const QByteArray, out);
    QFETCH(const StoreError::Code, code);
    QFETCH(const QByteArray, word);
    QFile text(at("text.sqlite"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write(QByteArray(5'000, 'x')) == 5'000);
    text.close();
    const QString to = out == "-" ? QStringLiteral("-") : at(out.constData());
    const auto result
        = store::exportLedger({.path = at(ledger.constData()),
                               .format = csv ? ExportFormat::Csv : ExportFormat::JsonLines,
                               .out = to});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, code);
    QVERIFY2(result.error().text.contains(QString::fromLatin1(word)),
             qPrintable(result.error().text));
}

void LedgerExportTest::refusesANewerSchema()
{
    write(warnings(1));
    testsupport::value(at("ledger.sqlite"), QStringLiteral("PRAGMA user_version = 6"));
    const auto result = store::exportLedger({.path = at("ledger.sqlite"), .out = at("o.jsonl")});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, StoreError::Code::Newer);
    QVERIFY(result.error().text.contains(QStringLiteral("newer version")));
    QVERIFY(!QFile::exists(at("o.jsonl")));
}

QTEST_GUILESS_MAIN(LedgerExportTest)
#include "tst_ledgerexport.moc"
