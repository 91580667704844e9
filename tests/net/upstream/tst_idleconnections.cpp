// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/httpsexchange.h"
#include "proxy/net/upstream/idleconnections.h"
#include "tests/net/upstream/httppeer.h"
#include "tests/net/upstream/outboundenvironment.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace headway::testing;
using headway::net::HttpsConnection;
using headway::net::HttpsExchange;
using headway::net::IdleConnections;

class IdleConnectionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void givesBackTheOneUsedLast();
    void keepsAuthoritiesApart();
    void dropsWhatThePeerEnds();
    void dropsWhatSpeaksUnasked();
    void dropsTheOldestOfTooMany();

private:
    [[nodiscard]] std::unique_ptr<HttpsConnection> opened(const HttpPeer &peer, std::uint64_t id);
};

void IdleConnectionsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    clearOutboundEnvironment();
}

std::unique_ptr<HttpsConnection> IdleConnectionsTest::opened(const HttpPeer &peer, std::uint64_t id)
{
    HttpsExchange exchange;
    QSignalSpy finished(&exchange, &HttpsExchange::finished);
    exchange.start(peer.endpoint(), {});
    if (!finished.wait())
        qFatal("no answer");
    auto connection = exchange.takeConnection();
    connection->id = id;
    return connection;
}

namespace {

QByteArray empty(const HttpPeer::Request &)
{
    return "HTTP/1.1 204 Nothing\r\n\r\n";
}

} // namespace

void IdleConnectionsTest::givesBackTheOneUsedLast()
{
    HttpPeer peer(empty);
    const QUrl url = peer.endpoint().url;
    IdleConnections idle;
    QVERIFY(idle.take(url) == nullptr);
    idle.keep(url, opened(peer, 1));
    idle.keep(url, opened(peer, 2));
    QCOMPARE(idle.count(url), std::size_t{2});
    QCOMPARE(idle.take(url)->id, std::uint64_t{2});
    QCOMPARE(idle.take(url)->id, std::uint64_t{1});
    QVERIFY(idle.take(url) == nullptr);
}

void IdleConnectionsTest::keepsAuthoritiesApart()
{
    HttpPeer peer(empty);
    HttpPeer other(empty);
    IdleConnections idle;
    idle.keep(peer.endpoint().url, opened(peer, 1));
    QVERIFY(idle.take(other.endpoint().url) == nullptr);
    QUrl secure = peer.endpoint().url;
    secure.setScheme(QStringLiteral("wss"));
    QVERIFY(idle.take(secure) == nullptr);
    QUrl path = peer.endpoint().url;
    path.setPath(QStringLiteral("/other"));
    QVERIFY(idle.take(path) != nullptr);
}

void IdleConnectionsTest::dropsWhatThePeerEnds()
{
    HttpPeer peer(empty);
    const QUrl url = peer.endpoint().url;
    IdleConnections idle;
    QString reason;
    connect(&idle, &IdleConnections::dropped, this,
            [&](const HttpsConnection &, const QString &why) { reason = why; });
    idle.keep(url, opened(peer, 1));
    peer.socket->disconnectFromHost();
    QTRY_COMPARE(idle.count(url), std::size_t{0});
    QCOMPARE(reason, QStringLiteral("peer_closed"));
}

void IdleConnectionsTest::dropsWhatSpeaksUnasked()
{
    HttpPeer peer(empty);
    const QUrl url = peer.endpoint().url;
    IdleConnections idle;
    idle.keep(url, opened(peer, 1));
    peer.socket->write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); // the next one's answer?
    QTRY_COMPARE(idle.count(url), std::size_t{0});
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
}

void IdleConnectionsTest::dropsTheOldestOfTooMany()
{
    HttpPeer peer(empty);
    const QUrl url = peer.endpoint().url;
    IdleConnections idle;
    std::vector<std::uint64_t> gone;
    connect(&idle, &IdleConnections::dropped, this,
            [&](const HttpsConnection &connection) { gone.push_back(connection.id); });
    for (std::uint64_t id = 1; id <= IdleConnections::most + 1; ++id)
        idle.keep(url, opened(peer, id));
    QCOMPARE(idle.count(url), IdleConnections::most);
    QCOMPARE(gone, std::vector<std::uint64_t>{1});
    idle.closeAll(QStringLiteral("stopped"));
    QCOMPARE(idle.count(url), std::size_t{0});
    QCOMPARE(gone.size(), IdleConnections::most + 1);
}

QTEST_GUILESS_MAIN(IdleConnectionsTest)
#include "tst_idleconnections.moc"
