// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upstreamsocket.h"
#include "tests/net/upstream/outboundenvironment.h"
#include "tests/net/upstream/scriptedpeer.h"
#include "tests/net/upstream/tlspeer.h"

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace headway::testing;
using headway::net::Endpoint;
using headway::net::UpstreamSocket;
using namespace std::chrono_literals;

class UpstreamTlsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void trustsTheAuthorityInSslCertFile();
    void carriesLongMessagesBothWays();
    void holdsBackWhilePaused();
    void tellsTheEndInOrderAfterAPause();
    void readsALongGreetingBehindThe101();
    void readsEverythingBeforeTheEnd();
    void refuses_data();
    void refuses();
    void refusesACertFileWithoutACertificate();
    void tellsAServerThatSpeaksNoTls();
    void tellsAServerThatIsSilent();
    void namesTheHostAndHttp11InTheClientHello();

private:
    void trust(const QByteArray &pem);
    [[nodiscard]] static Endpoint endpointOf(const QUrl &url);

    QTemporaryDir m_folder;
    TestAuthority m_authority;
};

void UpstreamTlsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    clearOutboundEnvironment();
}

void UpstreamTlsTest::trust(const QByteArray &pem)
{
    static int number = 0;
    QFile file(m_folder.filePath(QStringLiteral("authority%1.pem").arg(++number)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(pem);
    file.close();
    qputenv("SSL_CERT_FILE", file.fileName().toUtf8());
}

Endpoint UpstreamTlsTest::endpointOf(const QUrl &url)
{
    Endpoint endpoint;
    endpoint.url = url;
    endpoint.name = "tls";
    endpoint.key = "sk-secret";
    return endpoint;
}

void UpstreamTlsTest::trustsTheAuthorityInSslCertFile()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    QByteArray message;
    connect(&socket, &UpstreamSocket::received, this, [&](std::string_view text) {
        message = QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(opened.size(), 1);
    QCOMPARE(fieldOf(peer.requestHead, "Authorization"), QByteArray("Bearer sk-secret"));
    QCOMPARE(peer.socket->sslConfiguration().nextNegotiatedProtocol(), QByteArray("http/1.1"));
    QVERIFY(peer.socket->sessionProtocol() >= QSsl::TlsV1_2);
    socket.sendText("up");
    QTRY_COMPARE(peer.frames.size(), std::size_t{1});
    QCOMPARE(peer.frames[0].payload, QByteArray("up"));
    peer.socket->write(frame(Text, "down"));
    QTRY_COMPARE(message, QByteArray("down"));
    peer.socket->write(closeFrame(1001, "bye"));
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1001);
    QTRY_COMPARE(peer.frames.size(), std::size_t{2});
    QCOMPARE(peer.frames[1].opcode, Close);
}

void UpstreamTlsTest::carriesLongMessagesBothWays()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QByteArray message;
    connect(&socket, &UpstreamSocket::received, this, [&](std::string_view text) {
        message = QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(opened.size(), 1);
    const QByteArray big = QByteArray("0123456789").repeated(800000);
    socket.sendText({big.constData(), static_cast<std::size_t>(big.size())});
    QVERIFY(socket.buffered() > 0);
    peer.socket->write(frame(Text, big));
    QTRY_VERIFY_WITH_TIMEOUT(!peer.frames.empty() && peer.frames.back().fin, 30000);
    QByteArray sum;
    for (const ClientFrame &each : peer.frames)
        sum += each.payload;
    QVERIFY(sum == big);
    QTRY_VERIFY_WITH_TIMEOUT(message == big, 30000);
    QTRY_COMPARE(socket.buffered(), std::size_t{0});
}

void UpstreamTlsTest::holdsBackWhilePaused()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    int messages = 0;
    connect(&socket, &UpstreamSocket::received, this, [&] {
        if (++messages == 1)
            socket.setReadingPaused(true);
    });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(opened.size(), 1);
    constexpr int count = 30000;
    peer.socket->write(frame(Text, QByteArray(1024, 'x')).repeated(count));
    QTRY_COMPARE(messages, 1);
    qint64 left = -1;
    while (left != peer.socket->bytesToWrite() + peer.socket->encryptedBytesToWrite()) {
        left = peer.socket->bytesToWrite() + peer.socket->encryptedBytesToWrite();
        for (int i = 0; i < 100; ++i)
            QCoreApplication::processEvents();
    }
    QVERIFY(left > 0);
    QCOMPARE(messages, 1);
    socket.setReadingPaused(false);
    QTRY_COMPARE_WITH_TIMEOUT(messages, count, 30000);
}

void UpstreamTlsTest::tellsTheEndInOrderAfterAPause()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    QByteArray texts;
    connect(&socket, &UpstreamSocket::received, this, [&](std::string_view text) {
        texts += QByteArray(text.data(), static_cast<qsizetype>(text.size()));
        socket.setReadingPaused(texts.size() == 1);
    });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(opened.size(), 1);
    peer.socket->write(frame(Text, "1") + frame(Text, "2"));
    QTRY_COMPARE(texts, QByteArray("1"));
    peer.socket->write(frame(Text, "3"));
    peer.socket->disconnectFromHost();
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(closed.size(), 0);
    socket.setReadingPaused(false);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(texts, QByteArray("123"));
    QCOMPARE(closed[0][0].toInt(), 1006);
}

void UpstreamTlsTest::readsALongGreetingBehindThe101()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    peer.greeting = frame(Text, QByteArray(1000, 'g')).repeated(55);
    UpstreamSocket socket;
    int messages = 0;
    connect(&socket, &UpstreamSocket::received, this, [&] { ++messages; });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(messages, 55);
}

void UpstreamTlsTest::readsEverythingBeforeTheEnd()
{
    trust(m_authority.pem());
    TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    int messages = 0;
    connect(&socket, &UpstreamSocket::received, this, [&] { ++messages; });
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(opened.size(), 1);
    constexpr int count = 3000;
    peer.socket->write(frame(Text, QByteArray(1000, 'x')).repeated(count) + closeFrame(1001));
    peer.socket->disconnectFromHost();
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 20000);
    QCOMPARE(messages, count);
    QCOMPARE(closed[0][0].toInt(), 1001);
}

void UpstreamTlsTest::refuses_data()
{
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("seconds");
    QTest::newRow("an authority nobody knows") << false << QStringLiteral("localhost") << 7200;
    QTest::newRow("another name") << true << QStringLiteral("other.example") << 7200;
    QTest::newRow("expired") << true << QStringLiteral("localhost") << 60;
}

void UpstreamTlsTest::refuses()
{
    QFETCH(const bool, known);
    QFETCH(const QString, name);
    QFETCH(const int, seconds);
    trust(known ? m_authority.pem() : TestAuthority().pem());
    TlsPeer peer(m_authority.issue(name, seconds));
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
    QTRY_COMPARE(failed.size(), 1);
    const QString reason = failed[0][0].toString();
    QVERIFY2(reason.startsWith(QLatin1String("TLS certificate of localhost is not trusted: ")),
             qPrintable(reason));
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(peer.received, QByteArray()); // the key never left
    QVERIFY(peer.requestHead.isEmpty());
    QCOMPARE(opened.size(), 0);
}

void UpstreamTlsTest::refusesACertFileWithoutACertificate()
{
    for (const QByteArray &content : {QByteArray("no certificate"), QByteArray()}) {
        trust(content);
        TlsPeer peer(m_authority.issue(QStringLiteral("localhost")));
        UpstreamSocket socket;
        QSignalSpy failed(&socket, &UpstreamSocket::failed);
        socket.open(endpointOf(peer.url(QStringLiteral("localhost"))), {});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().startsWith(QLatin1String("SSL_CERT_FILE names")),
                 qPrintable(failed[0][0].toString()));
        QCOMPARE(peer.connections, 0);
    }
}

void UpstreamTlsTest::tellsAServerThatSpeaksNoTls()
{
    trust(m_authority.pem());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this,
            [&] { server.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpointOf(QUrl(QStringLiteral("wss://localhost:%1/").arg(server.serverPort()))),
                {});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][0].toString().startsWith(QLatin1String("TLS handshake with localhost:")),
             qPrintable(failed[0][0].toString()));
}

void UpstreamTlsTest::tellsAServerThatIsSilent()
{
    trust(m_authority.pem());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpointOf(QUrl(QStringLiteral("wss://localhost:%1/").arg(server.serverPort()))),
                {}, 300ms);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][0].toString().contains(QLatin1String("TLS handshake within 0.3 s")),
             qPrintable(failed[0][0].toString()));
}

void UpstreamTlsTest::namesTheHostAndHttp11InTheClientHello()
{
    trust(m_authority.pem());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QByteArray hello;
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *peer = server.nextPendingConnection();
        connect(peer, &QTcpSocket::readyRead, this, [&hello, peer] { hello += peer->readAll(); });
    });
    UpstreamSocket socket;
    socket.open(endpointOf(QUrl(QStringLiteral("wss://localhost:%1/").arg(server.serverPort()))),
                {});
    // RFC 6066 section 3 and RFC 7301 section 3.1: both in clear text, each with its length.
    QTRY_VERIFY(hello.contains(QByteArray("\x00\x00\x09localhost", 12)));
    QVERIFY(hello.contains(QByteArray("\x00\x09\x08http/1.1", 11)));
}

QTEST_GUILESS_MAIN(UpstreamTlsTest)
#include "tst_upstreamtls.moc"
