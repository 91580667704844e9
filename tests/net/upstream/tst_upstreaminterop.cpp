// SPDX-License-Identifier: GPL-3.0-or-later
// UpstreamSocket against Qt's own WebSocket server, which shares no code with it.
#include "proxy/net/upstream/upstreamsocket.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketServer>

#include <memory>

using headway::net::Endpoint;
using headway::net::UpgradeReply;
using headway::net::UpstreamSocket;

class UpstreamInteropTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void sendsAndReceivesText_data();
    void sendsAndReceivesText();
    void showsTheHeadersOfThe101();
    void sendsTheHeadersItWasGivenAndTheKeyOnce();
    void handsOutPaddedViews();
    void putsFragmentsTogether();
    void deliversManyMessagesInOrder();
    void pingsAndHearsThePong();
    void answersAPing();
    void reportsTheServersCloseCodeAndReason_data();
    void reportsTheServersCloseCodeAndReason();
    void closesWithTheCodeItIsTold();
    void tells1006WhenTheServerJustGoes();
    void countsBytesBothWays();
    void survivesDeletionInEverySlot_data();
    void survivesDeletionInEverySlot();
    void abortTellsFromTheEventLoop();

private:
    void connectToServer();
    [[nodiscard]] Endpoint endpoint() const;

    std::unique_ptr<QWebSocketServer> m_server;
    std::unique_ptr<QWebSocket> m_peer;
    std::unique_ptr<UpstreamSocket> m_socket;
    std::vector<QByteArray> m_messages;
};

void UpstreamInteropTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    m_messages.clear();
    m_server = std::make_unique<QWebSocketServer>(QStringLiteral("interop"),
                                                  QWebSocketServer::NonSecureMode);
    QVERIFY(m_server->listen(QHostAddress::LocalHost));
    m_socket = std::make_unique<UpstreamSocket>();
    connect(m_socket.get(), &UpstreamSocket::received, this,
            [this](std::string_view message, std::size_t) {
                m_messages.emplace_back(message.data(), static_cast<qsizetype>(message.size()));
            });
}

void UpstreamInteropTest::cleanup()
{
    m_socket.reset();
    m_peer.reset();
    m_server.reset();
}

Endpoint UpstreamInteropTest::endpoint() const
{
    Endpoint result;
    result.url = QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(m_server->serverPort()));
    result.name = "interop";
    return result;
}

void UpstreamInteropTest::connectToServer()
{
    QSignalSpy opened(m_socket.get(), &UpstreamSocket::opened);
    m_socket->open(endpoint(), {});
    QTRY_VERIFY(m_server->hasPendingConnections());
    m_peer.reset(m_server->nextPendingConnection());
    QTRY_COMPARE(opened.size(), 1);
    QVERIFY(m_socket->isOpen());
}

void UpstreamInteropTest::sendsAndReceivesText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("one byte") << QByteArray("a");
    // Around each step of the length encoding and of our own fragments.
    for (const int size : {125, 126, 127, 65534, 65535, 65536, 65537, 131072, 131073, 1000000})
        QTest::addRow("%d bytes", size) << QByteArray(size, 'x');
    QTest::newRow("UTF-8") << QByteArray("π – 漢字 – 🙂");
    QTest::newRow("a character across two fragments")
        << QByteArray(65535, 'x') + QByteArray("漢") + QByteArray(10, 'y');
    QTest::newRow("20 MB") << QByteArray(20000000, 'b');
}

void UpstreamInteropTest::sendsAndReceivesText()
{
    QFETCH(const QByteArray, text);
    connectToServer();
    connect(m_peer.get(), &QWebSocket::textMessageReceived, m_peer.get(),
            [this](const QString &message) { m_peer->sendTextMessage(message); });
    m_socket->sendText(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QTRY_COMPARE_WITH_TIMEOUT(m_messages.size(), std::size_t{1}, 20000);
    QVERIFY(m_messages[0] == text);
    QCOMPARE(m_socket->buffered(), std::size_t{0});
}

void UpstreamInteropTest::showsTheHeadersOfThe101()
{
    UpgradeReply reply;
    connect(m_socket.get(), &UpstreamSocket::opened, this,
            [&reply](const UpgradeReply &answer) { reply = answer; });
    connectToServer();
    QCOMPARE(reply.status, 101);
    QCOMPARE(QByteArray(reply.header("upgrade").data()).toLower(), QByteArray("websocket"));
    QCOMPARE(QByteArray(reply.header("server").data()), QByteArray("interop"));
    QVERIFY(reply.header("x-not-there").empty());
}

void UpstreamInteropTest::sendsTheHeadersItWasGivenAndTheKeyOnce()
{
    Endpoint target = endpoint();
    target.key = "sk-test";
    m_socket->open(target, {{"OpenAI-Beta", "responses_websockets=2026-02-06"}});
    QTRY_VERIFY(m_server->hasPendingConnections());
    m_peer.reset(m_server->nextPendingConnection());
    const QNetworkRequest request = m_peer->request();
    QCOMPARE(request.rawHeader("OpenAI-Beta"), QByteArray("responses_websockets=2026-02-06"));
    QCOMPARE(request.rawHeader("Authorization"), QByteArray("Bearer sk-test"));
    QCOMPARE(request.rawHeader("User-Agent"), QByteArray("headway/" HEADWAY_VERSION));
    QVERIFY(!request.hasRawHeader("Sec-WebSocket-Extensions"));
}

void UpstreamInteropTest::handsOutPaddedViews()
{
    bool padded = true;
    connect(m_socket.get(), &UpstreamSocket::received, this,
            [&padded](std::string_view message, std::size_t capacity) {
                padded = padded && capacity >= message.size() + 64;
            });
    connectToServer();
    const std::vector<qsizetype> sizes{0, 1, 63, 64, 1000, 1983, 1984, 1985, 4096, 70000, 5};
    for (const qsizetype size : sizes)
        m_peer->sendTextMessage(QString(size, u'z'));
    QTRY_COMPARE(m_messages.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        QCOMPARE(m_messages[i], QByteArray(sizes[i], 'z'));
    QVERIFY(padded);
}

void UpstreamInteropTest::putsFragmentsTogether()
{
    connectToServer();
    m_peer->setOutgoingFrameSize(7);
    m_peer->sendTextMessage(QStringLiteral("a message in many – small – frames"));
    m_peer->sendTextMessage(QStringLiteral("next"));
    QTRY_COMPARE(m_messages.size(), std::size_t{2});
    QCOMPARE(m_messages[0], QByteArray("a message in many – small – frames"));
    QCOMPARE(m_messages[1], QByteArray("next"));
}

void UpstreamInteropTest::deliversManyMessagesInOrder()
{
    connectToServer();
    for (int i = 0; i < 20000; ++i)
        m_peer->sendTextMessage(QString::number(i));
    QTRY_COMPARE_WITH_TIMEOUT(m_messages.size(), std::size_t{20000}, 20000);
    for (int i = 0; i < 20000; ++i)
        QCOMPARE(m_messages[static_cast<std::size_t>(i)], QByteArray::number(i));
}

void UpstreamInteropTest::pingsAndHearsThePong()
{
    connectToServer();
    QSignalSpy ponged(m_socket.get(), &UpstreamSocket::ponged);
    m_socket->ping();
    QTRY_COMPARE(ponged.size(), 1);
}

void UpstreamInteropTest::answersAPing()
{
    connectToServer();
    QSignalSpy pong(m_peer.get(), &QWebSocket::pong);
    m_peer->ping(QByteArray("abc"));
    QTRY_COMPARE(pong.size(), 1);
    QCOMPARE(pong[0][1].toByteArray(), QByteArray("abc"));
}

void UpstreamInteropTest::reportsTheServersCloseCodeAndReason_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    QTest::newRow("normal") << 1000 << QString();
    QTest::newRow("going away") << 1001 << QStringLiteral("idle");
    QTest::newRow("internal") << 1011 << QStringLiteral("keepalive ping timeout");
    QTest::newRow("private") << 4402 << QStringLiteral("out of crédits");
}

void UpstreamInteropTest::reportsTheServersCloseCodeAndReason()
{
    QFETCH(const int, code);
    QFETCH(const QString, reason);
    connectToServer();
    QSignalSpy closed(m_socket.get(), &UpstreamSocket::closed);
    QSignalSpy peerGone(m_peer.get(), &QWebSocket::disconnected);
    m_peer->close(static_cast<QWebSocketProtocol::CloseCode>(code), reason);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), code);
    QCOMPARE(closed[0][1].toString(), reason);
    QVERIFY(!m_socket->isOpen());
    QTRY_COMPARE(peerGone.size(), 1);
    QCOMPARE(closed.size(), 1);
}

void UpstreamInteropTest::closesWithTheCodeItIsTold()
{
    connectToServer();
    QSignalSpy closed(m_socket.get(), &UpstreamSocket::closed);
    QSignalSpy peerGone(m_peer.get(), &QWebSocket::disconnected);
    m_socket->close(1001);
    QVERIFY(!m_socket->isOpen());
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1001);
    QTRY_COMPARE(peerGone.size(), 1);
    QCOMPARE(static_cast<int>(m_peer->closeCode()), 1001);
}

void UpstreamInteropTest::tells1006WhenTheServerJustGoes()
{
    connectToServer();
    QSignalSpy closed(m_socket.get(), &UpstreamSocket::closed);
    m_peer->abort();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1006);
    QVERIFY(!closed[0][1].toString().isEmpty());
}

void UpstreamInteropTest::countsBytesBothWays()
{
    connectToServer();
    const std::uint64_t up = m_socket->bytesUp();
    const std::uint64_t down = m_socket->bytesDown();
    QVERIFY(up > 100 && down > 100); // the upgrade itself
    QSignalSpy seen(m_socket.get(), &UpstreamSocket::seen);
    m_socket->sendText("hello"); // 2 + 4 + 5 bytes
    QCOMPARE(m_socket->bytesUp() - up, std::uint64_t{11});
    m_peer->sendTextMessage(QStringLiteral("hello")); // 2 + 5 bytes
    QTRY_COMPARE(m_messages.size(), std::size_t{1});
    QCOMPARE(m_socket->bytesDown() - down, std::uint64_t{7});
    QVERIFY(!seen.isEmpty());
}

void UpstreamInteropTest::survivesDeletionInEverySlot_data()
{
    QTest::addColumn<QString>("signal");
    for (const char *name : {"opened", "received", "ponged", "seen", "closed"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void UpstreamInteropTest::survivesDeletionInEverySlot()
{
    QFETCH(const QString, signal);
    const auto drop = [this] { m_socket.reset(); };
    UpstreamSocket *socket = m_socket.get();
    if (signal == QLatin1String("opened"))
        connect(socket, &UpstreamSocket::opened, this, drop);
    else if (signal == QLatin1String("received"))
        connect(socket, &UpstreamSocket::received, this, drop);
    else if (signal == QLatin1String("ponged"))
        connect(socket, &UpstreamSocket::ponged, this, drop);
    else if (signal == QLatin1String("seen"))
        connect(socket, &UpstreamSocket::seen, this, drop);
    else
        connect(socket, &UpstreamSocket::closed, this, drop);
    if (signal == QLatin1String("ponged"))
        connect(socket, &UpstreamSocket::opened, socket, &UpstreamSocket::ping);
    socket->open(endpoint(), {});
    QTRY_VERIFY(m_server->hasPendingConnections());
    m_peer.reset(m_server->nextPendingConnection());
    m_peer->sendTextMessage(QStringLiteral("one"));
    m_peer->sendTextMessage(QStringLiteral("two"));
    if (signal == QLatin1String("closed"))
        m_peer->close();
    QTRY_VERIFY(!m_socket);
    QTRY_COMPARE(m_peer->state(), QAbstractSocket::UnconnectedState);
}

void UpstreamInteropTest::abortTellsFromTheEventLoop()
{
    connectToServer();
    QSignalSpy closed(m_socket.get(), &UpstreamSocket::closed);
    QSignalSpy gone(m_peer.get(), &QWebSocket::disconnected);
    m_socket->abort();
    QCOMPARE(closed.size(), 0);
    QVERIFY(!m_socket->isOpen());
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1006);
    QTRY_COMPARE(gone.size(), 1);
}

QTEST_GUILESS_MAIN(UpstreamInteropTest)
#include "tst_upstreaminterop.moc"
