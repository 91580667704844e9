// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 8 (the rows that end in HTTPS), issue D point 4 (size-aware transport).
#include "proxy/core/turn/transport.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using turn::HttpsCause;
using turn::Transport;
using turn::TransportMemory;

class TransportTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void webSocketIsFirst();
    void aLargeCallGoesByHttps_data();
    void aLargeCallGoesByHttps();
    void upgradeRequiredIsRememberedAtOnce();
    void otherCausesAreRememberedOnceProved_data();
    void otherCausesAreRememberedOnceProved();
    void aLargeTurnIsNoFaultOfTheEndpoint();
    void oneCallTriesAgainAfterHalfAnHour();
    void anotherRefusalLastsAsLong();
    void anUpgradeBringsWebSocketBack();
    void aProbeThatSaysNothingIsTriedAgainAMinuteLater();
    void aProbeThatIsNeverReportedDoesNotBlock();
    void theSecondSilenceInARowIsWorthATry();
    void silenceIsRememberedOnceHttpsAnswers();
    void silenceWhileTryingAgainCountsAtOnce();
    void theNoticeSaysWhy();
};

namespace {

base::Now at(base::Nanoseconds since)
{
    return {.steady = base::SteadyTime(1000s) + since, .wall = {}};
}

constexpr std::size_t small = 1000;

} // namespace

void TransportTest::webSocketIsFirst()
{
    TransportMemory memory;
    QCOMPARE(memory.choose(small, at(0s)), Transport::WebSocket);
    QVERIFY(!memory.cause());
}

void TransportTest::aLargeCallGoesByHttps_data()
{
    QTest::addColumn<qulonglong>("limit");
    QTest::addColumn<qulonglong>("bytes");
    QTest::addColumn<bool>("https");
    const qulonglong mebi = 1 << 20;
    QTest::newRow("15 MiB") << 15 * mebi << 15 * mebi << false;
    QTest::newRow("a byte more") << 15 * mebi << 15 * mebi + 1 << true;
    QTest::newRow("the endpoint's own limit") << 4 * mebi << 4 * mebi << false;
    QTest::newRow("more than that") << 4 * mebi << 4 * mebi + 1 << true;
}

void TransportTest::aLargeCallGoesByHttps()
{
    QFETCH(const qulonglong, limit);
    QFETCH(const qulonglong, bytes);
    QFETCH(const bool, https);
    TransportMemory memory(limit);
    QCOMPARE(memory.choose(bytes, at(0s)), https ? Transport::Https : Transport::WebSocket);
    QCOMPARE(memory.choose(small, at(0s)), Transport::WebSocket);
    QVERIFY(!memory.cause());
}

void TransportTest::upgradeRequiredIsRememberedAtOnce()
{
    TransportMemory memory;
    QVERIFY(memory.refused(HttpsCause::UpgradeRequired, at(0s)));
    QCOMPARE(memory.choose(small, at(0s)), Transport::Https);
    QVERIFY(!memory.refused(HttpsCause::UpgradeRequired, at(1s))); // nothing new
    QCOMPARE(memory.cause(), std::optional(HttpsCause::UpgradeRequired));
}

void TransportTest::otherCausesAreRememberedOnceProved_data()
{
    QTest::addColumn<HttpsCause>("cause");
    QTest::newRow("404") << HttpsCause::NoSuchRoute;
    QTest::newRow("401") << HttpsCause::Unauthorized;
    QTest::newRow("silence") << HttpsCause::Unanswered;
}

void TransportTest::otherCausesAreRememberedOnceProved()
{
    QFETCH(const HttpsCause, cause);
    TransportMemory memory;
    QVERIFY(!memory.refused(cause, at(0s)));
    QCOMPARE(memory.choose(small, at(0s)), Transport::WebSocket);
    QVERIFY(memory.proved(cause, at(1s)));
    QCOMPARE(memory.choose(small, at(1s)), Transport::Https);
    QVERIFY(!memory.proved(cause, at(2s)));
}

void TransportTest::aLargeTurnIsNoFaultOfTheEndpoint()
{
    TransportMemory memory;
    QVERIFY(!memory.refused(HttpsCause::TooLarge, at(0s)));
    QVERIFY(!memory.proved(HttpsCause::TooLarge, at(0s)));
    QCOMPARE(memory.choose(small, at(0s)), Transport::WebSocket);
    memory.refused(HttpsCause::UpgradeRequired, at(0s));
    memory.refused(HttpsCause::TooLarge, at(20min));
    QCOMPARE(memory.cause(), std::optional(HttpsCause::UpgradeRequired));
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
}

void TransportTest::oneCallTriesAgainAfterHalfAnHour()
{
    TransportMemory memory;
    memory.refused(HttpsCause::UpgradeRequired, at(0s));
    QCOMPARE(memory.choose(small, at(30min - 1ns)), Transport::Https);
    QCOMPARE(memory.expected(small, at(30min)), Transport::WebSocket);
    QCOMPARE(memory.expected(small, at(30min)), Transport::WebSocket); // a look takes nothing
    QCOMPARE(memory.choose(TransportMemory::largestFrame + 1, at(30min)), Transport::Https);
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    QCOMPARE(memory.choose(small, at(30min)), Transport::Https);
    QCOMPARE(memory.expected(small, at(30min + 59s)), Transport::Https);
}

void TransportTest::anotherRefusalLastsAsLong()
{
    TransportMemory memory;
    memory.proved(HttpsCause::NoSuchRoute, at(0s));
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    QVERIFY(!memory.refused(HttpsCause::NoSuchRoute, at(31min)));
    memory.undecided(at(32min)); // of another turn: the probe is over
    QCOMPARE(memory.choose(small, at(34min)), Transport::Https);
    QCOMPARE(memory.choose(small, at(61min - 1ns)), Transport::Https);
    QCOMPARE(memory.choose(small, at(61min)), Transport::WebSocket);
}

void TransportTest::anUpgradeBringsWebSocketBack()
{
    TransportMemory memory;
    memory.refused(HttpsCause::UpgradeRequired, at(0s));
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    memory.upgraded();
    QVERIFY(!memory.cause());
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    QVERIFY(memory.refused(HttpsCause::UpgradeRequired, at(31min))); // worth a notice again
}

void TransportTest::aProbeThatSaysNothingIsTriedAgainAMinuteLater()
{
    TransportMemory memory;
    memory.refused(HttpsCause::UpgradeRequired, at(0s));
    memory.undecided(at(1min)); // nothing was tried
    QCOMPARE(memory.choose(small, at(2min)), Transport::Https);
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    memory.undecided(at(30min + 5s));
    QCOMPARE(memory.choose(small, at(31min + 5s - 1ns)), Transport::Https);
    QCOMPARE(memory.choose(small, at(31min + 5s)), Transport::WebSocket);
}

void TransportTest::aProbeThatIsNeverReportedDoesNotBlock()
{
    TransportMemory memory;
    memory.refused(HttpsCause::UpgradeRequired, at(0s));
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    QCOMPARE(memory.choose(small, at(31min - 1ns)), Transport::Https);
    QCOMPARE(memory.choose(small, at(31min)), Transport::WebSocket);
}

void TransportTest::theSecondSilenceInARowIsWorthATry()
{
    TransportMemory memory;
    QVERIFY(!memory.isSwallowed());
    memory.unanswered();
    QVERIFY(!memory.isSwallowed());
    memory.answered(); // by a throttle, say
    memory.unanswered();
    QVERIFY(!memory.isSwallowed());
    memory.unanswered();
    QVERIFY(memory.isSwallowed());
    QCOMPARE(memory.choose(small, at(0s)), Transport::WebSocket); // nothing is proved yet
    for (int i = 0; i < 5; ++i)
        memory.unanswered();
    memory.answered();
    QVERIFY(!memory.isSwallowed());
}

void TransportTest::silenceIsRememberedOnceHttpsAnswers()
{
    TransportMemory memory;
    memory.unanswered();
    memory.unanswered();
    QVERIFY(!memory.refused(HttpsCause::Unanswered, at(0s)));
    QVERIFY(memory.proved(HttpsCause::Unanswered, at(1s)));
    QCOMPARE(memory.choose(small, at(1s)), Transport::Https);
    QCOMPARE(memory.cause(), std::optional(HttpsCause::Unanswered));
}

void TransportTest::silenceWhileTryingAgainCountsAtOnce()
{
    TransportMemory memory;
    memory.proved(HttpsCause::Unanswered, at(0s));
    QCOMPARE(memory.choose(small, at(30min)), Transport::WebSocket);
    memory.unanswered();
    QVERIFY(memory.isSwallowed());
    QVERIFY(!memory.refused(HttpsCause::Unanswered, at(30min + 15s)));
    QCOMPARE(memory.choose(small, at(60min)), Transport::Https);
    QCOMPARE(memory.choose(small, at(60min + 15s)), Transport::WebSocket);
}

void TransportTest::theNoticeSaysWhy()
{
    QVERIFY(turn::notice(HttpsCause::Unanswered).find("not to a WebSocket upgrade")
            != std::string::npos);
    QVERIFY(turn::notice(HttpsCause::UpgradeRequired).find("426") != std::string::npos);
    QVERIFY(turn::notice(HttpsCause::Unauthorized).find("401") != std::string::npos);
    QVERIFY(turn::notice(HttpsCause::NoSuchRoute).find("HTTPS") != std::string::npos);
}

QTEST_APPLESS_MAIN(TransportTest)
#include "tst_transport.moc"
