// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/backoff.h"
#include "proxy/core/pacing/budget.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <string>

using namespace headway::pacing;
using headway::base::Milliseconds;
using headway::base::Random;
using headway::base::WallTime;

class BackoffTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void staysBetweenEightyPercentAndTheRung_data();
    void staysBetweenEightyPercentAndTheRung();
    void staysInsideTheLadderBudget();
    void readsSeconds_data();
    void readsSeconds();
    void readsDatesAgainstTheWallClock();
    void readsMilliseconds_data();
    void readsMilliseconds();
};

void BackoffTest::staysBetweenEightyPercentAndTheRung_data()
{
    QTest::addColumn<int>("retry");
    QTest::addColumn<int>("rungMs");
    QTest::newRow("1") << 1 << 2'000;
    QTest::newRow("2") << 2 << 4'000;
    QTest::newRow("3") << 3 << 8'000;
    QTest::newRow("4") << 4 << 16'000;
    QTest::newRow("5: capped") << 5 << 30'000;
    QTest::newRow("10: capped") << 10 << 30'000;
    QTest::newRow("far beyond") << 2'000'000'000 << 30'000;
    QTest::newRow("0 counts as 1") << 0 << 2'000;
}

void BackoffTest::staysBetweenEightyPercentAndTheRung()
{
    QFETCH(const int, retry);
    QFETCH(const int, rungMs);
    Random random(7);
    qint64 least = rungMs;
    qint64 most = 0;
    for (int i = 0; i < 2'000; ++i) {
        const qint64 delay = retryDelay(retry, random).count();
        least = std::min(least, delay);
        most = std::max(most, delay);
    }
    QVERIFY(least >= rungMs * 8 / 10);
    QVERIFY(most <= rungMs);
    // It is spread over the whole range, not stuck at one end.
    QVERIFY(least < rungMs * 81 / 100);
    QVERIFY(most > rungMs * 99 / 100);
}

void BackoffTest::staysInsideTheLadderBudget()
{
    Random random(11);
    for (int retries = 1; retries <= 10; ++retries) {
        Milliseconds sum{0};
        for (int n = 1; n <= retries; ++n)
            sum += retryDelay(n, random);
        QVERIFY(sum <= ladder(retries));
    }
}

void BackoffTest::readsSeconds_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("expected"); // -1: not a Retry-After
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("seven") << QByteArray("7") << qint64(7'000);
    QTest::newRow("blanks") << QByteArray(" \t7 ") << qint64(7'000);
    QTest::newRow("fraction") << QByteArray("1.5") << qint64(1'500);
    QTest::newRow("tenth") << QByteArray("0.1") << qint64(100);
    QTest::newRow("rounds up") << QByteArray("0.0001") << qint64(1);
    QTest::newRow("a month") << QByteArray("2678400") << qint64(2'678'400'000);
    QTest::newRow("longer than any limit lasts") << QByteArray("2678401") << qint64(-1);
    QTest::newRow("huge") << QByteArray("99999999999999999999999999") << qint64(-1);
    QTest::newRow("empty") << QByteArray("") << qint64(-1);
    QTest::newRow("negative") << QByteArray("-1") << qint64(-1);
    QTest::newRow("plus") << QByteArray("+1") << qint64(-1);
    QTest::newRow("exponent") << QByteArray("1e3") << qint64(-1);
    QTest::newRow("hexadecimal") << QByteArray("0x10") << qint64(-1);
    QTest::newRow("no integer part") << QByteArray(".5") << qint64(-1);
    QTest::newRow("no fraction") << QByteArray("1.") << qint64(-1);
    QTest::newRow("two points") << QByteArray("1.2.3") << qint64(-1);
    QTest::newRow("point point") << QByteArray("1..3") << qint64(-1);
    QTest::newRow("unit") << QByteArray("7s") << qint64(-1);
    QTest::newRow("list") << QByteArray("7, 8") << qint64(-1);
    QTest::newRow("words") << QByteArray("soon") << qint64(-1);
    QTest::newRow("nan") << QByteArray("nan") << qint64(-1);
}

void BackoffTest::readsSeconds()
{
    QFETCH(const QByteArray, value);
    const auto parsed = parseRetryAfter(value.toStdString(), WallTime{});
    QTEST(parsed ? qint64(parsed->count()) : qint64(-1), "expected");
}

void BackoffTest::readsDatesAgainstTheWallClock()
{
    // 1994-11-06 08:49:37 UTC is 784111777 s after the epoch (RFC 9110 section 5.6.7).
    const std::string date = "Sun, 06 Nov 1994 08:49:37 GMT";
    const WallTime then{Milliseconds(784'111'777'000)};
    QCOMPARE(parseRetryAfter(date, then - Milliseconds(7'250)), std::optional(Milliseconds(7'250)));
    QCOMPARE(parseRetryAfter(date, then), std::optional(Milliseconds(0)));
    QCOMPARE(parseRetryAfter(date, then + Milliseconds(1)), std::optional(Milliseconds(0)));
    QVERIFY(!parseRetryAfter(date, then - Milliseconds(2'678'400'001))); // 31 days and a bit
    QCOMPARE(parseRetryAfter(" " + date + " ", then - Milliseconds(1)),
             std::optional(Milliseconds(1)));
}

void BackoffTest::readsMilliseconds_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("plain") << QByteArray("1500") << qint64(1'500);
    QTest::newRow("fraction rounds up") << QByteArray("12.3") << qint64(13);
    QTest::newRow("blanks") << QByteArray(" 20 ") << qint64(20);
    QTest::newRow("empty") << QByteArray("") << qint64(-1);
    QTest::newRow("unit") << QByteArray("20ms") << qint64(-1);
    QTest::newRow("negative") << QByteArray("-20") << qint64(-1);
    QTest::newRow("date") << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT") << qint64(-1);
}

void BackoffTest::readsMilliseconds()
{
    QFETCH(const QByteArray, value);
    const auto parsed = parseRetryAfterMs(value.toStdString());
    QTEST(parsed ? qint64(parsed->count()) : qint64(-1), "expected");
}

QTEST_APPLESS_MAIN(BackoffTest)
#include "tst_backoff.moc"
