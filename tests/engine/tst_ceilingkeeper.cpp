// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/ceilingkeeper.h"

#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using engine::CeilingKeeper;
using pacing::CeilingEstimate;
using pacing::CeilingShape;

class CeilingKeeperTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesWhatWasLearnedToTheNextRun();
    void keepsAccountsApart();
    void writesAtMostOnceAMinuteAndAtTheEnd();
    void neverKeepsThatNothingIsKnown();
};

namespace {

// Learns nothing by itself: what it knows is set by the test.
class KnowingPacer final : public pacing::Pacer
{
public:
    CeilingEstimate known;
    std::optional<CeilingEstimate> recalled;

    pacing::AdmissionDecision request(const pacing::AdmissionRequest &, base::Now) override
    {
        return pacing::Admitted{};
    }
    void cancel(pacing::WaiterId, base::Now) override { }
    void giveBack(pacing::WaiterId, base::Now) override { }
    void settle(pacing::WaiterId) override { }
    void debitRecovery(const pacing::RequestBudget &, base::Now) override { }
    std::vector<pacing::Departure> due(base::Now) override { return {}; }
    std::optional<base::SteadyTime> nextDue() const override { return std::nullopt; }
    void applySettings(const pacing::PacerSettings &, base::Now) override { }
    pacing::PacerLevel level(base::Now) const override { return {}; }
    std::vector<Place> queue() const override { return {}; }
    CeilingEstimate estimate(base::Now) const override { return known; }
    void recall(const CeilingEstimate &estimate, base::Now) override { recalled = estimate; }
    std::vector<pacing::Notice> notices(const pacing::RequestBudget &) const override { return {}; }
};

base::Now at(base::Nanoseconds time)
{
    return {base::SteadyTime{time}, base::WallTime{1'790'000'000s}};
}

CeilingEstimate window(double perMinute)
{
    return {.shape = CeilingShape::Window, .perMinute = perMinute, .confidence = 0.5};
}

std::optional<CeilingEstimate> recalledFrom(const QString &path, const std::string &account)
{
    KnowingPacer next;
    CeilingKeeper(path, account).recall(next, at(0s));
    return next.recalled;
}

} // namespace

void CeilingKeeperTest::givesWhatWasLearnedToTheNextRun()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    KnowingPacer pacer;
    pacer.known = window(70);
    CeilingKeeper(path, "account").keep(pacer, at(0s), true);
    QVERIFY(recalledFrom(path, "account") == window(70));
}

void CeilingKeeperTest::keepsAccountsApart()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    KnowingPacer pacer;
    pacer.known = window(70);
    CeilingKeeper(path, "account").keep(pacer, at(0s), true);
    QVERIFY(!recalledFrom(path, "another"));
}

void CeilingKeeperTest::writesAtMostOnceAMinuteAndAtTheEnd()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    KnowingPacer pacer;
    CeilingKeeper keeper(path, "account");
    pacer.known = window(1);
    keeper.keep(pacer, at(0s), false);
    pacer.known = window(2);
    keeper.keep(pacer, at(59s), false);
    QVERIFY(recalledFrom(path, "account") == window(1));
    keeper.keep(pacer, at(60s), false);
    QVERIFY(recalledFrom(path, "account") == window(2));
    pacer.known = window(3);
    keeper.keep(pacer, at(61s), true);
    QVERIFY(recalledFrom(path, "account") == window(3));
}

void CeilingKeeperTest::neverKeepsThatNothingIsKnown()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    KnowingPacer pacer;
    pacer.known = window(70);
    CeilingKeeper keeper(path, "account");
    keeper.keep(pacer, at(0s), true);
    pacer.known = {};
    keeper.keep(pacer, at(0s), true);
    QVERIFY(recalledFrom(path, "account") == window(70));
}

QTEST_APPLESS_MAIN(CeilingKeeperTest)
#include "tst_ceilingkeeper.moc"
