// SPDX-License-Identifier: GPL-3.0-or-later
// GET /metrics, read by a parser of its own after Prometheus's exposition format 0.0.4 and held to
// its naming rules.
#include "proxy/core/live/metrics.h"

#include <QHash>
#include <QRegularExpression>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;

class MetricsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySampleHasItsValue_data();
    void everySampleHasItsValue();
    void everyFamilyIsDescribedBeforeItsSamples();
    void namesFollowTheConvention();
    void theHistogramIsCumulative();
    void aBoundIsPartOfItsBucket();
};

namespace {

live::Metrics sample()
{
    live::Metrics metrics;
    metrics.version = "0.1.0";
    metrics.totals = {61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71};
    metrics.admissionsRefused = 5;
    metrics.turnsInFlight = 6;
    metrics.waiting = 7;
    metrics.gated = 8;
    metrics.connections = 9;
    metrics.heads = 10;
    metrics.bucketLevel = -2.5;
    metrics.estimate.perMinute = 71.5;
    metrics.estimate.confidence = 0.75;
    metrics.waits.add(0ns);
    metrics.waits.add(2s);
    metrics.waits.add(200s);
    return metrics;
}

struct Page
{
    QHash<QByteArray, double> samples; // "name{labels}"
    QHash<QByteArray, QByteArray> types;
    QString trouble;
};

QByteArray familyOf(const QByteArray &name, const QHash<QByteArray, QByteArray> &types)
{
    for (const char *suffix : {"_bucket", "_sum", "_count"}) {
        const QByteArray family
            = name.endsWith(suffix) ? name.chopped(static_cast<qsizetype>(qstrlen(suffix))) : name;
        if (types.value(family) == "histogram")
            return family;
    }
    return name;
}

Page parse(const std::string &text)
{
    Page page;
    static const QRegularExpression line(QStringLiteral(
        R"(^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\S+)$)"));
    QByteArray current;
    for (const QByteArray &raw : QByteArray::fromStdString(text).split('\n')) {
        if (raw.startsWith("# HELP ")) {
            current = raw.split(' ').at(2);
            continue;
        }
        if (raw.startsWith("# TYPE ")) {
            const QList<QByteArray> words = raw.split(' ');
            if (words.size() != 4 || words.at(2) != current)
                page.trouble = QString::fromUtf8(raw);
            page.types.insert(current, words.value(3));
            continue;
        }
        if (raw.isEmpty())
            continue;
        const auto match = line.match(QString::fromUtf8(raw));
        bool isNumber = false;
        const double value = match.captured(3).toDouble(&isNumber);
        const QByteArray name = match.captured(1).toUtf8();
        if (!match.hasMatch() || !isNumber || familyOf(name, page.types) != current)
            page.trouble = QString::fromUtf8(raw);
        page.samples.insert(name + match.captured(2).toUtf8(), value);
    }
    if (!text.ends_with('\n'))
        page.trouble = QStringLiteral("no line feed at the end");
    return page;
}

} // namespace

void MetricsTest::everySampleHasItsValue_data()
{
    QTest::addColumn<double>("value");
    const auto row = [](const char *name, double value) { QTest::newRow(name) << value; };
    row("headway_build_info{version=\"0.1.0\"}", 1);
    row("headway_turns_started_total", 61);
    row("headway_turns_total{end=\"completed\"}", 62);
    row("headway_turns_total{end=\"failed\"}", 63);
    row("headway_turns_total{end=\"refused\"}", 64);
    row("headway_turns_total{end=\"client_gone\"}", 65);
    row("headway_turns_continued_total", 66);
    row("headway_connections_opened_total", 67);
    row("headway_connections_rejected_total", 68);
    row("headway_ledger_records_total", 69);
    row("headway_input_tokens_total", 70);
    row("headway_cached_input_tokens_total", 71);
    row("headway_admissions_refused_total", 5);
    row("headway_turns_in_flight", 6);
    row("headway_turns_waiting", 7);
    row("headway_turns_gated", 8);
    row("headway_connections", 9);
    row("headway_heads", 10);
    row("headway_bucket_level", -2.5);
    row("headway_estimate_openings_per_minute", 71.5);
    row("headway_estimate_confidence_ratio", 0.75);
    row("headway_ledger_ok", 1);
    row("headway_admission_wait_seconds_sum", 202);
    row("headway_admission_wait_seconds_count", 3);
}

void MetricsTest::everySampleHasItsValue()
{
    QFETCH(double, value);
    const Page page = parse(live::metricsText(sample()));
    const QByteArray name = QTest::currentDataTag();
    QVERIFY(page.samples.contains(name));
    QCOMPARE(page.samples.value(name), value);
}

void MetricsTest::everyFamilyIsDescribedBeforeItsSamples()
{
    const Page page = parse(live::metricsText(sample()));
    QVERIFY2(page.trouble.isEmpty(), qPrintable(page.trouble));
    live::Metrics unknown = sample();
    unknown.bucketLevel = std::numeric_limits<double>::quiet_NaN();
    unknown.isLedgerOk = false;
    const Page other = parse(live::metricsText(unknown));
    QVERIFY2(other.trouble.isEmpty(), qPrintable(other.trouble));
    QVERIFY(qIsNaN(other.samples.value("headway_bucket_level")));
    QCOMPARE(other.samples.value("headway_ledger_ok", 7), 0.0);
}

// https://prometheus.io/docs/practices/naming/
void MetricsTest::namesFollowTheConvention()
{
    const Page page = parse(live::metricsText(sample()));
    for (auto it = page.types.cbegin(); it != page.types.cend(); ++it) {
        QVERIFY2(it.key().startsWith("headway_"), it.key().constData());
        QVERIFY2(it.key().endsWith("_total") == (it.value() == "counter"), it.key().constData());
    }
}

void MetricsTest::theHistogramIsCumulative()
{
    const Page page = parse(live::metricsText(sample()));
    const auto bucket = [&page](const char *bound) {
        return page.samples.value(
            QByteArray("headway_admission_wait_seconds_bucket{le=\"") + bound + "\"}", -1);
    };
    QCOMPARE(bucket("0.1"), 1.0);
    QCOMPARE(bucket("1"), 1.0);
    QCOMPARE(bucket("2.5"), 2.0);
    QCOMPARE(bucket("120"), 2.0);
    QCOMPARE(bucket("+Inf"), 3.0);
}

void MetricsTest::aBoundIsPartOfItsBucket()
{
    live::Metrics metrics;
    metrics.waits.add(1s);
    metrics.waits.add(1s + 1ns);
    const Page page = parse(live::metricsText(metrics));
    QCOMPARE(page.samples.value("headway_admission_wait_seconds_bucket{le=\"1\"}"), 1.0);
    QCOMPARE(page.samples.value("headway_admission_wait_seconds_bucket{le=\"2.5\"}"), 2.0);
}

QTEST_GUILESS_MAIN(MetricsTest)
#include "tst_metrics.moc"
