// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerreader.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace headway;
using ledger::Record;

class LedgerRoundTripTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }
    void givesEveryRecordBackAsItWas_data();
    void givesEveryRecordBackAsItWas();
    void storesTextsAndNumbersAsSuch();
    void storesNothingAsNull();
    void leavesNoCellOfTheRecordBefore();
    void replacesInvalidUtf8();
    void readsOnlyTheSpanAskedFor();
    void readsAForeignValueAsTheDefault();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("ledger.sqlite")); }
    std::optional<QTemporaryDir> m_folder;
};

using Records = std::vector<Record>;
Q_DECLARE_METATYPE(Records)

namespace {

void write(const QString &path, const Records &records)
{
    auto database = store::LedgerDatabase::open(path);
    if (!database || !database->write(records))
        qFatal("the ledger cannot be written");
}

Records read(const QString &path, const store::LedgerSpan &span = {})
{
    const auto reader = store::LedgerReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().text));
    auto cursor = reader->records(span);
    if (!cursor)
        qFatal("%s", qPrintable(cursor.error().text));
    Records records;
    while (cursor->next().value())
        records.push_back(cursor->record());
    return records;
}

std::vector<ledger::Value> cellsOf(const Record &record)
{
    std::vector<ledger::Value> cells;
    for (const ledger::Column &column : ledger::kindOf(record).columns)
        cells.push_back(column.get(record));
    return cells;
}

void compare(const Records &found, const Records &expected)
{
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(found[i].body.index(), expected[i].body.index());
        const auto cells = cellsOf(found[i]);
        const auto wanted = cellsOf(expected[i]);
        for (std::size_t c = 0; c < cells.size(); ++c)
            QVERIFY2(cells[c] == wanted[c], ledger::kindOf(found[i]).columns[c].name.data());
    }
}

} // namespace

void LedgerRoundTripTest::givesEveryRecordBackAsItWas_data()
{
    QTest::addColumn<Records>("records");
    QTest::newRow("every kind") << samples::everyKind();
    QTest::newRow("extremes") << samples::extremes();
    Records mixed = samples::everyKind();
    for (int i = 0; i < 3; ++i) {
        std::ranges::copy(samples::extremes(), std::back_inserter(mixed));
        std::ranges::copy(samples::everyKind(), std::back_inserter(mixed));
    }
    QTest::newRow("both in turn") << mixed;
}

void LedgerRoundTripTest::givesEveryRecordBackAsItWas()
{
    QFETCH(const Records, records);
    write(path(), records);
    compare(read(path()), records);
}

void LedgerRoundTripTest::storesTextsAndNumbersAsSuch()
{
    write(path(), samples::everyKind());
    const auto value
        = [this](const char *sql) { return testsupport::text(path(), QString::fromLatin1(sql)); };
    QCOMPARE(value("SELECT time FROM turn"), QStringLiteral("2026-03-01T09:05:07.042Z"));
    QCOMPARE(value("SELECT turn FROM turn"), QStringLiteral("req_0123456789abcdef"));
    for (const char *column : {"time", "turn", "session", "model", "\"end\""})
        QCOMPARE(value(qPrintable(
                     QStringLiteral("SELECT typeof(%1) FROM turn").arg(QLatin1String(column)))),
                 QStringLiteral("text"));
    QCOMPARE(value("SELECT typeof(attempts) FROM turn"), QStringLiteral("integer"));
    QCOMPARE(value("SELECT typeof(gate_ms) FROM turn"), QStringLiteral("real"));
    QCOMPARE(value("SELECT promoted || created_connection FROM head_decision"),
             QStringLiteral("10"));
    QCOMPARE(value("SELECT count(*) FROM turn WHERE model = 'gpt-large' AND \"end\" = 'failed'"),
             QStringLiteral("1"));
}

void LedgerRoundTripTest::storesNothingAsNull()
{
    ledger::TurnEnded turn;
    turn.gateMs = std::numeric_limits<double>::quiet_NaN();
    turn.streamedMs = 0.0;
    write(path(), {{.at = samples::time, .turn = {}, .session = {}, .agent = {}, .body = turn}});
    for (const char *column :
         {"turn", "session", "agent", "gate_ms", "first_byte_ms", "error_type"})
        QVERIFY2(testsupport::value(
                     path(), QStringLiteral("SELECT %1 FROM turn").arg(QLatin1String(column)))
                     .isNull(),
                 column);
    QCOMPARE(
        testsupport::number(path(), QStringLiteral("SELECT streamed_ms IS NOT NULL FROM turn")), 1);
    QCOMPARE(testsupport::number(path(), QStringLiteral("SELECT reason = '' FROM turn")), 1);
}

// Cells that repeat are left bound: each must change when it changes, also to and from nothing.
void LedgerRoundTripTest::leavesNoCellOfTheRecordBefore()
{
    const auto with = [](std::optional<std::uint64_t> hint, std::string policy, double waited) {
        return samples::with(
            ledger::Admission{"refused", 1, waited, 0, hint, std::move(policy), 0});
    };
    const Records records{with(5, "bucket", 1), with(5, "bucket", 1), with({}, "", 0),
                          with(0, "off", 1),    with({}, "off", 0.5), with(7, "", 0.5)};
    write(path(), records);
    compare(read(path()), records);
}

void LedgerRoundTripTest::replacesInvalidUtf8()
{
    write(path(),
          {samples::with(ledger::Warning{"a\xff"
                                         "b",
                                         "\xc3"})});
    const auto warning = std::get<ledger::Warning>(read(path()).at(0).body);
    QCOMPARE(warning.key,
             std::string("a\xef\xbf\xbd"
                         "b"));
    QCOMPARE(warning.text, std::string("\xef\xbf\xbd"));
}

void LedgerRoundTripTest::readsOnlyTheSpanAskedFor()
{
    Records records;
    for (int i = 0; i < 6; ++i) {
        Record record = samples::with(ledger::Warning{std::to_string(i), ""});
        if (i % 2 == 1)
            record.body = ledger::Retry{
                .attempt = static_cast<std::uint64_t>(i), .cause = {}, .action = {}};
        record.at = samples::time + base::Milliseconds(i);
        records.push_back(record);
    }
    write(path(), records);
    using base::Milliseconds;
    compare(read(path(), {.since = samples::time + Milliseconds(2)}),
            Records(records.begin() + 2, records.end()));
    compare(read(path(), {.until = samples::time + Milliseconds(2)}),
            Records(records.begin(), records.begin() + 2));
    compare(read(path(),
                 {.since = samples::time + Milliseconds(1),
                  .until = samples::time + Milliseconds(5),
                  .kinds = {*ledger::findKind("warning")}}),
            {records[2], records[4]});
    compare(read(path(), {.fromSeq = 2, .toSeq = 3}),
            Records(records.begin() + 1, records.begin() + 3));
}

void LedgerRoundTripTest::readsAForeignValueAsTheDefault()
{
    write(path(), {samples::with(samples::turnEnded())});
    testsupport::value(
        path(),
        QStringLiteral("UPDATE turn SET attempts = 'many', total_ms = 'long', input_tokens = -4"));
    const auto turn = std::get<ledger::TurnEnded>(read(path()).at(0).body);
    QCOMPARE(turn.attempts, std::uint32_t{0});
    QCOMPARE(turn.totalMs, 0.0);
    QCOMPARE(turn.inputTokens, std::uint64_t{0});
    QCOMPARE(turn.outputTokens, std::uint64_t{17});
}

QTEST_GUILESS_MAIN(LedgerRoundTripTest)
#include "tst_ledgerroundtrip.moc"
