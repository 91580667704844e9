// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/replaywords.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;
using lab::ReplaySummary;
using std::chrono::milliseconds;

class ReplayWordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void differencesAreToldInWords();
    void theVerdictNamesRefusalsFirst();
    void noDifferenceIsSaidToo();
};

void ReplayWordsTest::differencesAreToldInWords()
{
    ReplaySummary before;
    before.arrivals = 20;
    before.admitted = 14;
    before.refused = 6;
    before.waitP50 = milliseconds(0);
    before.waitMax = milliseconds(4'000);
    ReplaySummary after = before;
    after.admitted = 20;
    after.refused = 0;
    after.waitP50 = milliseconds(250);
    after.waitMax = milliseconds(2'500);
    const auto figures = replayFigures(before, after);
    const auto row = [&](const char *name) {
        for (const ReplayFigure &figure : figures)
            if (figure.name == QLatin1String(name))
                return figure;
        return ReplayFigure{};
    };
    QCOMPARE(row("Asked for an opening").difference, QStringLiteral("the same"));
    QCOMPARE(row("Admitted").difference, QStringLiteral("6 more"));
    QCOMPARE(row("Refused"),
             (ReplayFigure{QStringLiteral("Refused"), QStringLiteral("6"), QStringLiteral("0"),
                           QStringLiteral("6 fewer")}));
    QCOMPARE(row("Typical wait (median)").difference, QStringLiteral("250\u00a0ms longer"));
    QCOMPARE(row("Longest wait").difference, QStringLiteral("1.5\u00a0s shorter"));
}

void ReplayWordsTest::theVerdictNamesRefusalsFirst()
{
    ReplaySummary before;
    before.refused = 6;
    before.waitP95 = milliseconds(1'000);
    before.maxPerMinute = 60;
    ReplaySummary after;
    after.refused = 8;
    after.waitP95 = milliseconds(400);
    after.maxPerMinute = 50;
    QCOMPARE(replayVerdict(before, after),
             QStringLiteral("With these settings: 2 more refusals, long waits 600\u00a0ms shorter, "
                            "at most 50 openings a minute instead of 60."));
}

void ReplayWordsTest::noDifferenceIsSaidToo()
{
    QVERIFY(replayVerdict({}, {}).contains(QLatin1String("no difference")));
}

QTEST_APPLESS_MAIN(ReplayWordsTest)
#include "tst_replaywords.moc"
