// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/refusalwords.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <string>

using namespace headway::pacing;
using namespace headway::pacing::test;
using namespace std::chrono_literals;

class RefusalWordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachPolicyNamesWhatHelpsUnderIt_data();
    void eachPolicyNamesWhatHelpsUnderIt();
    void aKeptOpeningIsPromisedOnlyWhereThereIsOne();
};

void RefusalWordsTest::eachPolicyNamesWhatHelpsUnderIt_data()
{
    QTest::addColumn<Policy>("policy");
    QTest::addColumn<QString>("remedy"); // a setting which that policy uses
    QTest::addColumn<QString>("useless"); // and one that changes nothing under it
    const QString rate = QStringLiteral("rate_per_min");
    const QString idle = QStringLiteral("idle_ms");
    // spec/pacing.md sections 3, 4 and 7.
    QTest::newRow("bucket") << Policy::Bucket << rate << idle;
    QTest::newRow("fixed") << Policy::Fixed << idle << rate;
    QTest::newRow("adaptive") << Policy::Adaptive << idle << rate;
    QTest::newRow("auto") << Policy::Auto << idle << QStringLiteral("burst");
}

void RefusalWordsTest::eachPolicyNamesWhatHelpsUnderIt()
{
    QFETCH(const Policy, policy);
    QFETCH(const QString, remedy);
    QFETCH(const QString, useless);
    Refused refusal;
    refusal.required = 4'100ms;
    const QString words = QString::fromStdString(refusalWords(policy, refusal));
    QVERIFY2(words.contains(remedy), qPrintable(words));
    QVERIFY2(!words.contains(useless), qPrintable(words));
    if (policy == Policy::Auto)
        QVERIFY(words.contains(QLatin1String("estimate")));
    else
        QVERIFY(words.contains(QLatin1String("5 s"))); // rounded up
}

void RefusalWordsTest::aKeptOpeningIsPromisedOnlyWhereThereIsOne()
{
    Refused refusal;
    QVERIFY(refusalWords(Policy::Auto, refusal).find("kept for it") == std::string::npos);
    refusal.slot = at(5s).steady;
    QVERIFY(refusalWords(Policy::Auto, refusal).find("kept for it") != std::string::npos);
}

QTEST_APPLESS_MAIN(RefusalWordsTest)
#include "tst_refusalwords.moc"
