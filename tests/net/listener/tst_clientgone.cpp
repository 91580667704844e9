// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

using namespace headway::net;

class ClientGoneTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isNoticedOnce_data();
    void isNoticedOnce();
    void isNoticedBehindPipelinedBytesThatFillTheBuffer();
    void isAssumedWhenItFloodsBehindARequest();
    void isSilentWhileTheBodyArrives();
    void isSilentAfterTheReplyWasFinished();
    void stillDeliversAFinishedReplyToAHalfClosedClient();
    void leavesTheExchangeUsableAndDeaf();
};

void ClientGoneTest::isNoticedOnce_data()
{
    QTest::addColumn<QByteArray>("stage");
    QTest::addColumn<bool>("reset");
    for (const char *stage : {"waiting", "streaming", "queued"}) {
        QTest::addRow("%s, FIN", stage) << QByteArray(stage) << false;
        QTest::addRow("%s, reset", stage) << QByteArray(stage) << true;
    }
}

void ClientGoneTest::isNoticedOnce()
{
    QFETCH(const QByteArray, stage);
    QFETCH(const bool, reset);
    ListeningPost server;
    RawClient client(server.port);
    client.send(stage == "queued" ? post("one") + post("two") : post("one"));
    QTRY_COMPARE(server.requests, 1);
    if (stage == "streaming") {
        server.exchanges.at(0)->openStream(200, {});
        server.exchanges.at(0)->write("part");
        QTRY_VERIFY(client.received().contains("part"));
    }
    bool open = true;
    connect(server.exchanges.at(0), &Exchange::clientGone, this,
            [&] { open = server.exchanges.at(0)->isOpen(); });
    if (reset)
        client.reset();
    else
        client.sendFin();
    QTRY_COMPARE(server.gone, 1);
    QVERIFY(!open);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.gone, 1);
    QCOMPARE(server.requests, 1); // the queued one never starts
    QVERIFY(server.exchanges.at(0).isNull());
}

void ClientGoneTest::isNoticedBehindPipelinedBytesThatFillTheBuffer()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("one") + post(QByteArray(3'000'000, 'x')));
    QTRY_COMPARE(server.requests, 1);
    QTRY_VERIFY((client.push(), client.hasSentAll()));
    client.sendFin();
    QTRY_COMPARE(server.gone, 1);
}

void ClientGoneTest::isAssumedWhenItFloodsBehindARequest()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("one") + post(QByteArray(40'000'000, 'x')));
    QTRY_VERIFY((client.push(), server.gone == 1));
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

void ClientGoneTest::isSilentWhileTheBodyArrives()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf");
    QTRY_COMPARE(server.listener.bodyBytes(), std::size_t{10});
    client.drop();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.requests, 0);
    QCOMPARE(server.listener.bodyBytes(), std::size_t{0});
}

void ClientGoneTest::isSilentAfterTheReplyWasFinished()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send(post("one"));
    TRY_REPLY(client);
    client.reset();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.gone, 0);
}

void ClientGoneTest::stillDeliversAFinishedReplyToAHalfClosedClient()
{
    // More than the socket buffers take at once, so that the FIN arrives in the middle.
    const std::string large(std::size_t{24} << 20U, 'z');
    ListeningPost server([&](Exchange &exchange) { exchange.respond(200, {}, large); });
    RawClient client(server.port);
    client.send(post("one"));
    client.sendFin();
    TRY_REPLY(client);
    QCOMPARE(client.reply().body.size(), static_cast<qsizetype>(large.size()));
    QCOMPARE(server.gone, 0);
}

void ClientGoneTest::leavesTheExchangeUsableAndDeaf()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("one"));
    QTRY_COMPARE(server.requests, 1);
    Exchange *exchange = server.exchanges.at(0);
    bool wrote = false;
    connect(exchange, &Exchange::clientGone, this, [&] {
        exchange->openStream(200, {});
        exchange->write("nobody listens");
        exchange->finish();
        exchange->cut();
        wrote = exchange->buffered() == 0;
    });
    client.drop();
    QTRY_VERIFY(wrote);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.gone, 1);
}

QTEST_GUILESS_MAIN(ClientGoneTest)
#include "tst_clientgone.moc"
