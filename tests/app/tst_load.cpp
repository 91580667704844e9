// SPDX-License-Identifier: GPL-3.0-or-later
// --load of the demo (spec/cli.md): that the load is there, that every record of it reaches the
// ledger's file, and what the run prints.
#include "app/framemeter.h"
#include "app/load.h"
#include "tests/support/program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace headway;
using headway::tests::Program;

class LoadTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOptionIsRead_data();
    void theOptionIsRead();
    void aWrongLoadEndsTheCall_data();
    void aWrongLoadEndsTheCall();
    void turnsAndRecordsAreThereAndNoneIsLost();
    void everyPictureSaysWhatItCost();
    void aFrameIsAllThatWasDoneSinceTheLast();

private:
    QTemporaryDir m_folder;
};

void LoadTest::theOptionIsRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("turns");
    QTest::addColumn<int>("records");
    QTest::newRow("both") << QStringLiteral("turns=500,records=2000") << 500 << 2'000;
    QTest::newRow("the other order") << QStringLiteral("records=7,turns=3") << 3 << 7;
    QTest::newRow("turns alone") << QStringLiteral("turns=3") << 3 << 0;
    QTest::newRow("blanks") << QStringLiteral("turns = 3, records = 7") << 3 << 7;
    for (const char *wrong : {"", "turns", "turns=", "turns=x", "turns=-1", "turns=5001",
                              "records=100001", "turns=3;records=7", "streams=3", "turns=3,,"})
        QTest::newRow(wrong) << QString::fromLatin1(wrong) << -1 << -1;
}

void LoadTest::theOptionIsRead()
{
    QFETCH(const QString, text);
    QFETCH(const int, turns);
    QFETCH(const int, records);
    const auto load = app::parseLoad(text);
    QCOMPARE(load.has_value(), turns >= 0);
    if (!load) {
        QVERIFY(load.error().contains(QLatin1String("turns=N,records=N")));
        return;
    }
    QCOMPARE(load->turns, turns);
    QCOMPARE(load->recordsPerSecond, records);
}

void LoadTest::aWrongLoadEndsTheCall_data()
{
    QTest::addColumn<QStringList>("call");
    QTest::newRow("no number") << QStringList{QStringLiteral("--demo"),
                                              QStringLiteral("--load=turns=many")};
    QTest::newRow("no demo") << QStringList{QStringLiteral("--load=turns=3")};
}

void LoadTest::aWrongLoadEndsTheCall()
{
    QFETCH(const QStringList, call);
    Program program(call + QStringList{QStringLiteral("--screenshot=/nowhere/x.png")});
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains("--load"), program.errors().constData());
}

void LoadTest::turnsAndRecordsAreThereAndNoneIsLost()
{
    const QString ledger = m_folder.filePath(QStringLiteral("ledger.sqlite"));
    Program program({QStringLiteral("--demo"), QStringLiteral("--load=turns=12,records=300"),
                     QStringLiteral("--screenshot"), m_folder.filePath(QStringLiteral("a.png")),
                     QStringLiteral("--after=5"), QStringLiteral("--set"),
                     QStringLiteral("ledger=") + ledger});
    QCOMPARE(program.waitForEnd(), 0);
    const QJsonObject cost = QJsonDocument::fromJson(program.output()).object();
    QCOMPARE(cost.value(QLatin1String("turns_in_flight")).toInt(), 12);
    // At 300 a second, less what the program needs to start; never more than that.
    const int records = cost.value(QLatin1String("records")).toInt();
    const double seconds = cost.value(QLatin1String("seconds")).toDouble();
    QVERIFY2(records >= 300 && records <= 300 * (seconds + 1),
             qPrintable(QString::number(records)));
    QVERIFY(cost.value(QLatin1String("frames")).toInt() > 0);
    const double cpu = cost.value(QLatin1String("window_cpu_s")).toDouble();
    QVERIFY2(cpu > 0 && cpu < 60, qPrintable(QString::number(cpu)));
    QVERIFY(cost.value(QLatin1String("frame_p99_ms")).toDouble() > 0);
    Program exported({QStringLiteral("ledger"), QStringLiteral("export"),
                      QStringLiteral("--ledger"), ledger, QStringLiteral("--format=jsonl"),
                      QStringLiteral("--out=-")});
    QCOMPARE(exported.waitForEnd(), 0);
    QVERIFY(exported.output().count('\n') >= records);
    Program verified(
        {QStringLiteral("ledger"), QStringLiteral("verify"), QStringLiteral("--ledger"), ledger});
    QCOMPARE(verified.waitForEnd(), 0);
}

void LoadTest::everyPictureSaysWhatItCost()
{
    Program program({QStringLiteral("--demo"), QStringLiteral("--screenshot"),
                     m_folder.filePath(QStringLiteral("b.png")), QStringLiteral("--after=1")});
    QCOMPARE(program.waitForEnd(), 0);
    const QJsonObject cost = QJsonDocument::fromJson(program.output()).object();
    for (const char *key : {"turns_in_flight", "records", "frames", "window_cpu_s"})
        QVERIFY2(cost.contains(QLatin1String(key)), key);
}

namespace {

// Spends so much of this thread's CPU time.
void spend(int ms)
{
    const std::clock_t until = std::clock() + ms * CLOCKS_PER_SEC / 1'000;
    while (std::clock() < until) {
    }
}

} // namespace

void LoadTest::aFrameIsAllThatWasDoneSinceTheLast()
{
    app::FrameMeter meter;
    for (int frame = 0; frame < 10; ++frame) {
        meter.begin();
        spend(frame == 9 ? 40 : 4); // news
        meter.end(false);
        meter.begin();
        spend(2); // painting
        meter.end(true);
    }
    QCOMPARE(meter.frames(), std::size_t(10));
    QVERIFY2(meter.frameMs(0.5) >= 5 && meter.frameMs(0.5) < 20,
             qPrintable(QString::number(meter.frameMs(0.5))));
    QVERIFY(meter.frameMs(0.99) >= 40);
    QCOMPARE(meter.frameMs(1), meter.frameMs(0.99));
    QVERIFY(meter.cpuSeconds() >= 0.09);
    meter.restart();
    QCOMPARE(meter.frames(), std::size_t(0));
    QCOMPARE(meter.frameMs(0.99), 0.0);
}

QTEST_GUILESS_MAIN(LoadTest)
#include "tst_load.moc"
