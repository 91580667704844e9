// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pacingsetup.h"
#include "ui/models/replayrunner.h"
#include "ui/models/replayworker.h"

#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace headway;
using namespace headway::ui;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

std::vector<lab::Arrival> atOnce(std::size_t count)
{
    return std::vector<lab::Arrival>(count);
}

ReplayRequest lastMinutes(int count, std::uint64_t reading = 0)
{
    ReplayRequest request;
    request.source.back = minutes(count);
    request.source.reading = reading;
    request.after.pacer.policy = pacing::Policy::Off;
    return request;
}

ReplayResultPointer resultOf(const QSignalSpy &spy, qsizetype index)
{
    return spy.at(index).front().value<ReplayResultPointer>();
}

} // namespace

class ReplayRunnerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replaysUnderBothSettingsOnAThreadOfItsOwn();
    void requestsInARowBecomeOne();
    void otherSettingsNeedNoSecondReading();
    void theResultOfAnOvertakenRequestIsNotTold();
    void saysThatItIsBusyOnlyWhenItTakesLong();
    void goesAwayWhileAReplayIsAtWork();
    void aReadingThatFailsIsToldInItsWords();
    void nothingInTheSpanGivesEmptyCurves();
    void aScenarioGivesItsArrivals();
    void anUnreadableScenarioNamesFileLineAndKey_data();
    void anUnreadableScenarioNamesFileLineAndKey();
    void theSettingsOfASnapshotReachThePacer();
};

void ReplayRunnerTest::replaysUnderBothSettingsOnAThreadOfItsOwn()
{
    std::atomic<QThread *> thread = nullptr;
    ReplayRunner runner;
    runner.setLedgerReader([&thread](base::Milliseconds) {
        thread = QThread::currentThread();
        return atOnce(20);
    });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    runner.ask(lastMinutes(15));
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(thread != nullptr && thread != QThread::currentThread());
    // spec/pacing.md section 3: of 20 at once, 10 go now, 4 wait, the 15th is the first refusal.
    const auto result = resultOf(finished, 0);
    QCOMPARE(result->curves.before.summary.admitted, std::size_t(14));
    QCOMPARE(result->curves.before.summary.refused, std::size_t(6));
    QCOMPARE(result->curves.before.summary.waitMax, base::Nanoseconds(seconds(4)));
    QCOMPARE(result->curves.after.summary.admitted, std::size_t(20));
    QCOMPARE(result->curves.after.summary.waitMax, base::Nanoseconds(0));
    QCOMPARE(result->curves.step, base::Nanoseconds(seconds(1)));
}

void ReplayRunnerTest::requestsInARowBecomeOne()
{
    std::atomic<int> readings = 0;
    ReplayRunner runner;
    runner.setLedgerReader([&readings](base::Milliseconds back) {
        ++readings;
        return atOnce(back == minutes(60) ? 3 : 1);
    });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    for (int i = 1; i <= 60; ++i)
        runner.ask(lastMinutes(i));
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(readings.load(), 1);
    QCOMPARE(resultOf(finished, 0)->curves.before.summary.arrivals, std::size_t(3));
}

void ReplayRunnerTest::otherSettingsNeedNoSecondReading()
{
    std::atomic<int> readings = 0;
    ReplayRunner runner;
    runner.setLedgerReader([&readings](base::Milliseconds) {
        ++readings;
        return atOnce(20);
    });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    ReplayRequest request = lastMinutes(5);
    runner.ask(request);
    QTRY_COMPARE(finished.count(), 1);
    request.after.pacer.policy = pacing::Policy::Bucket;
    request.after.pacer.burst = 16;
    runner.ask(request);
    QTRY_COMPARE(finished.count(), 2);
    QCOMPARE(readings.load(), 1);
    QCOMPARE(resultOf(finished, 1)->curves.after.summary.admitted, std::size_t(20));
    runner.ask(lastMinutes(5, 1));
    QTRY_COMPARE(finished.count(), 3);
    QCOMPARE(readings.load(), 2);
}

void ReplayRunnerTest::theResultOfAnOvertakenRequestIsNotTold()
{
    QSemaphore entered;
    QSemaphore goOn;
    ReplayRunner runner;
    runner.setLedgerReader([&](base::Milliseconds back) {
        entered.release();
        goOn.acquire();
        return atOnce(back == minutes(5) ? 1 : 2);
    });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    runner.ask(lastMinutes(5));
    QTRY_VERIFY(entered.available() > 0);
    runner.ask(lastMinutes(15));
    goOn.release(2);
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(resultOf(finished, 0)->source.back, base::Milliseconds(minutes(15)));
    QCOMPARE(resultOf(finished, 0)->curves.before.summary.arrivals, std::size_t(2));
}

void ReplayRunnerTest::saysThatItIsBusyOnlyWhenItTakesLong()
{
    QSemaphore goOn;
    std::atomic<bool> isSlow = false;
    ReplayRunner runner;
    runner.setLedgerReader([&](base::Milliseconds) {
        if (isSlow)
            goOn.acquire();
        return atOnce(1);
    });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    QSignalSpy busy(&runner, &ReplayRunner::busyChanged);
    isSlow = true;
    runner.ask(lastMinutes(5));
    QTRY_COMPARE(busy.count(), 1);
    QCOMPARE(busy.at(0).front().toBool(), true);
    QCOMPARE(finished.count(), 0);
    goOn.release();
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(busy.count(), 2);
    QCOMPARE(busy.at(1).front().toBool(), false);
}

void ReplayRunnerTest::goesAwayWhileAReplayIsAtWork()
{
    QSemaphore entered;
    QSemaphore goOn;
    auto runner = std::make_unique<ReplayRunner>();
    runner->setLedgerReader([&](base::Milliseconds) {
        entered.release();
        goOn.acquire();
        return atOnce(1);
    });
    runner->ask(lastMinutes(5));
    QTRY_VERIFY(entered.available() > 0);
    goOn.release();
    runner.reset();
    QCOMPARE(goOn.available(), 0); // it was waited for
}

void ReplayRunnerTest::aReadingThatFailsIsToldInItsWords()
{
    ReplayRunner runner;
    runner.setLedgerReader(
        [](base::Milliseconds) -> tl::expected<std::vector<lab::Arrival>, QString> {
            return tl::unexpected(QStringLiteral("/x/ledger.db: not a database"));
        });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    runner.ask(lastMinutes(5));
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(resultOf(finished, 0)->error, QStringLiteral("/x/ledger.db: not a database"));
}

void ReplayRunnerTest::nothingInTheSpanGivesEmptyCurves()
{
    ReplayRunner runner;
    runner.setLedgerReader([](base::Milliseconds) { return atOnce(0); });
    QSignalSpy finished(&runner, &ReplayRunner::finished);
    runner.ask(lastMinutes(5));
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(resultOf(finished, 0)->error.isEmpty());
    QVERIFY(resultOf(finished, 0)->curves.before.refusals.empty());
}

void ReplayRunnerTest::aScenarioGivesItsArrivals()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("three.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"provider": {"upgrade_limits": []},
                     "workload": {"sessions": [{"agents": 3, "turns": 1}]}})");
    file.close();
    const auto arrivals = arrivalsOfScenario(path);
    QVERIFY2(arrivals.has_value(), arrivals ? "" : qPrintable(arrivals.error()));
    QCOMPARE(arrivals->size(), std::size_t(3)); // a first turn always needs a connection
}

void ReplayRunnerTest::anUnreadableScenarioNamesFileLineAndKey_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a key that is none")
        << QByteArray("{\"provider\": {\"upgrade_limits\": []},\n"
                      "  \"workload\": {\"sessions\": [{\"agents\": 1, \"turns\": 1}]},\n"
                      "  \"durration_s\": 3}")
        << QStringLiteral("s.json:3: durration_s: ");
    QTest::newRow("no JSON") << QByteArray("fan-out") << QStringLiteral("s.json");
}

void ReplayRunnerTest::anUnreadableScenarioNamesFileLineAndKey()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QString, expected);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const auto arrivals = arrivalsOfScenario(path);
    QVERIFY(!arrivals);
    QVERIFY2(arrivals.error().contains(expected), qPrintable(arrivals.error()));
    const auto missing = arrivalsOfScenario(folder.filePath(QStringLiteral("absent.json")));
    QVERIFY(!missing);
    QVERIFY(missing.error().contains(QLatin1String("absent.json")));
}

void ReplayRunnerTest::theSettingsOfASnapshotReachThePacer()
{
    const auto setup = pacingSetupOf({{"policy", {"adaptive", "file", false}},
                                      {"rate_per_min", {"90", "window", false}},
                                      {"rate_pinned", {"true", "window", false}},
                                      {"spacing_floor_ms", {"250", "environment", true}},
                                      {"idle_ms", {"30000", "file", false}},
                                      {"burst", {"no number", "file", false}},
                                      {"no_such_key", {"1", "file", false}},
                                      {"access_key", {"secret", "file", false}}});
    QCOMPARE(setup.pacer.policy, pacing::Policy::Adaptive);
    QCOMPARE(setup.pacer.ratePerMinute, 90.0);
    QVERIFY(setup.pacer.ratePinned);
    QCOMPARE(setup.pacer.spacingFloor, base::Milliseconds(250));
    QCOMPARE(setup.pacer.burst, 10.0);
    // spec/pacing.md section 1: idle 30000 alone gives three retries and a bound of 2000 ms.
    QCOMPARE(setup.budget.retries, 3);
    QCOMPARE(setup.budget.bound, base::Milliseconds(2'000));
}

QTEST_GUILESS_MAIN(ReplayRunnerTest)
#include "tst_replayrunner.moc"
