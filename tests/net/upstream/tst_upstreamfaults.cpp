// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that break the protocol, vanish, or say nothing (spec/safety.md, cases B21, B26).
#include "proxy/net/upstream/upstreamsocket.h"
#include "tests/net/upstream/outboundenvironment.h"
#include "tests/net/upstream/scriptedpeer.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace headway::testing;
using headway::net::DialStage;
using headway::net::UpstreamSocket;
using namespace std::chrono_literals;

class UpstreamFaultsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void failsWithASentence_data();
    void failsWithASentence();
    void tellsARefusedConnection();
    void tellsAnUnknownHost();
    void tellsASilentServer();
    void refusesToDialClearTextElsewhere();
    void refusesABadHeaderWithoutDialling();
    void reportsABrokenStream_data();
    void reportsABrokenStream();
    void noticesAResetAtOnce();
    void readsFramesInTheSegmentOfThe101();
    void readsACloseInTheSegmentOfThe101();
    void answersACloseWithItsCode();
    void givesUpOnAServerThatIgnoresOurClose();
    void dropsMessagesAfterOurClose();
    void reportsTheCloseCodeThatArrivesBeforeAReset();
    void abortWhileDiallingFailsOnce();
};

void UpstreamFaultsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    clearOutboundEnvironment();
}

void UpstreamFaultsTest::failsWithASentence_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("says");
    QTest::newRow("garbage") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n")
                             << QStringLiteral("not HTTP/1.1");
    QTest::newRow("101 with a wrong accept")
        << QByteArray("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                      "Connection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n")
        << QStringLiteral("Sec-WebSocket-Accept");
    QTest::newRow("a header bomb") << QByteArray("HTTP/1.1 101 S\r\nX: ") + QByteArray(200000, 'x')
                                   << QStringLiteral("64 KiB");
    QTest::newRow("many headers") << QByteArray("HTTP/1.1 101 S\r\n")
            + QByteArray("X: y\r\n").repeated(50000)
                                  << QStringLiteral("64 KiB");
    QTest::newRow("nothing, then the end") << QByteArray() << QStringLiteral("without an answer");
    QTest::newRow("half a head, then the end")
        << QByteArray("HTTP/1.1 101 Swi") << QStringLiteral("inside the answer");
}

void UpstreamFaultsTest::failsWithASentence()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const QString, says);
    ScriptedPeer peer([&](const QByteArray &) {
        QMetaObject::invokeMethod(
            peer.socket.data(), [&] { peer.socket->disconnectFromHost(); }, Qt::QueuedConnection);
        return answer;
    });
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(failed.size(), 1);
    const QString reason = failed[0][0].toString();
    QVERIFY2(reason.contains(says), qPrintable(reason));
    QVERIFY2(reason.contains(QStringLiteral("127.0.0.1:%1").arg(peer.port())), qPrintable(reason));
    QCOMPARE(failed[0][1].value<DialStage>(),
             answer.isEmpty() ? DialStage::Unanswered : DialStage::Answering);
    QCOMPARE(opened.size() + closed.size(), 0);
}

void UpstreamFaultsTest::tellsARefusedConnection()
{
    ScriptedPeer peer;
    const auto endpoint = peer.endpoint();
    peer.stopListening();
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpoint, {});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][0].toString().contains(QLatin1String("refused the connection")),
             qPrintable(failed[0][0].toString()));
    QCOMPARE(failed[0][1].value<DialStage>(), DialStage::Connecting);
}

void UpstreamFaultsTest::tellsAnUnknownHost()
{
    headway::net::Endpoint endpoint;
    endpoint.url = QUrl(QStringLiteral("wss://nowhere.invalid/v1/responses")); // RFC 6761
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpoint, {});
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20000);
    QCOMPARE(failed[0][0].toString(), QStringLiteral("could not resolve host nowhere.invalid"));
}

void UpstreamFaultsTest::tellsASilentServer()
{
    ScriptedPeer peer([](const QByteArray &) { return QByteArray(); });
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    QElapsedTimer elapsed;
    elapsed.start();
    socket.open(peer.endpoint(), {}, 250ms);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(elapsed.elapsed() >= 240);
    QVERIFY2(failed[0][0].toString().contains(QLatin1String("within 0.25 s")),
             qPrintable(failed[0][0].toString()));
    QCOMPARE(failed[0][1].value<DialStage>(), DialStage::Unanswered);
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
}

void UpstreamFaultsTest::refusesToDialClearTextElsewhere()
{
    headway::net::Endpoint endpoint;
    endpoint.url = QUrl(QStringLiteral("ws://192.0.2.1/"));
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(endpoint, {});
    QCOMPARE(failed.size(), 0); // never from within the call
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().contains(QLatin1String("not dialled")));
}

void UpstreamFaultsTest::refusesABadHeaderWithoutDialling()
{
    ScriptedPeer peer;
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(peer.endpoint(), {{"X", "a\r\nY: secret"}});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!failed[0][0].toString().contains(QLatin1String("secret")));
    QCOMPARE(peer.connections, 0);
}

void UpstreamFaultsTest::reportsABrokenStream_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::newRow("bad UTF-8") << frame(Text, "\xff\xfe") << 1007;
    QTest::newRow("masked") << QByteArray::fromHex("818537fa213d7f9f4d5158") << 1002;
    QTest::newRow("compressed, though not offered") << frame(Text, "x", 0xc0) << 1002;
    QTest::newRow("binary") << frame(Binary, "x") << 1003;
    QTest::newRow("33 MiB by its claim")
        << QByteArray::fromHex("817f0000000002100000") + QByteArray(100, 'x') << 1009;
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 200 OK\r\n\r\n") << 1002;
}

void UpstreamFaultsTest::reportsABrokenStream()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, code);
    ScriptedPeer peer;
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    int messages = 0;
    connect(&socket, &UpstreamSocket::received, this, [&] { ++messages; });
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    peer.socket->write(frame(Text, "good") + bytes + frame(Text, "after"));
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), code);
    QVERIFY(!closed[0][1].toString().isEmpty());
    QCOMPARE(messages, 1);
    QVERIFY(!socket.isOpen());
    // The server is told, too.
    QTRY_VERIFY(!peer.frames.empty());
    QCOMPARE(peer.frames[0].opcode, Close);
    QVERIFY(peer.frames[0].masked);
    QCOMPARE(peer.frames[0].payload, closeFrame(code).mid(2));
}

void UpstreamFaultsTest::noticesAResetAtOnce()
{
    for (const bool midFrame : {false, true}) {
        ScriptedPeer peer;
        UpstreamSocket socket;
        QSignalSpy opened(&socket, &UpstreamSocket::opened);
        QSignalSpy closed(&socket, &UpstreamSocket::closed);
        socket.open(peer.endpoint(), {});
        QTRY_COMPARE(opened.size(), 1);
        if (midFrame) {
            QSignalSpy seen(&socket, &UpstreamSocket::seen);
            peer.socket->write(frame(Text, QByteArray(1000, 'x')).left(500));
            QTRY_COMPARE(seen.size(), 1);
        }
        peer.reset();
        QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 1000);
        QCOMPARE(closed[0][0].toInt(), 1006);
        QVERIFY2(closed[0][1].toString().startsWith(QLatin1String("the connection was lost")),
                 qPrintable(closed[0][1].toString()));
    }
}

void UpstreamFaultsTest::readsFramesInTheSegmentOfThe101()
{
    ScriptedPeer peer([](const QByteArray &head) -> QByteArray {
        return switchingProtocols(head) + frame(Text, "one") + frame(Text, "two")
            + frame(Text, "three").left(4);
    });
    UpstreamSocket socket;
    QStringList order;
    connect(&socket, &UpstreamSocket::opened, this, [&] { order += QStringLiteral("opened"); });
    connect(&socket, &UpstreamSocket::received, this, [&](std::string_view text) {
        order += QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    });
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(order.size(), 3);
    peer.socket->write(frame(Text, "three").mid(4));
    QTRY_COMPARE(order.size(), 4);
    QCOMPARE(order.join(u' '), QStringLiteral("opened one two three"));
}

void UpstreamFaultsTest::readsACloseInTheSegmentOfThe101()
{
    ScriptedPeer peer([](const QByteArray &head) -> QByteArray {
        return switchingProtocols(head) + closeFrame(1013, "try later");
    });
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1013);
    QCOMPARE(closed[0][1].toString(), QStringLiteral("try later"));
}

void UpstreamFaultsTest::answersACloseWithItsCode()
{
    for (const QByteArray &bytes : {closeFrame(1001), frame(Close, "")}) {
        ScriptedPeer peer;
        UpstreamSocket socket;
        QSignalSpy opened(&socket, &UpstreamSocket::opened);
        QSignalSpy closed(&socket, &UpstreamSocket::closed);
        socket.open(peer.endpoint(), {});
        QTRY_COMPARE(opened.size(), 1);
        peer.socket->write(bytes);
        QTRY_VERIFY(!peer.frames.empty());
        QCOMPARE(peer.frames[0].opcode, Close);
        QCOMPARE(peer.frames[0].payload, bytes.mid(2));
        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed[0][0].toInt(), bytes.size() > 2 ? 1001 : 1005);
        // TCP is the server's to end; then nothing more is said.
        peer.socket->disconnectFromHost();
        QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
        QCOMPARE(closed.size(), 1);
    }
}

void UpstreamFaultsTest::givesUpOnAServerThatIgnoresOurClose()
{
    ScriptedPeer peer;
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    socket.close(1000);
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 10000);
    QCOMPARE(closed[0][0].toInt(), 1006);
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(peer.frames.size(), std::size_t{1});
    QCOMPARE(peer.frames[0].payload, closeFrame(1000).mid(2));
}

void UpstreamFaultsTest::dropsMessagesAfterOurClose()
{
    ScriptedPeer peer;
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    int messages = 0;
    connect(&socket, &UpstreamSocket::received, this, [&] { ++messages; });
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    socket.close(1000);
    peer.socket->write(frame(Text, "late") + closeFrame(1000));
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1000);
    QCOMPARE(messages, 0);
}

void UpstreamFaultsTest::reportsTheCloseCodeThatArrivesBeforeAReset()
{
    ScriptedPeer peer;
    UpstreamSocket socket;
    QSignalSpy opened(&socket, &UpstreamSocket::opened);
    QSignalSpy closed(&socket, &UpstreamSocket::closed);
    socket.open(peer.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    peer.socket->write(frame(Text, "last words") + closeFrame(1012));
    peer.socket->flush();
    peer.socket->disconnectFromHost();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].toInt(), 1012);
}

void UpstreamFaultsTest::abortWhileDiallingFailsOnce()
{
    ScriptedPeer peer([](const QByteArray &) { return QByteArray(); });
    UpstreamSocket socket;
    QSignalSpy failed(&socket, &UpstreamSocket::failed);
    socket.open(peer.endpoint(), {}, 200ms);
    QTRY_VERIFY(!peer.requestHead.isEmpty());
    socket.abort();
    socket.abort();
    QCOMPARE(failed.size(), 0);
    QTRY_COMPARE(failed.size(), 1);
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(failed.size(), 1);
}

QTEST_GUILESS_MAIN(UpstreamFaultsTest)
#include "tst_upstreamfaults.moc"
