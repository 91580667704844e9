// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/jsonl.h"
#include "tests/core/ledger/samplerecords.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace headway;
using ledger::Record;

class LedgerJsonlTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesOneObjectALine();
    void isReadBackByQt();
    void writesNothingAsNull();
    void keepsIntegersBeyondADoubleExact();
};

namespace {

QByteArray lineOf(const Record &record)
{
    const ledger::Kind &kind = ledger::kindOf(record);
    std::vector<ledger::Value> cells;
    for (const ledger::Column &column : kind.columns)
        cells.push_back(column.get(record));
    std::string out;
    ledger::appendJsonLine(out, kind, cells);
    return QByteArray::fromStdString(out);
}

QJsonObject objectOf(const Record &record)
{
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(lineOf(record), &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("%s", qPrintable(error.errorString()));
    return document.object();
}

} // namespace

void LedgerJsonlTest::writesOneObjectALine()
{
    const Record record = samples::with(ledger::SettingsChanged{"window", "a\nb", "60", "-6"});
    QCOMPARE(lineOf(record),
             QByteArray("{\"kind\":\"settings_changed\",\"time\":\"2026-03-01T09:05:07.042Z\","
                        "\"turn\":\"req_0123456789abcdef\",\"session\":\"0a1b2c3d4e5f\","
                        "\"agent\":\"f5e4d3c2b1a0\",\"who\":\"window\",\"key\":\"a\\nb\","
                        "\"old\":\"60\",\"new\":\"-6\"}\n"));
}

void LedgerJsonlTest::isReadBackByQt()
{
    const QJsonObject head = objectOf(samples::with(samples::headDecided()));
    QCOMPARE(head[QLatin1String("kind")].toString(), QStringLiteral("head_decision"));
    QCOMPARE(head[QLatin1String("promoted")], QJsonValue(true));
    QCOMPARE(head[QLatin1String("created_connection")], QJsonValue(false));
    QCOMPARE(head[QLatin1String("diff_index")], QJsonValue(0));
    QCOMPARE(head[QLatin1String("waited_ms")], QJsonValue(7.5));

    for (const auto &records : {samples::everyKind(), samples::extremes()}) {
        for (const Record &record : records) {
            const QJsonObject object = objectOf(record);
            QCOMPARE(object.size(),
                     static_cast<qsizetype>(ledger::kindOf(record).columns.size()) + 1);
            QCOMPARE(lineOf(record).count('\n'), 1);
        }
    }
    const std::string odd = std::get<ledger::Warning>(samples::extremes().at(5).body).text;
    QCOMPARE(objectOf(samples::extremes().at(5))[QLatin1String("text")].toString().toUtf8(),
             QByteArray::fromStdString(odd));
}

void LedgerJsonlTest::writesNothingAsNull()
{
    ledger::TurnEnded turn;
    turn.gateMs = std::numeric_limits<double>::quiet_NaN();
    turn.streamedMs = 0.0;
    const QJsonObject object
        = objectOf({.at = samples::time, .turn = {}, .session = {}, .agent = {}, .body = turn});
    for (const char *name : {"turn", "session", "agent", "gate_ms", "first_byte_ms", "error_type"})
        QVERIFY2(object[QLatin1String(name)].isNull(), name);
    QCOMPARE(object[QLatin1String("streamed_ms")], QJsonValue(0));
    QCOMPARE(object[QLatin1String("reason")], QJsonValue(QString(QLatin1String(""))));
}

void LedgerJsonlTest::keepsIntegersBeyondADoubleExact()
{
    ledger::Admission admission;
    admission.request = 9'007'199'254'740'993;
    QVERIFY(lineOf(samples::with(admission)).contains("\"request\":9007199254740993,"));
    admission.request = samples::largest;
    QVERIFY(lineOf(samples::with(admission)).contains("\"request\":9223372036854775807,"));
}

QTEST_APPLESS_MAIN(LedgerJsonlTest)
#include "tst_ledgerjsonl.moc"
