// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/policywords.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;
using pacing::CeilingEstimate;
using pacing::CeilingShape;
using pacing::DoorState;

class PolicyWordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEstimateIsWordedByItsShape_data();
    void anEstimateIsWordedByItsShape();
    void onlyAWindowOrARateStandsForOpeningsAMinute();
    void confidenceHasThreeWords();
    void anUnknownPolicyIsNotExplained();
};

void PolicyWordsTest::anEstimateIsWordedByItsShape_data()
{
    QTest::addColumn<CeilingEstimate>("estimate");
    QTest::addColumn<QString>("expected");
    const auto none = QStringLiteral("no limit seen yet");
    QTest::newRow("window") << CeilingEstimate{.shape = CeilingShape::Window, .perMinute = 69.6}
                            << QStringLiteral("about 70 openings a minute");
    QTest::newRow("rate") << CeilingEstimate{.shape = CeilingShape::Rate,
                                             .spacing = base::Milliseconds(2'000)}
                          << QStringLiteral("about one opening every 2.0\u00a0s");
    QTest::newRow("cap") << CeilingEstimate{.shape = CeilingShape::Cap, .socketCap = 50}
                         << QStringLiteral("about 50 connections open at a time");
    QTest::newRow("nothing") << CeilingEstimate{} << none;
    QTest::newRow("a window of nothing") << CeilingEstimate{.shape = CeilingShape::Window} << none;
    QTest::newRow("a rate of nothing") << CeilingEstimate{.shape = CeilingShape::Rate} << none;
    QTest::newRow("a cap of nothing") << CeilingEstimate{.shape = CeilingShape::Cap} << none;
}

void PolicyWordsTest::anEstimateIsWordedByItsShape()
{
    QFETCH(const CeilingEstimate, estimate);
    QFETCH(const QString, expected);
    QCOMPARE(estimateWords(estimate), expected);
}

void PolicyWordsTest::onlyAWindowOrARateStandsForOpeningsAMinute()
{
    QCOMPARE(estimatedPerMinute({.shape = CeilingShape::Window, .perMinute = 70}), 70.0);
    QCOMPARE(
        estimatedPerMinute({.shape = CeilingShape::Rate, .spacing = base::Milliseconds(2'000)}),
        30.0);
    QVERIFY(!estimatedPerMinute({.shape = CeilingShape::Rate}));
    QVERIFY(!estimatedPerMinute({.shape = CeilingShape::Cap, .socketCap = 50}));
    QVERIFY(!estimatedPerMinute({}));
}

void PolicyWordsTest::confidenceHasThreeWords()
{
    QCOMPARE(confidenceWords(0), QStringLiteral("low confidence"));
    QCOMPARE(confidenceWords(0.5), QStringLiteral("fair confidence"));
    QCOMPARE(confidenceWords(1), QStringLiteral("high confidence"));
}

void PolicyWordsTest::anUnknownPolicyIsNotExplained()
{
    QVERIFY(policyWords("brownian").isEmpty());
    for (const char *policy : {"off", "fixed", "bucket", "adaptive", "auto"})
        QVERIFY2(!policyWords(policy).isEmpty(), policy);
}

QTEST_APPLESS_MAIN(PolicyWordsTest)
#include "tst_policywords.moc"
