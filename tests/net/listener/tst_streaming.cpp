// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QSignalSpy>
#include <QTest>

using namespace headway::net;

class StreamingTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsChunksAndACleanEnd();
    void writesOfOneTurnLeaveTogether();
    void endsAnHttp10StreamByClosing();
    void staysBoundedWhenTheWriterHonoursDrained();
    void tellsDrainedOnceAndOnlyAfterTheHighWaterMark();
    void cutDeliversWhatWasWrittenThenResets();
    void cutGivesUpOnAReaderThatStands();
    void sendsNoStreamToHead();
};

void StreamingTest::sendsChunksAndACleanEnd()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("") + post("next"));
    QTRY_COMPARE(server.requests, 1);
    Exchange &exchange = *server.exchanges.at(0);
    exchange.openStream(200, {{"content-type", "text/event-stream"}});
    QTRY_VERIFY(client.received().endsWith("\r\n\r\n")); // the head goes out before any event
    exchange.write("data: 1\n\n");
    exchange.write(""); // must not end the body
    QTRY_VERIFY(client.received().endsWith("9\r\ndata: 1\n\n\r\n"));
    exchange.write("data: 2\n\n");
    exchange.finish();
    TRY_REPLY(client);
    QCOMPARE(client.reply().header("content-type"), QByteArray("text/event-stream"));
    QCOMPARE(client.reply().body, QByteArray("data: 1\n\ndata: 2\n\n"));
    QTRY_COMPARE(server.requests, 2);
    QCOMPARE(server.gone, 0);
}

void StreamingTest::writesOfOneTurnLeaveTogether()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post(""));
    QTRY_COMPARE(server.requests, 1);
    Exchange &exchange = *server.exchanges.at(0);
    exchange.openStream(200, {});
    for (int i = 0; i != 100; ++i)
        exchange.write("event");
    QVERIFY(client.received().isEmpty()); // nothing before the turn's end
    QVERIFY(exchange.buffered() > 500);
    QTRY_COMPARE(exchange.buffered(), std::size_t{0});
    QCOMPARE(client.received().count("event"), 100);
}

void StreamingTest::endsAnHttp10StreamByClosing()
{
    ListeningPost server([](Exchange &exchange) {
        exchange.openStream(200, {});
        exchange.write("one");
        exchange.write("two");
        exchange.finish();
    });
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    QVERIFY(client.received().endsWith("\r\n\r\nonetwo"));
    QVERIFY(!client.received().contains("chunked"));
}

void StreamingTest::staysBoundedWhenTheWriterHonoursDrained()
{
    constexpr std::size_t highWater = std::size_t{256} << 10U;
    constexpr std::size_t total = std::size_t{12} << 20U;
    const std::string event(4096, 'e');
    ListeningPost server;
    RawClient client(server.port, 8192);
    client.send(post(""));
    QTRY_COMPARE(server.requests, 1);
    Exchange *exchange = server.exchanges.at(0);
    std::size_t written = 0;
    std::size_t most = 0;
    const auto fill = [&] {
        while (written < total && exchange->buffered() <= highWater) {
            exchange->write(event);
            written += event.size();
            most = std::max(most, exchange->buffered());
        }
        if (written >= total)
            exchange->finish();
    };
    connect(exchange, &Exchange::drained, this, fill);
    exchange->openStream(200, {});
    fill();
    QTRY_VERIFY(exchange->buffered() > highWater); // the reader stands
    QVERIFY(written < total);
    QTRY_VERIFY_WITH_TIMEOUT(client.hasReply(), 20000);
    client.take();
    QCOMPARE(static_cast<std::size_t>(client.reply().body.size()), total);
    QVERIFY2(most < highWater + 2 * event.size(), QByteArray::number(qulonglong(most)).constData());
}

void StreamingTest::tellsDrainedOnceAndOnlyAfterTheHighWaterMark()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post(""));
    QTRY_COMPARE(server.requests, 1);
    Exchange &exchange = *server.exchanges.at(0);
    QSignalSpy drained(&exchange, &Exchange::drained);
    exchange.openStream(200, {});
    exchange.write(std::string(10000, 'a'));
    QTRY_COMPARE(exchange.buffered(), std::size_t{0});
    QCOMPARE(drained.count(), 0);
    const std::string large(std::size_t{16} << 20U, 'b');
    exchange.write(large);
    QVERIFY(exchange.buffered() > (std::size_t{256} << 10U));
    QTRY_VERIFY((client.received(), exchange.buffered() == 0));
    QCOMPARE(drained.count(), 1);
}

void StreamingTest::cutDeliversWhatWasWrittenThenResets()
{
    const QByteArray large(3 << 20, 'c');
    ListeningPost server([&](Exchange &exchange) {
        exchange.openStream(200, {});
        exchange.write(large.toStdString());
        exchange.write("event: error");
        exchange.cut();
    });
    RawClient client(server.port);
    client.send(post(""));
    QTRY_COMPARE(client.closed(), RawClient::Closed::Reset);
    QVERIFY(client.received().contains(large));
    QVERIFY(client.received().endsWith("event: error\r\n"));
    QVERIFY(!client.hasReply()); // no last chunk
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QCOMPARE(server.gone, 0);
    QVERIFY(server.exchanges.at(0).isNull());
}

void StreamingTest::cutGivesUpOnAReaderThatStands()
{
    ListenerTimes times;
    times.cut = std::chrono::milliseconds{50};
    times.tick = std::chrono::milliseconds{10};
    ListeningPost server(
        [&](Exchange &exchange) {
            exchange.openStream(200, {});
            exchange.write(std::string(std::size_t{32} << 20U, 'c'));
            exchange.cut();
        },
        {}, times);
    RawClient client(server.port, 8192);
    client.send(post(""));
    QTRY_COMPARE(server.requests, 1);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
    QTRY_COMPARE(client.closed(), RawClient::Closed::Reset);
}

void StreamingTest::sendsNoStreamToHead()
{
    ListeningPost server([](Exchange &exchange) {
        exchange.openStream(200, {});
        exchange.write("nothing of this");
        exchange.finish();
    });
    RawClient client(server.port);
    client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    QVERIFY(client.received().endsWith("\r\n\r\n"));
    QVERIFY(!client.received().contains("nothing"));
}

QTEST_GUILESS_MAIN(StreamingTest)
#include "tst_streaming.moc"
