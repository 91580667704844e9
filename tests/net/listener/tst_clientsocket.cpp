// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QSignalSpy>
#include <QTest>
#include <QWebSocket>

using namespace headway::net;

namespace {

const QByteArray handshake = "GET /v1/responses HTTP/1.1\r\nHost: localhost\r\n"
                             "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                             "Sec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Extensions: permessage-deflate\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// A masked client frame with the mask 00 00 00 00, under 126 bytes.
QByteArray frame(int opcode, const QByteArray &payload, bool final = true)
{
    QByteArray bytes;
    bytes += static_cast<char>((final ? 0x80 : 0) | opcode);
    bytes += static_cast<char>(0x80 | payload.size());
    return bytes + QByteArray(4, '\0') + payload;
}

QByteArray frameHead(int opcode, quint64 size)
{
    QByteArray bytes;
    bytes += static_cast<char>(0x80 | opcode);
    bytes += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(size >> shift);
    return bytes + QByteArray(4, '\0');
}

QByteArray closeFrame(quint16 code)
{
    return QByteArray("\x88\x02", 2) + static_cast<char>(code >> 8) + static_cast<char>(code);
}

} // namespace

class ClientSocketTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersTheHandshakeOfTheStandard();
    void readsFramesThatCameWithTheHandshake();
    void echoesToAnIndependentPeer();
    void carriesLargeMessagesBothWays();
    void putsFragmentsTogetherAndAnswersPingsBetween();
    void closesWithTheRightCode_data();
    void closesWithTheRightCode();
    void takesAMessageOfExactlyTheLimit();
    void noticesADropWithoutCloseFrame_data();
    void noticesADropWithoutCloseFrame();
    void closesOnOurBehalf();
    void cutsAfterWhatWasSent();
    void reportsBackPressure();
    void stopsReadingAPingFloodThatReadsNothing();
    void survivesBeingClosedFromItsOwnSignal();

private:
    // Upgrades and returns the server's end.
    static ClientSocket *upgrade(ListeningPost &server, RawClient &client);
};

ClientSocket *ClientSocketTest::upgrade(ListeningPost &server, RawClient &client)
{
    const std::size_t before = server.sockets.size();
    client.send(handshake);
    if (!QTest::qWaitFor([&] {
            return server.sockets.size() > before && client.received().contains("\r\n\r\n");
        }))
        return nullptr;
    client.received().clear();
    return server.sockets.back();
}

void ClientSocketTest::answersTheHandshakeOfTheStandard()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(handshake);
    QTRY_VERIFY(client.received().endsWith("\r\n\r\n"));
    const QByteArray reply = client.received().toLower();
    QVERIFY(reply.startsWith("http/1.1 101 "));
    // The example of RFC 6455 section 1.3.
    QVERIFY(client.received().contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    QVERIFY(reply.contains("upgrade: websocket\r\n"));
    QVERIFY(!reply.contains("sec-websocket-extensions"));
    QCOMPARE(server.sockets.size(), std::size_t{1});
    QCOMPARE(server.sockets.front()->head().path, std::string("/v1/responses"));
    QCOMPARE(server.sockets.front()->head().route, Route::Responses);
    QVERIFY(server.sockets.front()->isOpen());
}

void ClientSocketTest::readsFramesThatCameWithTheHandshake()
{
    ListeningPost server;
    std::vector<std::string> messages;
    connect(&server.listener, &Listener::upgraded, this, [&](ClientSocket *socket) {
        connect(socket, &ClientSocket::received, this,
                [&messages](const std::string &text) { messages.push_back(text); });
    });
    RawClient client(server.port);
    client.send(handshake + frame(1, "early") + frame(1, "bird"));
    QTRY_COMPARE(messages.size(), std::size_t{2});
    QCOMPARE(messages, (std::vector<std::string>{"early", "bird"}));
}

void ClientSocketTest::echoesToAnIndependentPeer()
{
    ListeningPost server;
    connect(&server.listener, &Listener::upgraded, this, [](ClientSocket *socket) {
        connect(socket, &ClientSocket::received, socket,
                [socket](const std::string &text) { socket->send("echo " + text); });
    });
    QWebSocket peer;
    QSignalSpy texts(&peer, &QWebSocket::textMessageReceived);
    QSignalSpy pongs(&peer, &QWebSocket::pong);
    peer.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/x/responses").arg(server.port)));
    QTRY_COMPARE(peer.state(), QAbstractSocket::ConnectedState);
    for (int i = 0; i != 100; ++i)
        peer.sendTextMessage(QStringLiteral("message %1 ä").arg(i));
    peer.ping("are you there");
    QTRY_COMPARE(texts.count(), 100);
    QCOMPARE(texts.at(42).at(0).toString(), QStringLiteral("echo message 42 ä"));
    QTRY_COMPARE(pongs.count(), 1);
    QSignalSpy gone(server.sockets.front(), &ClientSocket::clientGone);
    peer.close(QWebSocketProtocol::CloseCodeNormal);
    QTRY_COMPARE(gone.count(), 1);
    QTRY_VERIFY(server.sockets.front().isNull());
    QCOMPARE(peer.closeCode(), QWebSocketProtocol::CloseCodeNormal);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

void ClientSocketTest::carriesLargeMessagesBothWays()
{
    const QString large(5'000'000, QLatin1Char('m'));
    ListeningPost server;
    std::size_t spare = 0;
    connect(&server.listener, &Listener::upgraded, this, [&](ClientSocket *socket) {
        connect(socket, &ClientSocket::received, socket, [&spare, socket](const std::string &text) {
            spare = text.capacity() - text.size();
            socket->send(text);
        });
    });
    QWebSocket peer;
    QSignalSpy texts(&peer, &QWebSocket::textMessageReceived);
    peer.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(server.port)));
    QTRY_COMPARE(peer.state(), QAbstractSocket::ConnectedState);
    peer.sendTextMessage(large);
    QTRY_COMPARE_WITH_TIMEOUT(texts.count(), 1, 20000);
    QCOMPARE(texts.front().front().toString().size(), large.size());
    QVERIFY(texts.front().front().toString() == large);
    QVERIFY(spare >= 64);
    QCOMPARE(server.listener.bodyBytes(), std::size_t{0});
}

void ClientSocketTest::putsFragmentsTogetherAndAnswersPingsBetween()
{
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    std::vector<std::string> messages;
    connect(socket, &ClientSocket::received, this,
            [&messages](const std::string &text) { messages.push_back(text); });
    // A character of three bytes, split over two fragments, with a ping between them.
    client.send(frame(1, "a\xe2\x82", false) + frame(9, "hi") + frame(0, "\xac", false)
                + frame(0, "z"));
    QTRY_COMPARE(messages.size(), std::size_t{1});
    QCOMPARE(messages.front(), std::string("a€z"));
    QTRY_COMPARE(client.received(), QByteArray("\x8a\x02hi", 4));
}

void ClientSocketTest::closesWithTheRightCode_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<quint16>("code");
    QTest::newRow("invalid UTF-8") << frame(1, "bad \xff") << quint16{1007};
    QTest::newRow("binary message") << frame(2, "binary") << quint16{1003};
    QTest::newRow("one byte over the limit")
        << frameHead(1, (64U << 20U) + 1) + 'x' << quint16{1009};
    QTest::newRow("absurd length") << frameHead(1, quint64{1} << 62U) + 'x' << quint16{1009};
    QTest::newRow("reserved opcode") << frame(3, "x") << quint16{1002};
    QTest::newRow("reserved bit") << QByteArray("\xc1\x80\0\0\0\0", 6) << quint16{1002};
    QTest::newRow("unmasked") << QByteArray("\x81\x01x", 3) << quint16{1002};
    QTest::newRow("stray continuation") << frame(0, "x") << quint16{1002};
    QTest::newRow("client closes") << frame(8, QByteArray("\x03\xe8", 2)) << quint16{1000};
}

void ClientSocketTest::closesWithTheRightCode()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const quint16, code);
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    QSignalSpy received(socket, &ClientSocket::received);
    QSignalSpy gone(socket, &ClientSocket::clientGone);
    client.send(bytes);
    QTRY_VERIFY(client.received().size() >= 4);
    QCOMPARE(client.received().at(0), '\x88');
    QCOMPARE(client.received().mid(2, 2), closeFrame(code).right(2));
    client.send(frame(8, QByteArray(closeFrame(code).right(2))));
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    client.drop();
    QTRY_COMPARE(gone.count(), 1);
    QCOMPARE(received.count(), 0);
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

void ClientSocketTest::takesAMessageOfExactlyTheLimit()
{
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    std::size_t size = 0;
    connect(socket, &ClientSocket::received, this,
            [&size](const std::string &text) { size = text.size(); });
    client.send(frameHead(1, 64U << 20U) + QByteArray(64 << 20, 'm'));
    QTRY_VERIFY_WITH_TIMEOUT((client.received(), size == std::size_t{64} << 20U), 40000);
}

void ClientSocketTest::noticesADropWithoutCloseFrame_data()
{
    QTest::addColumn<bool>("reset");
    QTest::newRow("FIN") << false;
    QTest::newRow("reset") << true;
}

void ClientSocketTest::noticesADropWithoutCloseFrame()
{
    QFETCH(const bool, reset);
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    QSignalSpy gone(socket, &ClientSocket::clientGone);
    if (reset)
        client.reset();
    else
        client.drop();
    QTRY_COMPARE(gone.count(), 1);
    QTRY_VERIFY(server.sockets.front().isNull());
}

void ClientSocketTest::closesOnOurBehalf()
{
    ListeningPost server;
    QWebSocket peer;
    QSignalSpy texts(&peer, &QWebSocket::textMessageReceived);
    peer.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(server.port)));
    QTRY_COMPARE(peer.state(), QAbstractSocket::ConnectedState);
    ClientSocket *socket = server.sockets.front();
    QSignalSpy gone(socket, &ClientSocket::clientGone);
    socket->send("last words");
    socket->close(4001, "enough");
    QVERIFY(!socket->isOpen());
    socket->send("not sent");
    QTRY_COMPARE(peer.state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(static_cast<int>(peer.closeCode()), 4001);
    QCOMPARE(peer.closeReason(), QStringLiteral("enough"));
    QCOMPARE(texts.count(), 1);
    QTRY_COMPARE(gone.count(), 1);
}

void ClientSocketTest::cutsAfterWhatWasSent()
{
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    QSignalSpy gone(socket, &ClientSocket::clientGone);
    socket->send("before");
    socket->cut();
    QTRY_COMPARE(client.closed(), RawClient::Closed::Reset);
    QCOMPARE(client.received(),
             QByteArray("\x81\x06"
                        "before"));
    QTRY_VERIFY(server.sockets.front().isNull());
    QCOMPARE(gone.count(), 0);
}

void ClientSocketTest::reportsBackPressure()
{
    ListeningPost server;
    RawClient client(server.port, 8192);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    QSignalSpy drained(socket, &ClientSocket::drained);
    const std::string large(std::size_t{16} << 20U, 'b');
    socket->send(large);
    QVERIFY(socket->buffered() > (std::size_t{256} << 10U));
    QCOMPARE(drained.count(), 0);
    QTRY_VERIFY_WITH_TIMEOUT((client.received(), socket->buffered() == 0), 20000);
    QCOMPARE(drained.count(), 1);
}

void ClientSocketTest::stopsReadingAPingFloodThatReadsNothing()
{
    ListeningPost server;
    RawClient client(server.port, 8192);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    QByteArray flood;
    const QByteArray ping = frame(9, QByteArray(125, 'p'));
    while (flood.size() < (24 << 20))
        flood += ping;
    client.send(flood);
    QTRY_VERIFY((client.push(), socket->buffered() > (std::size_t{1} << 20U)));
    for (int i = 0; i != 50; ++i) {
        client.push();
        QCoreApplication::processEvents();
    }
    QVERIFY(!client.hasSentAll());
    QVERIFY(socket->buffered() < (std::size_t{3} << 20U));
}

void ClientSocketTest::survivesBeingClosedFromItsOwnSignal()
{
    ListeningPost server;
    RawClient client(server.port);
    ClientSocket *socket = upgrade(server, client);
    QVERIFY(socket);
    connect(socket, &ClientSocket::received, socket, [socket](const std::string &) {
        socket->send("bye");
        socket->cut();
        socket->send("not this");
    });
    client.send(frame(1, "one") + frame(1, "two"));
    QTRY_COMPARE(client.closed(), RawClient::Closed::Reset);
    QTRY_VERIFY(server.sockets.front().isNull());
}

QTEST_GUILESS_MAIN(ClientSocketTest)
#include "tst_clientsocket.moc"
