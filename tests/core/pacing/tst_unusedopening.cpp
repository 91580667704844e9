// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/unusedopening.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using pacing::Idleness;
using pacing::isUnused;

// spec/heads.md section 7: spares are opened "at an idle pace out of unused openings".
class UnusedOpeningTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullBucketLosesWhatItGains();
    void whoeverWaitsComesFirst();
    void anythingKnownAgainstItForbids_data();
    void anythingKnownAgainstItForbids();
    void twiceTheDistanceOfTwoOpenings_data();
    void twiceTheDistanceOfTwoOpenings();
    void withoutALimitOnceASecond();
};

namespace {

const base::SteadyTime now{1h};

Idleness idle()
{
    Idleness idleness;
    idleness.level.tokens = 10;
    return idleness;
}

} // namespace

void UnusedOpeningTest::aFullBucketLosesWhatItGains()
{
    Idleness idleness = idle();
    QVERIFY(isUnused(idleness, now));
    idleness.level.tokens = 9.9;
    QVERIFY(!isUnused(idleness, now));
}

void UnusedOpeningTest::whoeverWaitsComesFirst()
{
    Idleness queued = idle();
    queued.level.waiting = 1;
    QVERIFY(!isUnused(queued, now));
    Idleness gated = idle();
    gated.gated = 1;
    QVERIFY(!isUnused(gated, now));
}

void UnusedOpeningTest::anythingKnownAgainstItForbids_data()
{
    QTest::addColumn<pacing::DoorState>("state");
    QTest::addColumn<bool>("cooling");
    QTest::newRow("holding") << pacing::DoorState::Holding << false;
    QTest::newRow("probing") << pacing::DoorState::Probing << false;
    QTest::newRow("the door cools down") << pacing::DoorState::CoolingDown << false;
    QTest::newRow("the account cools down") << pacing::DoorState::Open << true;
}

void UnusedOpeningTest::anythingKnownAgainstItForbids()
{
    QFETCH(const pacing::DoorState, state);
    QFETCH(const bool, cooling);
    Idleness idleness = idle();
    idleness.level.state = state;
    idleness.cooling = cooling;
    QVERIFY(!isUnused(idleness, now));
}

void UnusedOpeningTest::twiceTheDistanceOfTwoOpenings_data()
{
    QTest::addColumn<double>("rate");
    QTest::addColumn<qint64>("spacingMs");
    QTest::addColumn<qint64>("paceMs");
    QTest::newRow("60 a minute") << 60.0 << qint64(0) << qint64(2'000);
    QTest::newRow("6 a minute") << 6.0 << qint64(0) << qint64(20'000);
    QTest::newRow("spaced further") << 60.0 << qint64(5'000) << qint64(10'000);
    QTest::newRow("600 a minute: not faster than once a second")
        << 600.0 << qint64(0) << qint64(1'000);
}

void UnusedOpeningTest::twiceTheDistanceOfTwoOpenings()
{
    QFETCH(const double, rate);
    QFETCH(const qint64, spacingMs);
    QFETCH(const qint64, paceMs);
    Idleness idleness = idle();
    idleness.settings.ratePerMinute = rate;
    idleness.level.spacing = base::Milliseconds{spacingMs};
    idleness.lastDial = now - base::Milliseconds{paceMs} + 1ns;
    QVERIFY(!isUnused(idleness, now));
    idleness.lastDial = now - base::Milliseconds{paceMs};
    QVERIFY(isUnused(idleness, now));
}

void UnusedOpeningTest::withoutALimitOnceASecond()
{
    Idleness idleness = idle();
    idleness.level.enabled = false;
    idleness.level.tokens = 0;
    idleness.settings.ratePerMinute = 0;
    idleness.lastDial = now - 1s;
    QVERIFY(isUnused(idleness, now));
}

QTEST_APPLESS_MAIN(UnusedOpeningTest)
#include "tst_unusedopening.moc"
