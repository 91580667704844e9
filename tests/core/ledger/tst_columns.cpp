// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/columns.h"
#include "tests/core/ledger/samplerecords.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace headway;
using ledger::Column;
using ledger::Kind;
using ledger::Record;
using ledger::Value;

class ColumnsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesEveryKindOfTheSpec();
    void saysWhatHappenedInAColumnOfItsOwn();
    void findsAKindByNameOnly();
    void startsEveryKindWithTheCommonColumns();
    void namesColumnsOnceAndInSnakeCase();
    void readsTheColumnsOfATurn();
    void givesEveryColumnAnotherMember();
    void copiesARecordThroughItsCells();
    void keepsNoughtAndNothingApart();
    void clampsCountersBeyondTheDatabase();
    void leavesOutRealsThatAreNotFinite_data();
    void leavesOutRealsThatAreNotFinite();
    void givesNegativeZeroAsZero();
    void ignoresValuesOfTheWrongType();
    void documentsEveryColumn();
};

namespace {

Record copyThroughCells(const Record &record)
{
    const Kind &kind = ledger::kindOf(record);
    Record copy = kind.blank();
    for (const Column &column : kind.columns)
        column.set(copy, column.get(record));
    return copy;
}

const Column &columnOf(std::string_view kind, std::string_view name)
{
    for (const Column &column : ledger::kinds()[*ledger::findKind(kind)].columns) {
        if (column.name == name)
            return column;
    }
    qFatal("no such column");
}

std::vector<Value> cellsOf(const Record &record)
{
    std::vector<Value> cells;
    for (const Column &column : ledger::kindOf(record).columns)
        cells.push_back(column.get(record));
    return cells;
}

} // namespace

void ColumnsTest::namesEveryKindOfTheSpec()
{
    std::vector<std::string_view> names;
    for (const Kind &kind : ledger::kinds())
        names.push_back(kind.name);
    const std::vector<std::string_view> expected{
        "turn_started",     "turn",         "head_decision",
        "admission",        "connection",   "spacing_changed",
        "ceiling_changed",  "token_budget", "quota_window",
        "settings_changed", "retry",        "warning",
        "process"};
    QCOMPARE(names, expected);
    for (std::size_t i = 0; i < ledger::kinds().size(); ++i)
        QCOMPARE(ledger::kinds()[i].blank().body.index(), i);
}

void ColumnsTest::saysWhatHappenedInAColumnOfItsOwn()
{
    for (const Kind &kind : ledger::kinds())
        QCOMPARE(columnOf(kind.name, kind.word).type, ledger::Type::Text);
}

void ColumnsTest::findsAKindByNameOnly()
{
    QCOMPARE(ledger::findKind("admission"), std::optional<std::size_t>(3));
    QVERIFY(!ledger::findKind("Admission"));
    QVERIFY(!ledger::findKind(""));
}

void ColumnsTest::startsEveryKindWithTheCommonColumns()
{
    for (const Kind &kind : ledger::kinds()) {
        QCOMPARE(kind.columns[0].name, std::string_view("time"));
        QCOMPARE(kind.columns[1].name, std::string_view("turn"));
        QCOMPARE(kind.columns[2].name, std::string_view("session"));
        QCOMPARE(kind.columns[3].name, std::string_view("agent"));
    }
}

void ColumnsTest::namesColumnsOnceAndInSnakeCase()
{
    for (const Kind &kind : ledger::kinds()) {
        std::set<std::string_view> seen;
        for (const Column &column : kind.columns) {
            QVERIFY(seen.insert(column.name).second);
            QVERIFY(column.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_")
                    == std::string_view::npos);
            QVERIFY(!column.meaning.empty());
        }
    }
}

void ColumnsTest::readsTheColumnsOfATurn()
{
    const Record record = samples::with(samples::turnEnded());
    const auto value
        = [&record](std::string_view name) { return columnOf("turn", name).get(record); };
    QCOMPARE(value("time"), Value(samples::time));
    QCOMPARE(value("turn"), Value(base::TurnId(0x0123456789abcdef)));
    QCOMPARE(value("session"), Value(std::string_view("0a1b2c3d4e5f")));
    QCOMPARE(value("model_asked"), Value(std::string_view("claude-opus")));
    QCOMPARE(value("model"), Value(std::string_view("gpt-large")));
    QCOMPARE(value("first_byte_ms"), Value(4.125));
    QCOMPARE(value("attempts"), Value(std::int64_t{12}));
    QCOMPARE(value("expected_cached_tokens"), Value(std::int64_t{19}));
    QCOMPARE(value("end"), Value(std::string_view("failed")));
    QCOMPARE(value("reason"), Value(std::string_view("the provider gave up")));
}

// The samples hold a different value in every member of one type, flags apart.
void ColumnsTest::givesEveryColumnAnotherMember()
{
    for (const Record &record : samples::everyKind()) {
        const std::vector<Value> cells = cellsOf(record);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (std::holds_alternative<bool>(cells[i]))
                continue;
            for (std::size_t j = i + 1; j < cells.size(); ++j)
                QVERIFY2(cells[i] != cells[j], ledger::kindOf(record).columns[j].name.data());
        }
    }
}

void ColumnsTest::copiesARecordThroughItsCells()
{
    for (const auto &records : {samples::everyKind(), samples::extremes()}) {
        for (const Record &record : records)
            QCOMPARE(cellsOf(copyThroughCells(record)), cellsOf(record));
    }
    const auto copy = std::get<ledger::HeadDecided>(
        copyThroughCells(samples::with(samples::headDecided())).body);
    QVERIFY(copy.promoted);
    QVERIFY(!copy.createdConnection);
    QCOMPARE(copy.waitedMs, 7.5);
    QCOMPARE(copy.isolatedBy, std::uint64_t{37});
    QCOMPARE(copy.promptChanges, std::string("tools,instructions"));
}

void ColumnsTest::keepsNoughtAndNothingApart()
{
    ledger::HeadDecided head = samples::headDecided();
    const auto diffIndexAfterCopy = [](const ledger::HeadDecided &body) {
        return std::get<ledger::HeadDecided>(copyThroughCells(samples::with(body)).body).diffIndex;
    };
    QCOMPARE(diffIndexAfterCopy(head), std::optional<std::uint64_t>(0));
    head.diffIndex.reset();
    QCOMPARE(diffIndexAfterCopy(head), std::optional<std::uint64_t>());
    QCOMPARE(columnOf("head_decision", "diff_index").get(samples::with(head)), Value());

    head.rescanOutcome.clear(); // applies only when a scan ran
    QCOMPARE(columnOf("head_decision", "rescan_outcome").get(samples::with(head)), Value());
    head.place.clear(); // always applies: an empty text
    QCOMPARE(columnOf("head_decision", "place").get(samples::with(head)),
             Value(std::string_view()));
}

void ColumnsTest::clampsCountersBeyondTheDatabase()
{
    ledger::Admission admission;
    admission.request = std::numeric_limits<std::uint64_t>::max();
    const Column &request = columnOf("admission", "request");
    QCOMPARE(request.get(samples::with(admission)),
             Value(std::numeric_limits<std::int64_t>::max()));
    admission.request = samples::largest - 1;
    QCOMPARE(request.get(samples::with(admission)),
             Value(std::numeric_limits<std::int64_t>::max() - 1));
}

void ColumnsTest::leavesOutRealsThatAreNotFinite_data()
{
    QTest::addColumn<double>("number");
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinity") << std::numeric_limits<double>::infinity();
    QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity();
}

void ColumnsTest::leavesOutRealsThatAreNotFinite()
{
    QFETCH(const double, number);
    ledger::TurnEnded turn;
    turn.gateMs = number;
    turn.firstByteMs = number;
    const Record record = samples::with(turn);
    QCOMPARE(columnOf("turn", "gate_ms").get(record), Value());
    QCOMPARE(columnOf("turn", "first_byte_ms").get(record), Value());
    QCOMPARE(std::get<ledger::TurnEnded>(copyThroughCells(record).body).gateMs, 0.0);
}

void ColumnsTest::givesNegativeZeroAsZero()
{
    ledger::TurnEnded turn;
    turn.gateMs = -0.0;
    const Value value = columnOf("turn", "gate_ms").get(samples::with(turn));
    QVERIFY(!std::signbit(std::get<double>(value)));
}

void ColumnsTest::ignoresValuesOfTheWrongType()
{
    Record record = ledger::kinds()[*ledger::findKind("turn")].blank();
    columnOf("turn", "attempts").set(record, std::string_view("many"));
    columnOf("turn", "input_tokens").set(record, std::int64_t{-1});
    columnOf("turn", "end").set(record, std::int64_t{5});
    columnOf("turn", "time").set(record, std::string_view("yesterday"));
    columnOf("turn", "turn").set(record, std::string_view("req_1"));
    QCOMPARE(cellsOf(record), cellsOf(ledger::kinds()[*ledger::findKind("turn")].blank()));

    columnOf("turn", "attempts").set(record, std::int64_t{5'000'000'000});
    QCOMPARE(std::get<ledger::TurnEnded>(record.body).attempts,
             std::numeric_limits<std::uint32_t>::max());
    columnOf("turn", "total_ms")
        .set(record, std::int64_t{3}); // SQLite may hand back a whole real so
    QCOMPARE(std::get<ledger::TurnEnded>(record.body).totalMs, 3.0);
}

void ColumnsTest::documentsEveryColumn()
{
    const std::string text = ledger::columnTables();
    for (const Kind &kind : ledger::kinds()) {
        const std::size_t start = text.find("### `" + std::string(kind.name) + "`\n");
        QVERIFY(start != std::string::npos);
        for (const Column &column : kind.columns)
            QVERIFY(text.find("| `" + std::string(column.name) + "` | ", start)
                    != std::string::npos);
    }
    QVERIFY(text.find("| `diff_index` | integer, optional | ") != std::string::npos);
    QVERIFY(text.find("| `promoted` | flag | ") != std::string::npos);
}

QTEST_APPLESS_MAIN(ColumnsTest)
#include "tst_columns.moc"
