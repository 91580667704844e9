// SPDX-License-Identifier: GPL-3.0-or-later
// Outbound proxies (spec/cli.md, last paragraph; cases B93, B95).
#include "proxy/net/upstream/upstreamsocket.h"
#include "tests/net/upstream/outboundenvironment.h"
#include "tests/net/upstream/scriptedpeer.h"
#include "tests/net/upstream/tlspeer.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

using namespace headway::testing;
using headway::net::Endpoint;
using headway::net::UpstreamSocket;

namespace {

// An HTTP or SOCKS5 proxy that leads every name to one local port and keeps what it was asked.
class ForwardingProxy final : public QTcpServer
{
public:
    explicit ForwardingProxy(quint16 target)
        : m_target(target)
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port to listen on");
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *client = nextPendingConnection();
            connect(client, &QTcpSocket::readyRead, this, [this, client] { read(client); });
        });
    }

    QByteArray asked; // all CONNECT heads, or all SOCKS messages
    QByteArray wantedCredentials; // base64, empty: none
    QByteArray denial; // answer instead of 200

private:
    void read(QTcpSocket *client)
    {
        if (auto *server = client->findChild<QTcpSocket *>()) {
            server->write(client->readAll());
            return;
        }
        if (client->peek(1) == QByteArray(1, '\x05'))
            readSocks(client);
        else if (client->peek(65536).contains("\r\n\r\n"))
            readConnect(client);
    }

    void readConnect(QTcpSocket *client)
    {
        const QByteArray head = client->readAll();
        asked += head;
        if (!denial.isEmpty()) {
            client->write(denial);
            client->disconnectFromHost();
        } else if (!wantedCredentials.isEmpty()
                   && fieldOf(head, "Proxy-Authorization") != "Basic " + wantedCredentials)
        {
            client->write("HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                          "Content-Length: 0\r\nConnection: close\r\n\r\n");
            client->disconnectFromHost();
        } else {
            join(client, "HTTP/1.1 200 Connection established\r\n\r\n");
        }
    }

    void readSocks(QTcpSocket *client) // RFC 1928
    {
        const QByteArray message = client->readAll();
        asked += message;
        if (message.size() >= 3 && message[1] + 2 == message.size())
            client->write(QByteArray("\x05\x00", 2)); // no authentication
        else
            join(client, QByteArray("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00", 10));
    }

    void join(QTcpSocket *client, const QByteArray &answer)
    {
        auto *server = new QTcpSocket(client);
        connect(server, &QTcpSocket::connected, client,
                [client, answer] { client->write(answer); });
        connect(server, &QTcpSocket::readyRead, client,
                [client, server] { client->write(server->readAll()); });
        connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        server->connectToHost(QHostAddress(QHostAddress::LocalHost), m_target);
    }

    quint16 m_target;
};

QByteArray addressOf(const QTcpServer &server, const char *scheme = "http://")
{
    return scheme + QByteArray("127.0.0.1:") + QByteArray::number(server.serverPort());
}

} // namespace

class UpstreamProxyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void tunnelsThroughHttpConnect();
    void tunnelsThroughSocks5();
    void showsItsCredentialsToTheProxyOnly();
    void neverGoesRoundADeadProxy();
    void neverGoesRoundAProxyThatDenies_data();
    void neverGoesRoundAProxyThatDenies();
    void goesDirectlyWhereNoProxySaysSo();
    void refusesAMalformedVariableWithoutDialling();
    void dialsPlainLoopbackDirectly();

private:
    [[nodiscard]] Endpoint endpointOf(const QString &host) const;

    TestAuthority m_authority;
    QTemporaryFile m_trusted;
    std::unique_ptr<TlsPeer> m_provider;
};

void UpstreamProxyTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    clearOutboundEnvironment();
    if (m_trusted.fileName().isEmpty()) {
        QVERIFY(m_trusted.open());
        m_trusted.write(m_authority.pem());
        m_trusted.close();
    }
    qputenv("SSL_CERT_FILE", m_trusted.fileName().toUtf8());
    m_provider = std::make_unique<TlsPeer>(m_authority.issue(QStringLiteral("provider.test")));
}

Endpoint UpstreamProxyTest::endpointOf(const QString &host) const
{
    Endpoint endpoint;
    endpoint.url = m_provider->url(host);
    endpoint.name = "proxied";
    endpoint.key = "sk-secret";
    return endpoint;
}

void UpstreamProxyTest::tunnelsThroughHttpConnect()
{
    ForwardingProxy proxy(m_provider->serverPort());
    qputenv("HTTPS_PROXY", addressOf(proxy));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(QStringLiteral("provider.test")), {});
    QTRY_COMPARE(opened.size(), 1);
    const QByteArray target
        = "CONNECT provider.test:" + QByteArray::number(m_provider->serverPort()) + " HTTP/1.1\r\n";
    QVERIFY2(proxy.asked.startsWith(target), proxy.asked.constData());
    QCOMPARE(fieldOf(proxy.asked, "User-Agent"), QByteArray("headway/" HEADWAY_VERSION));
    QVERIFY(!proxy.asked.contains("sk-secret"));
    socket.sendText("through");
    QTRY_COMPARE(m_provider->frames.size(), std::size_t{1});
    QCOMPARE(m_provider->frames[0].payload, QByteArray("through"));
}

void UpstreamProxyTest::tunnelsThroughSocks5()
{
    ForwardingProxy proxy(m_provider->serverPort());
    qputenv("ALL_PROXY", addressOf(proxy, "socks5://"));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(QStringLiteral("provider.test")), {});
    QTRY_COMPARE(opened.size(), 1);
    // The name is the proxy's to resolve: RFC 1928 section 4, address type 3.
    QVERIFY(proxy.asked.contains(QByteArray("\x05\x01\x00\x03\x0dprovider.test", 18)));
    socket.sendText("through");
    QTRY_COMPARE(m_provider->frames.size(), std::size_t{1});
}

void UpstreamProxyTest::showsItsCredentialsToTheProxyOnly()
{
    ForwardingProxy proxy(m_provider->serverPort());
    proxy.wantedCredentials = QByteArray("user:pa:ss").toBase64();
    QByteArray address = addressOf(proxy);
    qputenv("HTTPS_PROXY", address.replace("127.0.0.1", "user:pa%3Ass@127.0.0.1"));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(QStringLiteral("provider.test")), {});
    QTRY_COMPARE(opened.size(), 1);
    QVERIFY(!m_provider->requestHead.toLower().contains("proxy-authorization"));
}

void UpstreamProxyTest::neverGoesRoundADeadProxy()
{
    m_provider = std::make_unique<TlsPeer>(m_authority.issue(QStringLiteral("localhost")));
    QByteArray address;
    {
        ForwardingProxy dead(1);
        address = addressOf(dead);
    }
    qputenv("HTTPS_PROXY", address);
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpointOf(QStringLiteral("localhost")), {});
    QTRY_COMPARE(failed.size(), 1);
    const QString reason = failed[0][0].toString();
    QVERIFY2(reason.contains(QLatin1String("HTTPS_PROXY"))
                 && reason.contains(QString::fromLatin1(address.mid(7))),
             qPrintable(reason));
    QCOMPARE(m_provider->connections, 0);
}

void UpstreamProxyTest::neverGoesRoundAProxyThatDenies_data()
{
    QTest::addColumn<QByteArray>("denial");
    const auto row = [](const char *status) {
        QTest::newRow(status) << QByteArray("HTTP/1.1 ") + status
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    };
    row("403 Forbidden");
    row("407 Who\r\nProxy-Authenticate: Basic realm=\"x\"");
    row("502 Bad Gateway");
    row("200");
    QTest::newRow("garbage") << QByteArray("garbage\r\n\r\n");
}

void UpstreamProxyTest::neverGoesRoundAProxyThatDenies()
{
    QFETCH(const QByteArray, denial);
    m_provider = std::make_unique<TlsPeer>(m_authority.issue(QStringLiteral("localhost")));
    ForwardingProxy proxy(m_provider->serverPort());
    proxy.denial = denial;
    qputenv("HTTPS_PROXY", addressOf(proxy));
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(QStringLiteral("localhost")), {});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!failed[0][0].toString().isEmpty());
    QVERIFY(proxy.asked.startsWith("CONNECT localhost:"));
    QCOMPARE(m_provider->connections, 0);
    QCOMPARE(opened.size(), 0);
}

void UpstreamProxyTest::goesDirectlyWhereNoProxySaysSo()
{
    m_provider = std::make_unique<TlsPeer>(m_authority.issue(QStringLiteral("localhost")));
    ForwardingProxy proxy(m_provider->serverPort());
    qputenv("HTTPS_PROXY", addressOf(proxy));
    qputenv("NO_PROXY", "example.com, localhost");
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(endpointOf(QStringLiteral("localhost")), {});
    QTRY_COMPARE(opened.size(), 1);
    QCOMPARE(proxy.asked, QByteArray());
}

void UpstreamProxyTest::refusesAMalformedVariableWithoutDialling()
{
    m_provider = std::make_unique<TlsPeer>(m_authority.issue(QStringLiteral("localhost")));
    qputenv("HTTPS_PROXY", "https://user:hunter2@127.0.0.1:1");
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpointOf(QStringLiteral("localhost")), {});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().startsWith(QLatin1String("HTTPS_PROXY cannot be used")));
    QVERIFY(!failed[0][0].toString().contains(QLatin1String("hunter2")));
    QCOMPARE(m_provider->connections, 0);
}

void UpstreamProxyTest::dialsPlainLoopbackDirectly()
{
    ScriptedPeer simulator;
    ForwardingProxy proxy(simulator.port());
    qputenv("HTTPS_PROXY", addressOf(proxy));
    qputenv("ALL_PROXY", addressOf(proxy));
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    socket.open(simulator.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    QCOMPARE(proxy.asked, QByteArray());
}

QTEST_GUILESS_MAIN(UpstreamProxyTest)
#include "tst_upstreamproxy.moc"
