// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/itemprint.h"

#include <QTest>

using namespace headway::heads;

// spec/heads.md section 3: numbers compare by value as JavaScript prints them. The right-hand
// column is what ECMAScript's Number::toString gives for the spelling (ECMA-262, 6.1.6.1.20),
// written down by hand; two spellings are one number exactly when it prints them alike.
class ItemNumbersTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoSpellingsAreEqualExactlyWhenJavaScriptPrintsThemAlike();
    void aSpellingIsEqualToWhatJavaScriptPrints();
    void numbersInsideArgumentsAreReadTheSameWay();
    void whatIsNoNumberOfJsonIsNoNumberHere_data();
    void whatIsNoNumberOfJsonIsNoNumberHere();
};

namespace {

struct Spelling
{
    const char *json;
    const char *printed;
};

constexpr Spelling spellings[] = {
    {"0", "0"},
    {"-0", "0"},
    {"0.0", "0"},
    {"-0.0e5", "0"},
    {"1", "1"},
    {"1.0", "1"},
    {"10e-1", "1"},
    {"1E0", "1"},
    {"0.1e+1", "1"},
    {"-1", "-1"},
    {"0.1", "0.1"},
    {"1e-1", "0.1"},
    {"0.10", "0.1"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"0.3", "0.3"},
    {"100", "100"},
    {"1e2", "100"},
    {"123456789012", "123456789012"},
    {"9007199254740991", "9007199254740991"},
    {"9007199254740992", "9007199254740992"},
    {"9007199254740993", "9007199254740992"}, // 2^53 + 1 is no double
    {"9007199254740994", "9007199254740994"},
    {"-9007199254740993", "-9007199254740992"},
    {"9223372036854775807", "9223372036854776000"},
    {"9223372036854775808", "9223372036854776000"},
    {"-9223372036854775809", "-9223372036854776000"},
    {"18446744073709551615", "18446744073709552000"},
    {"18446744073709551616", "18446744073709552000"},
    {"100000000000000000000", "100000000000000000000"},
    {"1e20", "100000000000000000000"},
    {"1e21", "1e+21"},
    {"1E+21", "1e+21"},
    {"1000000000000000000000", "1e+21"},
    {"1000000000000000000001", "1e+21"},
    {"10.0e20", "1e+21"},
    {"123456789012345678901234567890", "1.2345678901234568e+29"},
    {"1.2345678901234568e29", "1.2345678901234568e+29"},
    {"0.000001", "0.000001"},
    {"1e-6", "0.000001"},
    {"1e-7", "1e-7"},
    {"0.0000001", "1e-7"},
    {"1.7976931348623157e308", "1.7976931348623157e+308"},
    {"5e-324", "5e-324"},
    {"3e-324", "5e-324"},
    {"1e-400", "0"},
    {"-1e-400", "0"},
    {"1e400", "Infinity"},
    {"2e308", "Infinity"},
    {"0.01e999999999999999999999", "Infinity"},
    {"-1e400", "-Infinity"},
    {"333333333.33333329", "333333333.3333333"},
    {"4.5", "4.5"},
    {"4.50", "4.5"},
    {"2e-3", "0.002"},
    {"0.002", "0.002"},
};

ItemPrint printed(ItemPrinter &printer, std::string_view number)
{
    return printer.print(R"({"type":"x","n":[)" + std::string(number) + "]}");
}

std::string arguments(std::string_view number)
{
    return R"({"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":)"
        + std::string(number) + R"(}"})";
}

} // namespace

void ItemNumbersTest::twoSpellingsAreEqualExactlyWhenJavaScriptPrintsThemAlike()
{
    ItemPrinter printer(1);
    for (const Spelling &one : spellings) {
        for (const Spelling &other : spellings) {
            const bool alike = std::string_view(one.printed) == other.printed;
            QVERIFY2((printed(printer, one.json) == printed(printer, other.json)) == alike,
                     qPrintable(QString::fromLatin1("%1 and %2")
                                    .arg(QLatin1String(one.json), QLatin1String(other.json))));
        }
    }
}

void ItemNumbersTest::aSpellingIsEqualToWhatJavaScriptPrints()
{
    ItemPrinter printer(1);
    for (const Spelling &spelling : spellings) {
        if (!std::string_view(spelling.printed).ends_with("Infinity")) // that is no JSON
            QVERIFY2(printed(printer, spelling.json) == printed(printer, spelling.printed),
                     spelling.json);
    }
}

void ItemNumbersTest::numbersInsideArgumentsAreReadTheSameWay()
{
    ItemPrinter printer(1);
    for (const Spelling &one : spellings) {
        for (const Spelling &other : spellings) {
            const bool alike = std::string_view(one.printed) == other.printed;
            QVERIFY2((printer.print(arguments(one.json)) == printer.print(arguments(other.json)))
                         == alike,
                     one.json);
        }
    }
}

void ItemNumbersTest::whatIsNoNumberOfJsonIsNoNumberHere_data()
{
    QTest::addColumn<QByteArray>("spelling");
    for (const char *spelling :
         {"0123456789012345678901234", "1.", ".5", "+1", "1e", "1e+", "--1", "1.e400", "0x10",
          "1_000", "Infinity", "12345678901234567890123x", "1e4001e"})
        QTest::newRow(spelling) << QByteArray(spelling);
}

// Bytes then: an insignificant space makes another item.
void ItemNumbersTest::whatIsNoNumberOfJsonIsNoNumberHere()
{
    QFETCH(const QByteArray, spelling);
    ItemPrinter printer(1);
    const std::string number = spelling.toStdString();
    QVERIFY(!(printed(printer, number) == printed(printer, number + ' ')));
}

QTEST_APPLESS_MAIN(ItemNumbersTest)
#include "tst_itemnumbers.moc"
