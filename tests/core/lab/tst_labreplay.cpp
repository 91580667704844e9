// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of spec/pacing.md sections 3 and 8 through the lab's replay, and what it says about
// bad input (spec/lab.md).
#include "proxy/core/lab/replay.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace headway;
using namespace headway::lab;
using std::chrono::milliseconds;

namespace {

std::string line(double ms, const std::string &more = {})
{
    return "{\"t_ms\": " + std::to_string(ms) + more + "}\n";
}

std::string atOnce(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += line(0);
    return text;
}

std::vector<ReplayedArrival> replayed(const std::string &text, int rate = 60, int burst = 10)
{
    settings::Settings settings;
    (void)settings.set(settings::Source::CommandLine, settings::Key::RatePerMin,
                       std::to_string(rate));
    (void)settings.set(settings::Source::CommandLine, settings::Key::Burst, std::to_string(burst));
    (void)settings.set(settings::Source::CommandLine, settings::Key::Policy, "bucket");
    const auto input = readArrivals(text, settings);
    if (!input)
        qFatal("%s", input.error().text("input").c_str());
    return replay(*input, pacingSetup(settings));
}

// "go 0", "wait 1000", "refused 0 4", "cancelled 700"
QString told(const ReplayedArrival &arrival)
{
    const auto ms = [](base::Nanoseconds time) {
        return QString::number(std::chrono::duration<double, std::milli>(time).count());
    };
    switch (arrival.outcome) {
    case Outcome::Admitted:
        return (arrival.wait.count() == 0 ? QStringLiteral("go ") : QStringLiteral("wait "))
            + ms(arrival.at);
    case Outcome::Refused:
        return QStringLiteral("refused %1 %2").arg(ms(arrival.at)).arg(arrival.retryAfter.count());
    case Outcome::Cancelled:
        return QStringLiteral("cancelled ") + ms(arrival.at);
    }
    return {};
}

QStringList told(const std::vector<ReplayedArrival> &arrivals)
{
    QStringList texts;
    for (const ReplayedArrival &arrival : arrivals)
        texts << told(arrival);
    return texts;
}

} // namespace

class LabReplayTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ofTwentyAtOnceTenGoFourWaitAndTheRestIsRefused();
    void yieldsTheRateWhateverIsOffered_data();
    void yieldsTheRateWhateverIsOffered();
    void refusesNobodyAtOnePerMinute();
    void aSlowerRateSendsTwoWaitersBackAtThatInstant();
    void aCancelledWaiterMovesThoseBehindItForward();
    void anAdmittedArrivalCannotBeCancelled();
    void atOneInstantDeparturesComeBeforeCancellations();
    void switchingOffReleasesTheQueueInSteps();
    void aBudgetSetInFlightCountsForThoseWhoArriveLater();
    void printsOneLineForEachArrivalAndTheSummary();
    void namesLineAndKeyOfBadInput_data();
    void namesLineAndKeyOfBadInput();
};

void LabReplayTest::ofTwentyAtOnceTenGoFourWaitAndTheRestIsRefused()
{
    QStringList expected;
    for (int i = 0; i < 10; ++i)
        expected << QStringLiteral("go 0");
    for (int i = 1; i <= 4; ++i)
        expected << QStringLiteral("wait %1").arg(i * 1000);
    for (int i = 0; i < 6; ++i)
        expected << QStringLiteral("refused 0 4"); // 5 s are honest, 4 s are the cap
    const auto result = replayed(atOnce(20));
    QCOMPARE(told(result), expected);
    QCOMPARE(result[13].required, base::Nanoseconds(milliseconds(4'000)));
    QCOMPARE(result[14].required, base::Nanoseconds(milliseconds(5'000)));
}

void LabReplayTest::yieldsTheRateWhateverIsOffered_data()
{
    QTest::addColumn<int>("offered");
    for (const int offered : {70, 82, 120, 240})
        QTest::addRow("%d", offered) << offered;
}

void LabReplayTest::yieldsTheRateWhateverIsOffered()
{
    QFETCH(const int, offered);
    std::string text;
    for (int i = 0; i < 4 * offered; ++i)
        text += line(i * 60'000.0 / offered);
    const auto result = replayed(text);
    const auto inFourthMinute = std::count_if(result.begin(), result.end(), [](const auto &one) {
        return one.outcome == Outcome::Admitted && one.at >= std::chrono::minutes(3)
            && one.at < std::chrono::minutes(4);
    });
    QVERIFY2(inFourthMinute >= 59 && inFourthMinute <= 61,
             qPrintable(QString::number(inFourthMinute)));
}

void LabReplayTest::refusesNobodyAtOnePerMinute()
{
    QStringList expected;
    for (int i = 0; i < 10; ++i)
        expected << QStringLiteral("go 0");
    expected << QStringLiteral("wait 4833");
    for (int i = 0; i < 9; ++i)
        expected << QStringLiteral("go 0");
    QCOMPARE(told(replayed(atOnce(20), 1)), expected);
}

void LabReplayTest::aSlowerRateSendsTwoWaitersBackAtThatInstant()
{
    const auto result = replayed(atOnce(14) + line(500, R"(, "set": {"rate_per_min": 30})"));
    QCOMPARE(told(result).mid(10),
             QStringList({QStringLiteral("wait 1500"), QStringLiteral("wait 3500"),
                          QStringLiteral("refused 500 4"), QStringLiteral("refused 500 4")}));
}

void LabReplayTest::aCancelledWaiterMovesThoseBehindItForward()
{
    const auto result
        = replayed(line(0) + line(0, R"(, "cancel_ms": 700)") + line(0) + line(800), 60, 1);
    QCOMPARE(told(result),
             QStringList({QStringLiteral("go 0"), QStringLiteral("cancelled 700"),
                          QStringLiteral("wait 1000"), QStringLiteral("wait 2000")}));
}

void LabReplayTest::anAdmittedArrivalCannotBeCancelled()
{
    const auto result = replayed(line(0, R"(, "cancel_ms": 0)") + line(100), 60, 1);
    QCOMPARE(told(result), QStringList({QStringLiteral("go 0"), QStringLiteral("wait 1000")}));
}

void LabReplayTest::atOneInstantDeparturesComeBeforeCancellations()
{
    const auto row = [](const char *cancelMs) {
        return told(
                   replayed(line(0) + line(0, std::string(R"(, "cancel_ms": )") + cancelMs), 60, 1))
            .last();
    };
    QCOMPARE(row("1000"), QStringLiteral("wait 1000"));
    QCOMPARE(row("999.99"), QStringLiteral("cancelled 999.99"));
}

void LabReplayTest::switchingOffReleasesTheQueueInSteps()
{
    const auto result = replayed(atOnce(13) + line(200, R"(, "set": {"policy": "off"})"));
    QCOMPARE(told(result).mid(10),
             QStringList({QStringLiteral("wait 200"), QStringLiteral("wait 250"),
                          QStringLiteral("wait 300")}));
}

void LabReplayTest::aBudgetSetInFlightCountsForThoseWhoArriveLater()
{
    // Idle 10 000: two retries, bound 666 ms; at 60/min nobody fits into the queue of such a turn.
    const auto result = replayed(
        line(0) + line(0) + line(10, R"(, "set": {"idle_ms": 10000})") + line(20), 60, 1);
    QCOMPARE(told(result),
             QStringList({QStringLiteral("go 0"), QStringLiteral("wait 1000"),
                          QStringLiteral("refused 20 1")}));
}

void LabReplayTest::printsOneLineForEachArrivalAndTheSummary()
{
    const std::string text = replayText(replayed(
        line(0) + line(0.5) + line(1, R"(, "cancel_ms": 250)") + line(2) + line(3), 120, 1));
    QCOMPARE(
        QString::fromStdString(text),
        QStringLiteral(
            R"({"i":0,"outcome":"admitted","at_ms":0,"wait_ms":0,"required_ms":0,"retry_after_s":0}
{"i":1,"outcome":"admitted","at_ms":500,"wait_ms":499.5,"required_ms":499.5,"retry_after_s":0}
{"i":2,"outcome":"cancelled","at_ms":251,"wait_ms":250,"required_ms":999,"retry_after_s":0}
{"i":3,"outcome":"admitted","at_ms":1000,"wait_ms":998,"required_ms":1498,"retry_after_s":0}
{"i":4,"outcome":"admitted","at_ms":1500,"wait_ms":1497,"required_ms":1997,"retry_after_s":0}
{"summary":{"arrivals":5,"admitted":4,"waited":3,"refused":0,"cancelled":1,"wait_p50_ms":499.5,"wait_p95_ms":1497,"wait_max_ms":1497,"max_per_min":4}}
)"));
}

void LabReplayTest::namesLineAndKeyOfBadInput_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *text, const char *error) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(error);
    };
    row("unknown key", "{\"t_ms\":0}\n{\"t_ms\":1,\"when\":3}", "f:2: when: there is no such key");
    row("wrong type", "\n{\"t_ms\":\"0\"}", "f:2: t_ms: expected a number");
    row("session that is no text", "{\"t_ms\":0,\"session\":5}", "f:1: session: expected a text");
    row("no time", "{\"session\":\"a\"}", "f:1: t_ms: is required");
    row("negative time", "{\"t_ms\":-0.001}", "f:1: t_ms: must not be negative");
    row("negative cancellation", "{\"t_ms\":0,\"cancel_ms\":-1}",
        "f:1: cancel_ms: must not be negative");
    row("unsorted", "{\"t_ms\":5}\n{\"t_ms\":4}",
        "f:2: t_ms: is earlier than the line before; sort by time");
    row("unknown setting", "{\"t_ms\":0,\"set\":{\"speed\":1}}",
        "f:1: set.speed: there is no such setting");
    row("setting of another type", "{\"t_ms\":0,\"set\":{\"burst\":\"9\"}}",
        "f:1: set.burst: expected a whole number");
    row("arrival and change at once", "{\"t_ms\":0,\"set\":{},\"session\":\"a\"}",
        "f:1: session: there is no such key");
    row("list", "[]", "f:1: expected an object");
}

void LabReplayTest::namesLineAndKeyOfBadInput()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, error);
    const auto input = readArrivals(text.toStdString(), {});
    QVERIFY(!input.has_value());
    QCOMPARE(QString::fromStdString(input.error().text("f")), error);
}

QTEST_APPLESS_MAIN(LabReplayTest)

#include "tst_labreplay.moc"
