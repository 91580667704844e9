// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/comparison.h"
#include "proxy/core/lab/numbers.h"
#include "proxy/core/lab/openings.h"

#include <QTest>

using namespace headway;
using namespace headway::lab;
using namespace std::chrono_literals;

namespace {

Comparison comparison(const char *scenario, double policyCost, double oracleCost)
{
    Comparison result;
    result.scenario = scenario;
    RunResult run;
    run.cost = policyCost;
    result.policies.emplace_back(pacing::Policy::Bucket, run);
    result.oracle.cost = oracleCost;
    return result;
}

} // namespace

class LabReportTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonHasTheMembersOfTheSpecification();
    void markdownHasGeometricMeansAndTheRatioToTheOracle();
    void numbersHaveNoTrailingZeros_data();
    void numbersHaveNoTrailingZeros();
    void millisecondsHaveAtMostThreeDecimals();
    void percentilesAreOfTheNearestRank();
    void aMinuteIsHalfOpen();
};

void LabReportTest::jsonHasTheMembersOfTheSpecification()
{
    Comparison result = comparison("a \"b\"", 7.2, 0);
    result.seeds = 10;
    RunResult &run = result.policies.front().second;
    run.offered = 600;
    run.waitP95 = 39.9;
    run.reuseRatio = 0.52;
    const std::string zeros = R"("max_openings_per_min":0,"finish_s":0,"reuse_ratio":)";
    const std::string expected
        = R"({"scenario":"a \"b\"","seeds":10,"policies":{"bucket":{"offered":600,"completed":0,)"
          R"("lost":0,"refusals":0,"refused_to_client":0,"rejections":0,"opened":0,)"
          R"("wait_p50_s":0,"wait_p95_s":39.9,"wait_max_s":0,"turn_p50_s":0,"turn_p95_s":0,)"
        + zeros + R"(0.52,"cached_ratio":0,"cost":7.2}},"oracle":{"offered":0,"completed":0,)"
        + R"("lost":0,"refusals":0,"refused_to_client":0,"rejections":0,"opened":0,)"
        + R"("wait_p50_s":0,"wait_p95_s":0,"wait_max_s":0,"turn_p50_s":0,"turn_p95_s":0,)" + zeros
        + R"(0,"cached_ratio":0,"cost":0}})" + "\n";
    QCOMPARE(QString::fromStdString(comparisonJson(result)), QString::fromStdString(expected));
}

void LabReportTest::markdownHasGeometricMeansAndTheRatioToTheOracle()
{
    const std::vector<Comparison> all{comparison("one", 0.5, 0), comparison("two", 7.5, 1.5)};
    // sqrt(1 * 8) = 2.83 and sqrt(0.5 * 2) = 1.
    QCOMPARE(QString::fromStdString(comparisonMarkdown(all)),
             QStringLiteral("| cost + 0.5 | bucket | oracle |\n"
                            "|---|--:|--:|\n"
                            "| one | 1.00 | 0.50 |\n"
                            "| two | 8.00 | 2.00 |\n"
                            "| geometric mean | 2.83 | 1.00 |\n"
                            "| ratio to the oracle | 2.83 | 1.00 |\n"));
}

void LabReportTest::numbersHaveNoTrailingZeros_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 12.0 << QStringLiteral("12");
    QTest::newRow("hundred") << 100.0 << QStringLiteral("100");
    QTest::newRow("half") << 0.5 << QStringLiteral("0.5");
    QTest::newRow("rounded") << 2.0 / 3 << QStringLiteral("0.667");
    QTest::newRow("almost nothing below zero") << -0.0001 << QStringLiteral("0");
}

void LabReportTest::numbersHaveNoTrailingZeros()
{
    QFETCH(const double, value);
    std::string text;
    appendNumber(text, value, 3);
    QTEST(QString::fromStdString(text), "text");
}

void LabReportTest::millisecondsHaveAtMostThreeDecimals()
{
    const auto text = [](base::Nanoseconds time) {
        std::string out;
        appendMilliseconds(out, time);
        return QString::fromStdString(out);
    };
    QCOMPARE(text(1500ms), QStringLiteral("1500"));
    QCOMPARE(text(1500us), QStringLiteral("1.5"));
    QCOMPARE(text(1'001'001ns), QStringLiteral("1.001"));
    QCOMPARE(text(1'000'500ns), QStringLiteral("1.001"));
    QCOMPARE(text(40us), QStringLiteral("0.04"));
    QCOMPARE(text(0ns), QStringLiteral("0"));
}

void LabReportTest::percentilesAreOfTheNearestRank()
{
    const std::vector<base::Nanoseconds> four{1ns, 2ns, 3ns, 4ns};
    QCOMPARE(percentile(four, 50), base::Nanoseconds(2));
    QCOMPARE(percentile(four, 51), base::Nanoseconds(3));
    QCOMPARE(percentile(four, 95), base::Nanoseconds(4));
    QCOMPARE(percentile(four, 100), base::Nanoseconds(4));
    QCOMPARE(percentile({}, 50), base::Nanoseconds(0));
}

void LabReportTest::aMinuteIsHalfOpen()
{
    QCOMPARE(mostInAMinute(std::vector<base::Nanoseconds>{0s, 30s, 60s, 89s}), std::size_t{3});
    QCOMPARE(mostInAMinute(std::vector<base::Nanoseconds>{0s, 60s}), std::size_t{1});
    QCOMPARE(mostInAMinute(std::vector<base::Nanoseconds>{0s, 59'999ms}), std::size_t{2});
    QCOMPARE(mostInAMinute({}), std::size_t{0});
}

QTEST_APPLESS_MAIN(LabReportTest)

#include "tst_labreport.moc"
