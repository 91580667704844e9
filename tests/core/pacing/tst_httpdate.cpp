// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/httpdate.h"

#include <QDateTime>
#include <QLocale>
#include <QTest>

#include <string>

using headway::base::Milliseconds;
using headway::base::WallTime;
using headway::pacing::parseHttpDate;

namespace {

WallTime wall(qint64 seconds)
{
    return WallTime(Milliseconds(seconds * 1'000));
}

qint64 secondsOf(const std::string &text, qint64 now = 784'111'700)
{
    const auto parsed = parseHttpDate(text, wall(now));
    return parsed ? parsed->time_since_epoch().count() / 1'000 : -1;
}

} // namespace

class HttpDateTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheThreeFormsOfTheRfc();
    void agreesWithAnotherCalendarOverManyYears();
    void takesATwoDigitYearAtMostFiftyYearsAhead();
    void refusesEverythingElse_data();
    void refusesEverythingElse();
};

void HttpDateTest::readsTheThreeFormsOfTheRfc()
{
    // RFC 9110 section 5.6.7, and 784111777 as `date -u` gives it.
    QCOMPARE(secondsOf("Sun, 06 Nov 1994 08:49:37 GMT"), qint64(784'111'777));
    QCOMPARE(secondsOf("Sunday, 06-Nov-94 08:49:37 GMT"), qint64(784'111'777));
    QCOMPARE(secondsOf("Sun Nov  6 08:49:37 1994"), qint64(784'111'777));
    QCOMPARE(secondsOf("Wed Nov 16 08:49:37 1994"), qint64(784'111'777 + 10 * 86'400));
    QCOMPARE(secondsOf("Thu, 01 Jan 1970 00:00:00 GMT"), qint64(0));
    QCOMPARE(secondsOf("Sat, 31 Dec 2016 23:59:60 GMT"), qint64(1'483'228'800));
}

void HttpDateTest::agreesWithAnotherCalendarOverManyYears()
{
    const QLocale english = QLocale::c();
    for (qint64 seconds = 0; seconds < 4'000'000'000; seconds += 8'999'993) {
        const QDateTime moment = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
        const QString text
            = english.toString(moment, QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"));
        QCOMPARE(secondsOf(text.toStdString()), seconds);
    }
}

void HttpDateTest::takesATwoDigitYearAtMostFiftyYearsAhead()
{
    const qint64 in2024 = 1'718'000'000;
    const auto year = [&](const char *text) {
        return QDateTime::fromSecsSinceEpoch(secondsOf(text, in2024), Qt::UTC).date().year();
    };
    QCOMPARE(year("Sunday, 06-Nov-24 08:49:37 GMT"), 2024);
    QCOMPARE(year("Sunday, 06-Nov-74 08:49:37 GMT"), 2074);
    QCOMPARE(year("Sunday, 06-Nov-75 08:49:37 GMT"), 1975);
    QCOMPARE(year("Sunday, 06-Nov-99 08:49:37 GMT"), 1999);
    QCOMPARE(year("Sunday, 06-Nov-00 08:49:37 GMT"), 2000);
}

void HttpDateTest::refusesEverythingElse_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"", "Sun", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
          "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
          "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
          "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
          "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
          "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
          "Xxx, 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
          "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "1994-11-06T08:49:37Z"})
        QTest::newRow(text) << QByteArray(text);
}

void HttpDateTest::refusesEverythingElse()
{
    QFETCH(const QByteArray, text);
    QCOMPARE(secondsOf(text.toStdString()), qint64(-1));
}

QTEST_APPLESS_MAIN(HttpDateTest)
#include "tst_httpdate.moc"
