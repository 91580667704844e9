// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/csv.h"
#include "tests/core/ledger/csvparser.h"
#include "tests/core/ledger/samplerecords.h"

#include <QTest>

using namespace headway;
using ledger::Value;
using testsupport::CsvParser;
using testsupport::Rows;

class LedgerCsvTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesTheHeaderOfEveryKind();
    void writesCells_data();
    void writesCells();
    void isReadBackByAnIndependentParser();
    void leavesNoCellThatStartsAFormula_data();
    void leavesNoCellThatStartsAFormula();
};

namespace {

std::string rowOf(const std::vector<Value> &cells)
{
    std::string out;
    ledger::appendCsvRow(out, cells);
    return out;
}

} // namespace

void LedgerCsvTest::writesTheHeaderOfEveryKind()
{
    const auto header = [](std::string_view kind) {
        std::string out;
        ledger::appendCsvHeader(out, ledger::kinds()[*ledger::findKind(kind)]);
        return out;
    };
    QCOMPARE(header("settings_changed"),
             std::string("time,turn,session,agent,who,key,old,new\r\n"));
    QCOMPARE(header("admission"),
             std::string("time,turn,session,agent,outcome,request,waited_ms,"
                         "required_ms,hint_s,policy,place\r\n"));
}

void LedgerCsvTest::writesCells_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("empty") << QByteArray("") << QByteArray("\r\n");
    QTest::newRow("plain") << QByteArray("a b'c") << QByteArray("a b'c\r\n");
    QTest::newRow("comma") << QByteArray("a,b") << QByteArray("\"a,b\"\r\n");
    QTest::newRow("quote") << QByteArray("a\"b") << QByteArray("\"a\"\"b\"\r\n");
    QTest::newRow("line feed") << QByteArray("a\nb") << QByteArray("\"a\nb\"\r\n");
    QTest::newRow("carriage return") << QByteArray("a\rb") << QByteArray("\"a\rb\"\r\n");
    QTest::newRow("formula") << QByteArray("=1+1") << QByteArray("'=1+1\r\n");
    QTest::newRow("formula that is quoted") << QByteArray("@a,b") << QByteArray("\"'@a,b\"\r\n");
    QTest::newRow("formula behind a semicolon") << QByteArray("a;=1") << QByteArray("\"a;=1\"\r\n");
    QTest::newRow("sign inside") << QByteArray("a=b+c-d@e") << QByteArray("a=b+c-d@e\r\n");
    QTest::newRow("UTF-8") << QByteArray("π") << QByteArray("π\r\n");
}

void LedgerCsvTest::writesCells()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, expected);
    const std::string cell = text.toStdString();
    QCOMPARE(QByteArray::fromStdString(rowOf({std::string_view(cell)})), expected);
}

void LedgerCsvTest::isReadBackByAnIndependentParser()
{
    const std::string odd("a\0b\n\r\n\t\"\"', \xcf\x80", 13);
    const std::string text = rowOf({Value(std::string_view(odd)), Value(), Value(samples::time),
                                    Value(base::TurnId(0xabc)), Value(std::string_view())})
        + rowOf({Value(std::int64_t{-5}), Value(std::int64_t{9'007'199'254'740'993}), Value(-0.25),
                 Value(true), Value(false)});
    const Rows expected{{odd, "", "2026-03-01T09:05:07.042Z", "req_0000000000000abc", ""},
                        {"-5", "9007199254740993", "-0.25", "1", "0"}};
    QCOMPARE(CsvParser(text).rows(), expected);
}

void LedgerCsvTest::leavesNoCellThatStartsAFormula_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *start : {"=", "+", "-", "@", "\t", "\r"}) {
        QTest::addRow("%02x alone", *start) << QByteArray(start);
        QTest::addRow("%02x", *start) << QByteArray(start) + "cmd|' /C calc'!A0";
        QTest::addRow("%02x, quoted", *start) << QByteArray(start) + "HYPERLINK(\"x\",\"y\")\n";
    }
}

void LedgerCsvTest::leavesNoCellThatStartsAFormula()
{
    QFETCH(const QByteArray, text);
    const std::string cell = text.toStdString();
    const Rows rows = CsvParser(rowOf({std::string_view(cell)})).rows();
    QCOMPARE(rows, Rows{{"'" + cell}});
}

QTEST_APPLESS_MAIN(LedgerCsvTest)
#include "tst_ledgercsv.moc"
