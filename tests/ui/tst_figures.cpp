// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/figures.h"

#include <QTest>

#include <limits>

using namespace headway::ui;

class FiguresTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spellsDurations_data();
    void spellsDurations();
    void spellsCountsBytesAndShares();
    void showsTheUnknownAsADashNeverAsZero();
    void keepsMalformedTextReadable();
    void printsTheRequestIdThatClientsSee();
};

void FiguresTest::spellsDurations_data()
{
    QTest::addColumn<double>("milliseconds");
    QTest::addColumn<QString>("expected");
    const auto row = [](double ms, const char *expected) {
        // U+00A0 stands between number and unit.
        QTest::addRow("%g", ms) << ms
                                << QString::fromUtf8(expected).replace(u' ', QChar(u'\u00a0'));
    };
    row(-5, "0 ms");
    row(0, "0 ms");
    row(850.4, "850 ms");
    row(999.4, "999 ms");
    row(999.6, "1.0 s");
    row(4'200, "4.2 s");
    row(9'949, "9.9 s");
    row(9'950, "10 s");
    row(119'400, "119 s");
    row(120'000, "2 min 00 s");
    row(185'000, "3 min 05 s");
    row(3'600'000, "1 h 00 min");
    row(7'440'000, "2 h 04 min");
}

void FiguresTest::spellsDurations()
{
    QFETCH(const double, milliseconds);
    QFETCH(const QString, expected);
    QCOMPARE(duration(milliseconds), expected);
}

void FiguresTest::spellsCountsBytesAndShares()
{
    QCOMPARE(count(7), QStringLiteral("7"));
    QCOMPARE(count(182'304), QStringLiteral("182\u202f304"));
    QCOMPARE(count(1'000'000), QStringLiteral("1\u202f000\u202f000"));
    QCOMPARE(bytes(640), QStringLiteral("640\u00a0B"));
    QCOMPARE(bytes(1'240), QStringLiteral("1.2\u00a0kB"));
    QCOMPARE(bytes(12'400), QStringLiteral("12\u00a0kB"));
    QCOMPARE(bytes(3'100'000), QStringLiteral("3.1\u00a0MB"));
    QCOMPARE(bytes(2'500'000'000), QStringLiteral("2.5\u00a0GB"));
    QCOMPARE(percent(0.84), QStringLiteral("84\u00a0%"));
    QCOMPARE(decimal(0.45), QStringLiteral("0.5"));
    QCOMPARE(decimal(12.4), QStringLiteral("12"));
}

void FiguresTest::showsTheUnknownAsADashNeverAsZero()
{
    const QString dash = QStringLiteral("–");
    QCOMPARE(percent(std::nullopt), dash);
    QCOMPARE(decimal(std::nullopt), dash);
    QCOMPARE(perSecond(std::nullopt), dash);
    QCOMPARE(duration(std::optional<double>()), dash);
    QCOMPARE(duration(std::numeric_limits<double>::quiet_NaN()), dash);
    QCOMPARE(percent(std::numeric_limits<double>::infinity()), dash);
}

void FiguresTest::keepsMalformedTextReadable()
{
    QCOMPARE(text("a\xff"
                  "b"),
             QStringLiteral("a\ufffdb"));
    QCOMPARE(text("é"), QStringLiteral("é"));
}

void FiguresTest::printsTheRequestIdThatClientsSee()
{
    QCOMPARE(requestId(0x12d5), QStringLiteral("req_00000000000012d5"));
}

QTEST_APPLESS_MAIN(FiguresTest)
#include "tst_figures.moc"
