// SPDX-License-Identifier: GPL-3.0-or-later
// When policy `auto` gives up the hypothesis of a cap on open sockets, socketcap.h.
#include "proxy/core/pacing/socketcap.h"

#include <QTest>

using headway::pacing::SocketCap;

class SocketCapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onePairOfRejectionsBelowItIsNoise();
    void twoPairsWithin64OpeningsEndIt();
    void twoPairs64OpeningsApartDoNot();
    void rejectionsAtTheCapAreWhatItSays();
    void aThrottleBelowItEndsIt();
    void fewHeadsAreNotShedInVainAgainAndAgain();
};

namespace {

SocketCap ofFifteen()
{
    SocketCap cap;
    cap.recall(15);
    return cap;
}

} // namespace

void SocketCapTest::onePairOfRejectionsBelowItIsNoise()
{
    SocketCap cap = ofFifteen();
    cap.doubted(10);
    QVERIFY(cap.cap() == std::size_t{15});
}

void SocketCapTest::twoPairsWithin64OpeningsEndIt()
{
    SocketCap cap = ofFifteen();
    cap.doubted(10);
    for (int i = 0; i < 63; ++i)
        cap.passed(10);
    cap.doubted(10);
    QVERIFY(!cap.cap());
}

void SocketCapTest::twoPairs64OpeningsApartDoNot()
{
    SocketCap cap = ofFifteen();
    cap.doubted(10);
    for (int i = 0; i < 64; ++i)
        cap.passed(10);
    cap.doubted(10);
    QVERIFY(cap.cap() == std::size_t{15});
}

void SocketCapTest::rejectionsAtTheCapAreWhatItSays()
{
    SocketCap cap = ofFifteen();
    cap.doubted(15);
    cap.doubted(15);
    QVERIFY(cap.cap() == std::size_t{15});
}

void SocketCapTest::aThrottleBelowItEndsIt()
{
    SocketCap cap = ofFifteen();
    cap.confirmed(15);
    QVERIFY(cap.cap() == std::size_t{15});
    cap.confirmed(14);
    QVERIFY(!cap.cap());
}

// 25 s for each time in a row, a minute at most; none with eight open.
void SocketCapTest::fewHeadsAreNotShedInVainAgainAndAgain()
{
    using headway::base::Seconds;
    SocketCap cap;
    QVERIFY(cap.patience(3) == Seconds(0));
    cap.shedInVain();
    QVERIFY(cap.patience(3) == Seconds(25));
    QVERIFY(cap.patience(7) == Seconds(25));
    QVERIFY(cap.patience(8) == Seconds(0));
    cap.shedInVain();
    QVERIFY(cap.patience(3) == Seconds(50));
    cap.shedInVain();
    QVERIFY(cap.patience(3) == Seconds(60));
    cap.throttled(3);
    cap.reopened(2, true); // it helped
    QVERIFY(cap.patience(3) == Seconds(0));
}

QTEST_APPLESS_MAIN(SocketCapTest)
#include "tst_socketcap.moc"
