// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/errortext.h"
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

using namespace headway::net;

namespace {

// Everything far away except what a test is about.
ListenerTimes patient()
{
    ListenerTimes times;
    times.head = times.bodyGrace = times.idle = times.stall = std::chrono::hours{1};
    times.tick = std::chrono::milliseconds{10};
    return times;
}

const QByteArray halfHead = "GET /healthz HTTP/1.1\r\nHost: loc";

} // namespace

class SlowClientsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void getA408ForASlowHead();
    void areTimedFromTheFirstByteOfEachRequest();
    void getA408ForABodyBelowTheRate();
    void keepABodyAboveTheRate();
    void areClosedWhenIdle();
    void areNotClosedWhileTheReplyIsAwaited();
    void areNotCutOffWhenTheLoopIsLate();
    void loseAWholeReplyTheyDoNotTake();
    void areNotWaitedForAfterAnError();
};

void SlowClientsTest::getA408ForASlowHead()
{
    ListenerTimes times = patient();
    times.head = std::chrono::milliseconds{100};
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient client(server.port);
    QElapsedTimer clock;
    clock.start();
    client.send(halfHead);
    TRY_REPLY(client);
    QVERIFY(clock.elapsed() >= 100);
    QCOMPARE(client.reply().status, 408);
    QCOMPARE(errorFault(client.reply(), false, "too slowly"), QByteArray());
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
}

void SlowClientsTest::areTimedFromTheFirstByteOfEachRequest()
{
    ListenerTimes times = patient();
    times.head = std::chrono::milliseconds{150};
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient client(server.port);
    QElapsedTimer clock;
    clock.start();
    client.send(post("a"));
    TRY_REPLY(client);
    QTRY_VERIFY(clock.elapsed() > 300); // longer than a head may take, but no head has begun
    client.send(post("b"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("b"));
    client.send(halfHead);
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 408);
}

void SlowClientsTest::getA408ForABodyBelowTheRate()
{
    ListenerTimes times = patient();
    times.bodyGrace = std::chrono::milliseconds{50};
    times.bodyBytesPerSecond = 100'000;
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
                "few bytes");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 408);
    QCOMPARE(errorFault(client.reply(), true, "too slowly"), QByteArray());
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    QTRY_COMPARE(server.listener.bodyBytes(), std::size_t{0});
}

void SlowClientsTest::keepABodyAboveTheRate()
{
    ListenerTimes times = patient();
    times.bodyGrace = std::chrono::milliseconds{50};
    times.bodyBytesPerSecond = 10;
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 101\r\n\r\n"
                + QByteArray(100, 'b'));
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY(clock.elapsed() > 300);
    client.send("!");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
}

void SlowClientsTest::areClosedWhenIdle()
{
    ListenerTimes times = patient();
    times.idle = std::chrono::milliseconds{100};
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient silent(server.port);
    RawClient client(server.port);
    client.send(post("a"));
    TRY_REPLY(client);
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    QTRY_COMPARE(silent.closed(), RawClient::Closed::Fin);
    QVERIFY(client.received().isEmpty()); // nothing that the next request could take for its reply
}

void SlowClientsTest::areNotClosedWhileTheReplyIsAwaited()
{
    ListenerTimes times = patient();
    times.idle = times.head = times.bodyGrace = times.stall = std::chrono::milliseconds{20};
    ListeningPost server({}, {}, times);
    RawClient client(server.port);
    client.send(post("a"));
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY(clock.elapsed() > 200);
    QCOMPARE(client.closed(), RawClient::Closed::No);
    server.exchanges.at(0)->respond(200, {}, "late");
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("late"));
    QCOMPARE(server.gone, 0);
}

// The end of a long reply is written, and before it can be sent the clock is looked at: nothing has
// stalled, however long ago the reply began.
void SlowClientsTest::areNotCutOffWhenTheLoopIsLate()
{
    ListenerTimes times = patient();
    times.stall = std::chrono::milliseconds{40};
    ListeningPost server({}, {}, times);
    for (std::size_t i = 0; i < 20; ++i) {
        RawClient client(server.port);
        client.send(post("a"));
        QTRY_COMPARE(server.exchanges.size(), i + 1);
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY(clock.elapsed() > 50);
        QTimer::singleShot(0, this, [&server, i] {
            server.exchanges.at(i)->respond(200, {}, "late");
            QElapsedTimer busy;
            busy.start();
            while (busy.elapsed() < 15) { }
        });
        TRY_REPLY(client);
        QCOMPARE(client.reply().body, QByteArray("late"));
    }
}

void SlowClientsTest::loseAWholeReplyTheyDoNotTake()
{
    ListenerTimes times = patient();
    times.stall = std::chrono::milliseconds{100};
    ListeningPost server(
        [](Exchange &exchange) {
            exchange.respond(200, {}, std::string(std::size_t{32} << 20U, 'l'));
        },
        {}, times);
    RawClient client(server.port, 8192);
    client.send(post("a"));
    QTRY_COMPARE(server.requests, 1);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.gone, 0); // for the engine it was finished
}

void SlowClientsTest::areNotWaitedForAfterAnError()
{
    ListenerTimes times = patient();
    times.linger = std::chrono::milliseconds{50};
    ListeningPost server(ListeningPost::echo, {}, times);
    RawClient client(server.port);
    client.send("nonsense\r\n\r\n");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 400);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0}); // though the client holds on
}

QTEST_GUILESS_MAIN(SlowClientsTest)
#include "tst_slowclients.moc"
