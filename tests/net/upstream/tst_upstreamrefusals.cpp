// SPDX-License-Identifier: GPL-3.0-or-later
// What a provider says instead of 101 must be seen whole (cases B02, B13, B14).
#include "proxy/net/upstream/upstreamsocket.h"
#include "tests/net/upstream/scriptedpeer.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <optional>

using namespace headway::testing;
using headway::net::UpgradeReply;
using headway::net::UpstreamSocket;
using namespace std::chrono_literals;

class UpstreamRefusalsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void showsStatusHeadersAndBody_data();
    void showsStatusHeadersAndBody();
    void doesNotFollowARedirect();
    void countsARefusalWhoseBodyNeverEnds();
    void countsARefusalThatEndsWithAReset();
    void sendsNothingToARefusedSocket();
};

void UpstreamRefusalsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
}

void UpstreamRefusalsTest::showsStatusHeadersAndBody_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("401") << QByteArray("HTTP/1.1 401 Unauthorized\r\nContent-Length: 28\r\n"
                                       "WWW-Authenticate: Bearer\r\n\r\n"
                                       "{\"error\":{\"code\":\"expired\"}}")
                         << 401 << QByteArray("www-authenticate") << QByteArray("Bearer")
                         << QByteArray("{\"error\":{\"code\":\"expired\"}}");
    QTest::newRow("403 without a body")
        << QByteArray("HTTP/1.1 403 Forbidden\r\nCF-Ray: 8a1-FRA\r\nContent-Length: 0\r\n\r\n")
        << 403 << QByteArray("cf-ray") << QByteArray("8a1-FRA") << QByteArray();
    QTest::newRow("429") << QByteArray("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\n"
                                       "Transfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n0\r\n\r\n")
                         << 429 << QByteArray("retry-after") << QByteArray("7")
                         << QByteArray("slow");
    QTest::newRow("503 until the end")
        << QByteArray("HTTP/1.1 503 Busy\r\nConnection: close\r\nX-Request-Id: r1\r\n\r\nbusy")
        << 503 << QByteArray("x-request-id") << QByteArray("r1") << QByteArray("busy");
    QTest::newRow("426") << QByteArray("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n")
                         << 426 << QByteArray("content-length") << QByteArray("0") << QByteArray();
}

void UpstreamRefusalsTest::showsStatusHeadersAndBody()
{
    QFETCH(const QByteArray, answer);
    ScriptedPeer peer([&](const QByteArray &) {
        if (answer.contains("Connection: close"))
            QMetaObject::invokeMethod(
                peer.socket.data(), [&] { peer.socket->disconnectFromHost(); },
                Qt::QueuedConnection);
        return answer;
    });
    UpstreamSocket socket;
    std::optional<UpgradeReply> reply;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    connect(&socket, &UpstreamSocket::rejected, this,
            [&](const UpgradeReply &answered) { reply = answered; });
    socket.open(peer.endpoint(), {});
    QTRY_VERIFY(reply.has_value());
    QTEST(reply->status, "status");
    QFETCH(const QByteArray, header);
    QTEST(QByteArray::fromStdString(std::string(reply->header(header.toStdString()))), "value");
    QTEST(QByteArray::fromStdString(reply->body), "body");
    QVERIFY(!socket.isOpen());
    QCOMPARE(failed.size(), 0);
    QCOMPARE(opened.size(), 0);
}

void UpstreamRefusalsTest::doesNotFollowARedirect()
{
    ScriptedPeer elsewhere;
    ScriptedPeer peer([&](const QByteArray &) -> QByteArray {
        return "HTTP/1.1 307 Elsewhere\r\nLocation: ws://127.0.0.1:"
            + QByteArray::number(elsewhere.port()) + "/\r\nContent-Length: 0\r\n\r\n";
    });
    UpstreamSocket socket;
    QSignalSpy rejected(&socket, &UpstreamSocket::rejected);
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(rejected.size(), 1);
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(elsewhere.connections, 0);
}

void UpstreamRefusalsTest::countsARefusalWhoseBodyNeverEnds()
{
    ScriptedPeer peer([](const QByteArray &) {
        return QByteArray("HTTP/1.1 429 Slow\r\nContent-Length: 100\r\n\r\nhalf");
    });
    UpstreamSocket socket;
    std::optional<UpgradeReply> reply;
    connect(&socket, &UpstreamSocket::rejected, this,
            [&](const UpgradeReply &answered) { reply = answered; });
    socket.open(peer.endpoint(), {}, 300ms);
    QTRY_VERIFY(reply.has_value());
    QCOMPARE(reply->status, 429);
    QCOMPARE(reply->body, std::string("half"));
}

void UpstreamRefusalsTest::countsARefusalThatEndsWithAReset()
{
    ScriptedPeer peer([](const QByteArray &) {
        return QByteArray("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nhalf");
    });
    UpstreamSocket socket;
    std::optional<UpgradeReply> reply;
    connect(&socket, &UpstreamSocket::seen, this, [&] { peer.reset(); });
    connect(&socket, &UpstreamSocket::rejected, this,
            [&](const UpgradeReply &answered) { reply = answered; });
    socket.open(peer.endpoint(), {});
    QTRY_VERIFY(reply.has_value());
    QCOMPARE(reply->status, 503);
}

void UpstreamRefusalsTest::sendsNothingToARefusedSocket()
{
    ScriptedPeer peer([](const QByteArray &) {
        return QByteArray("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
    });
    UpstreamSocket socket;
    QSignalSpy rejected(&socket, &UpstreamSocket::rejected);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    socket.open(peer.endpoint(), {});
    socket.sendText("too early");
    QTRY_COMPARE(rejected.size(), 1);
    socket.sendText("too late");
    socket.ping();
    socket.close(1000);
    socket.abort();
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(peer.received, QByteArray());
    QVERIFY(peer.frames.empty());
    QCOMPARE(closed.size(), 0);
    QCOMPARE(rejected.size(), 1);
}

QTEST_GUILESS_MAIN(UpstreamRefusalsTest)
#include "tst_upstreamrefusals.moc"
