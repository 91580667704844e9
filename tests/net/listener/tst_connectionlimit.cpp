// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/descriptorlimit.h"
#include "tests/net/listener/errortext.h"
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

#include <memory>
#include <sys/resource.h>
#include <vector>

using namespace headway::net;

class ConnectionLimitTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isDerivedFromTheDescriptors_data();
    void isDerivedFromTheDescriptors();
    void raisesTheSoftDescriptorLimit();
    void answersOneTooMany();
    void letsTheNextOneInWhenOneLeft();
    void canBeChangedAtRuntime();
    void survivesRunningOutOfDescriptors();
    void drainsAfterStopAccepting();
    void saysWhyAPortCannotBeTaken();
};

void ConnectionLimitTest::isDerivedFromTheDescriptors_data()
{
    QTest::addColumn<qulonglong>("descriptors");
    QTest::addColumn<qulonglong>("connections");
    QTest::newRow("usual soft limit") << 1024ULL << 384ULL;
    QTest::newRow("usual hard limit") << 524288ULL << 8192ULL;
    QTest::newRow("just below the ceiling") << 16638ULL << 8191ULL;
    QTest::newRow("just at the ceiling") << 16640ULL << 8192ULL;
    QTest::newRow("nearly none") << 257ULL << 1ULL;
    QTest::newRow("none") << 0ULL << 1ULL;
}

void ConnectionLimitTest::isDerivedFromTheDescriptors()
{
    QFETCH(const qulonglong, descriptors);
    QFETCH(const qulonglong, connections);
    QCOMPARE(qulonglong{connectionsFor(descriptors)}, connections);
}

void ConnectionLimitTest::raisesTheSoftDescriptorLimit()
{
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlimit low{std::min<rlim_t>(300, limit.rlim_max), limit.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
    const ListeningPost server;
    rlimit now{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &now), 0);
    QCOMPARE(now.rlim_cur, limit.rlim_max);
}

void ConnectionLimitTest::answersOneTooMany()
{
    ListenerSettings settings;
    settings.limits.maxConnections = 2;
    ListeningPost server(ListeningPost::echo, settings);
    RawClient first(server.port);
    RawClient second(server.port);
    first.send(post("1"));
    second.send(post("2"));
    TRY_REPLY(first);
    TRY_REPLY(second);
    RawClient third(server.port);
    third.send(post("3"));
    TRY_REPLY(third);
    QCOMPARE(third.reply().status, 503);
    QVERIFY(third.reply().header("retry-after").toInt() > 0);
    QCOMPARE(errorFault(third.reply(), false, "max_connections"), QByteArray());
    QTRY_COMPARE(third.closed(), RawClient::Closed::Fin);
    QCOMPARE(server.requests, 2);
    first.send(post("still here"));
    TRY_REPLY(first);
    QCOMPARE(first.reply().body, QByteArray("still here"));
}

void ConnectionLimitTest::letsTheNextOneInWhenOneLeft()
{
    ListenerSettings settings;
    settings.limits.maxConnections = 1;
    ListeningPost server(ListeningPost::echo, settings);
    RawClient first(server.port);
    QTRY_COMPARE(server.listener.connections(), std::size_t{1});
    first.drop();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    RawClient second(server.port);
    second.send(post("in"));
    TRY_REPLY(second);
    QCOMPARE(second.reply().status, 200);
}

void ConnectionLimitTest::canBeChangedAtRuntime()
{
    ListeningPost server(ListeningPost::echo);
    ListenerLimits limits;
    limits.maxConnections = 1;
    limits.maxBodyBytes = 3;
    server.listener.applyLimits(limits);
    RawClient first(server.port);
    first.send(post("four"));
    TRY_REPLY(first);
    QCOMPARE(first.reply().status, 413);
    limits.maxBodyBytes = 4;
    limits.maxConnections = 2;
    server.listener.applyLimits(limits);
    RawClient second(server.port);
    second.send(post("four"));
    TRY_REPLY(second);
    QCOMPARE(second.reply().status, 200);
}

void ConnectionLimitTest::survivesRunningOutOfDescriptors()
{
    ListenerTimes times;
    times.tick = std::chrono::milliseconds{10};
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient early(server.port);
    RawClient late(server.port);
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), limit.rlim_max};
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("cannot accept")));
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
    QTRY_VERIFY(server.listener.connections() == 0);
    for (int i = 0; i != 20; ++i)
        QCoreApplication::processEvents();
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    late.send(post("late"));
    TRY_REPLY(late);
    QCOMPARE(late.reply().body, QByteArray("late"));
}

void ConnectionLimitTest::drainsAfterStopAccepting()
{
    ListenerTimes times;
    times.tick = std::chrono::milliseconds{10};
    ListeningPost server({}, {}, times);
    RawClient idle(server.port);
    RawClient busy(server.port);
    busy.send(post("one") + post("two"));
    QTRY_COMPARE(server.requests, 1);
    QTRY_COMPARE(server.listener.connections(), std::size_t{2});
    server.listener.stopAccepting();
    QTRY_COMPARE(idle.closed(), RawClient::Closed::Fin);
    QVERIFY(!RawClient(server.port).isConnected());
    server.exchanges.at(0)->respond(200, {}, "last");
    TRY_REPLY(busy);
    QCOMPARE(busy.reply().body, QByteArray("last"));
    QTRY_COMPARE(busy.closed(), RawClient::Closed::Fin);
    QCOMPARE(server.requests, 1);
}

void ConnectionLimitTest::saysWhyAPortCannotBeTaken()
{
    const ListeningPost server;
    ListenerSettings settings;
    settings.port = server.port;
    Listener second(settings);
    const auto taken = second.listen();
    QVERIFY(!taken);
    QVERIFY(taken.error().find("127.0.0.1:" + std::to_string(server.port)) == 0);
    QVERIFY(taken.error().find("in use") != std::string::npos);
}

QTEST_GUILESS_MAIN(ConnectionLimitTest)
#include "tst_connectionlimit.moc"
