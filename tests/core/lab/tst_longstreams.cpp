// SPDX-License-Identifier: GPL-3.0-or-later
// Case B89: a limit that goes by latency is misled by long streams. What a policy learns of an
// account is when its upgrades were answered, so turns of ten minutes among turns of five seconds
// change neither its pace nor what it believes.
#include "tests/core/lab/runtools.h"

#include <QTest>

using namespace headway;
using namespace headway::lab;
using namespace headway::lab::test;

Q_DECLARE_METATYPE(headway::pacing::Policy)

namespace {

// 300 agents with a turn each, over five minutes, at an account that takes 50 openings a minute.
RunResult crowd(pacing::Policy policy, const std::string &turnMs)
{
    const std::string text
        = R"({"name":"b89","duration_s":3600,"provider":{"upgrade_limits":[
            {"kind":"sliding_window","max":50,"window_s":60,"block_s":5}],
            "connect_ms":[100,100],"first_token_ms":[50,50],"turn_ms":)"
        + turnMs
        + R"(},"workload":{"sessions":[{"agents":300,"turns":1,"start_s":[0,300]}]}})";
    return ran(text, policy);
}

} // namespace

class LongStreamsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void b89LongTurnsDoNotSlowTheOpenings_data();
    void b89LongTurnsDoNotSlowTheOpenings();
};

void LongStreamsTest::b89LongTurnsDoNotSlowTheOpenings_data()
{
    QTest::addColumn<pacing::Policy>("policy");
    QTest::newRow("adaptive") << pacing::Policy::Adaptive;
    QTest::newRow("auto") << pacing::Policy::Auto;
}

void LongStreamsTest::b89LongTurnsDoNotSlowTheOpenings()
{
    QFETCH(pacing::Policy, policy);
    const RunResult brief = crowd(policy, "[5000,5000]");
    const RunResult mixed = crowd(policy, "[5000,600000]");
    QCOMPARE(brief.completed, 300.0);
    QVERIFY(brief.rejections > 0); // there is something to learn
    QCOMPARE(mixed.completed, brief.completed);
    QCOMPARE(mixed.opened, brief.opened);
    QCOMPARE(mixed.rejections, brief.rejections);
    QCOMPARE(mixed.maxOpeningsPerMinute, brief.maxOpeningsPerMinute);
    QCOMPARE(mixed.waitP95, brief.waitP95);
    QCOMPARE(mixed.waitMax, brief.waitMax);
}

QTEST_APPLESS_MAIN(LongStreamsTest)
#include "tst_longstreams.moc"
