// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/text.h"

#include <QDateTime>
#include <QTest>

#include <limits>

using namespace headway;

Q_DECLARE_METATYPE(std::optional<qint64>)

class LedgerTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesRfc3339_data();
    void writesRfc3339();
    void agreesWithQtOnTimesAllOverTheCalendar();
    void readsRfc3339_data();
    void readsRfc3339();
    void writesTurnsAsRequestIds();
    void readsOnlyItsOwnTurnIds_data();
    void readsOnlyItsOwnTurnIds();
    void writesNumbersPlainlyAndExactly();
};

void LedgerTextTest::writesRfc3339_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("epoch") << qint64{0} << QByteArray("1970-01-01T00:00:00.000Z");
    QTest::newRow("one before") << qint64{-1} << QByteArray("1969-12-31T23:59:59.999Z");
    QTest::newRow("every field") << qint64{1'772'355'907'042}
                                 << QByteArray("2026-03-01T09:05:07.042Z");
    QTest::newRow("leap day") << qint64{951'782'400'000} << QByteArray("2000-02-29T00:00:00.000Z");
    QTest::newRow("last") << qint64{253'402'300'799'999} << QByteArray("9999-12-31T23:59:59.999Z");
    QTest::newRow("beyond") << qint64{253'402'300'800'000}
                            << QByteArray("9999-12-31T23:59:59.999Z");
    QTest::newRow("greatest") << std::numeric_limits<qint64>::max()
                              << QByteArray("9999-12-31T23:59:59.999Z");
    QTest::newRow("least") << std::numeric_limits<qint64>::min()
                           << QByteArray("0000-01-01T00:00:00.000Z");
}

void LedgerTextTest::writesRfc3339()
{
    QFETCH(const qint64, milliseconds);
    QFETCH(const QByteArray, expected);
    const base::WallTime time{base::Milliseconds(milliseconds)};
    QCOMPARE(QByteArray::fromStdString(ledger::timeText(time)), expected);
}

void LedgerTextTest::agreesWithQtOnTimesAllOverTheCalendar()
{
    constexpr qint64 step = 86'400'000LL * 37 + 3'723'004; // 37 days, 1 h 2 min 3.004 s
    for (qint64 at = -5'000'000'000'000; at < 30'000'000'000'000; at += step) {
        const QByteArray text
            = QByteArray::fromStdString(ledger::timeText(base::WallTime(base::Milliseconds(at))));
        QCOMPARE(
            text,
            QDateTime::fromMSecsSinceEpoch(at, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1());
        QCOMPARE(ledger::parseTime(text.toStdString()), base::WallTime(base::Milliseconds(at)));
    }
}

void LedgerTextTest::readsRfc3339_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<std::optional<qint64>>("expected");
    const std::optional<qint64> none;
    const std::optional<qint64> second = 1'772'355'907'000;
    QTest::newRow("UTC") << QByteArray("2026-03-01T09:05:07Z") << second;
    QTest::newRow("lower case") << QByteArray("2026-03-01t09:05:07z") << second;
    QTest::newRow("blank") << QByteArray("2026-03-01 09:05:07Z") << second;
    QTest::newRow("east") << QByteArray("2026-03-01T14:35:07+05:30") << second;
    QTest::newRow("west, day before") << QByteArray("2026-02-28T23:05:07-10:00") << second;
    QTest::newRow("minus zero") << QByteArray("2026-03-01T09:05:07-00:00") << second;
    QTest::newRow("tenths") << QByteArray("2026-03-01T09:05:07.5Z")
                            << std::optional<qint64>(*second + 500);
    QTest::newRow("nanoseconds") << QByteArray("2026-03-01T09:05:07.042999999Z")
                                 << std::optional<qint64>(*second + 42);
    QTest::newRow("leap second") << QByteArray("2016-12-31T23:59:60Z")
                                 << std::optional<qint64>(1'483'228'800'000);
    for (const char *bad : {"",
                            "2026-03-01",
                            "2026-03-01T09:05:07",
                            "2026-03-01T09:05Z",
                            "2026-02-29T00:00:00Z",
                            "2026-02-30T00:00:00Z",
                            "2026-13-01T00:00:00Z",
                            "2026-00-01T00:00:00Z",
                            "2026-01-00T00:00:00Z",
                            "2026-01-01T24:00:00Z",
                            "2026-01-01T00:60:00Z",
                            "2026-01-01T00:00:61Z",
                            "2026-01-01T00:00:00.Z",
                            "2026-01-01T00:00:00+0000",
                            "2026-01-01T00:00:00+24:00",
                            "2026-01-01T00:00:00Zx",
                            " 2026-01-01T00:00:00Z",
                            "+026-01-01T00:00:00Z",
                            "2026-1-01T00:00:00Z",
                            "2026-01-01X00:00:00Z"})
        QTest::newRow(bad) << QByteArray(bad) << none;
}

void LedgerTextTest::readsRfc3339()
{
    QFETCH(const QByteArray, text);
    QFETCH(const std::optional<qint64>, expected);
    const auto time = ledger::parseTime({text.constData(), static_cast<std::size_t>(text.size())});
    QCOMPARE(time.has_value(), expected.has_value());
    if (expected)
        QCOMPARE(qint64{time->time_since_epoch().count()}, *expected);
}

void LedgerTextTest::writesTurnsAsRequestIds()
{
    QCOMPARE(ledger::turnText(base::TurnId(0x00fedcba98765432)),
             std::string("req_00fedcba98765432"));
    QCOMPARE(ledger::turnText(base::TurnId(~std::uint64_t{0})),
             std::string("req_ffffffffffffffff"));
    QCOMPARE(ledger::parseTurn("req_00fedcba98765432"), base::TurnId(0x00fedcba98765432));
}

void LedgerTextTest::readsOnlyItsOwnTurnIds_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *bad :
         {"", "req_", "00fedcba98765432", "req_00fedcba9876543", "req_00fedcba987654321",
          "req_00FEDCBA98765432", "req_00fedcba9876543g", "reqx00fedcba98765432"})
        QTest::newRow(bad) << QByteArray(bad);
}

void LedgerTextTest::readsOnlyItsOwnTurnIds()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!ledger::parseTurn(text.toStdString()));
}

void LedgerTextTest::writesNumbersPlainlyAndExactly()
{
    std::string out;
    ledger::appendNumber(out, std::numeric_limits<std::int64_t>::max());
    ledger::appendNumber(out += ' ', std::numeric_limits<std::int64_t>::min());
    ledger::appendNumber(out += ' ', 0.1);
    ledger::appendNumber(out += ' ', -2.5);
    ledger::appendNumber(out += ' ', 3.0);
    QCOMPARE(out, std::string("9223372036854775807 -9223372036854775808 0.1 -2.5 3"));
}

QTEST_APPLESS_MAIN(LedgerTextTest)
#include "tst_ledgertext.moc"
