// SPDX-License-Identifier: GPL-3.0-or-later
// Back-pressure in both directions (spec/safety.md, "a stalled client is bounded"; case B23).
#include "proxy/net/upstream/upstreamsocket.h"
#include "tests/net/upstream/scriptedpeer.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace headway::testing;
using headway::net::UpstreamSocket;

class UpstreamPressureTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void takesOneBufferAtMostWhilePaused();
    void resumesWithoutNewBytes();
    void tellsTheEndInOrderAfterAPause();
    void canBePausedBeforeItOpens();
    void pausesAndResumesWithinASlot();
    void answersAPingDuringALongWrite();
    void closesPromptlyDuringALongWrite();
    void survivesAPingFlood();
    void countsWhatTheKernelHasNotTaken();

private:
    void connectToPeer();

    std::unique_ptr<ScriptedPeer> m_peer;
    std::unique_ptr<UpstreamSocket> m_socket;
    std::vector<int> m_numbers; // of the messages received, which are numbers
};

void UpstreamPressureTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    m_numbers.clear();
    m_peer = std::make_unique<ScriptedPeer>();
    m_socket = std::make_unique<UpstreamSocket>();
    connect(m_socket.get(), &UpstreamSocket::received, this, [this](std::string_view text) {
        m_numbers.push_back(
            QByteArray(text.data(), static_cast<qsizetype>(text.size())).trimmed().toInt());
    });
}

void UpstreamPressureTest::cleanup()
{
    m_socket.reset();
    m_peer.reset();
}

void UpstreamPressureTest::connectToPeer()
{
    QSignalSpy opened(m_socket.get(), &UpstreamSocket::opened);
    m_socket->open(m_peer->endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
}

void UpstreamPressureTest::takesOneBufferAtMostWhilePaused()
{
    connectToPeer();
    constexpr int count = 40000; // of 1 KiB: more than both kernel buffers hold
    connect(m_socket.get(), &UpstreamSocket::received, this, [this] {
        if (m_numbers.size() == 1)
            m_socket->setReadingPaused(true);
    });
    const std::uint64_t before = m_socket->bytesDown();
    for (int i = 0; i < count; ++i)
        m_peer->socket->write(frame(Text, QByteArray::number(i).rightJustified(1024, ' ')));
    QTRY_COMPARE(m_numbers.size(), std::size_t{1});
    // Turn the loop until the server is stuck: nothing leaves it any more.
    qint64 left = -1;
    while (left != m_peer->socket->bytesToWrite()) {
        left = m_peer->socket->bytesToWrite();
        for (int i = 0; i < 100; ++i)
            QCoreApplication::processEvents();
    }
    QVERIFY(left > 0);
    QCOMPARE(m_numbers.size(), std::size_t{1});
    QVERIFY(m_socket->bytesDown() - before <= 65536);
    m_socket->setReadingPaused(false);
    QCOMPARE(m_numbers.size(), std::size_t{1}); // never from within the call
    QTRY_COMPARE_WITH_TIMEOUT(m_numbers.size(), std::size_t{count}, 20000);
    for (int i = 0; i < count; ++i)
        QCOMPARE(m_numbers[static_cast<std::size_t>(i)], i);
}

void UpstreamPressureTest::resumesWithoutNewBytes()
{
    connectToPeer();
    connect(m_socket.get(), &UpstreamSocket::received, this,
            [this] { m_socket->setReadingPaused(true); });
    QByteArray all;
    for (int i = 0; i < 10; ++i)
        all += frame(Text, QByteArray::number(i));
    m_peer->socket->write(all);
    for (std::size_t i = 1; i <= 10; ++i) {
        QTRY_COMPARE(m_numbers.size(), i);
        m_socket->setReadingPaused(false);
    }
    QCOMPARE(m_numbers, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

void UpstreamPressureTest::tellsTheEndInOrderAfterAPause()
{
    connectToPeer();
    QSignalSpy closed(m_socket.get(), &UpstreamSocket::closed);
    connect(m_socket.get(), &UpstreamSocket::received, this,
            [this] { m_socket->setReadingPaused(m_numbers.size() == 1); });
    m_peer->socket->write(frame(Text, "1") + frame(Text, "2") + frame(Text, "3"));
    QTRY_COMPARE(m_numbers.size(), std::size_t{1});
    m_peer->socket->disconnectFromHost();
    QTRY_VERIFY(!m_peer->socket || m_peer->socket->state() != QAbstractSocket::ConnectedState);
    QCOMPARE(closed.size(), 0);
    m_socket->setReadingPaused(false);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(m_numbers, (std::vector<int>{1, 2, 3}));
    QCOMPARE(closed[0][0].toInt(), 1006);
}

void UpstreamPressureTest::canBePausedBeforeItOpens()
{
    m_socket->setReadingPaused(true);
    ScriptedPeer eager([](const QByteArray &head) -> QByteArray {
        return switchingProtocols(head) + frame(Text, "7");
    });
    QSignalSpy opened(m_socket.get(), &UpstreamSocket::opened);
    m_socket->open(eager.endpoint(), {});
    QTRY_COMPARE(opened.size(), 1);
    QVERIFY(m_numbers.empty());
    m_socket->setReadingPaused(false);
    QTRY_COMPARE(m_numbers, std::vector<int>{7});
}

void UpstreamPressureTest::pausesAndResumesWithinASlot()
{
    connectToPeer();
    connect(m_socket.get(), &UpstreamSocket::received, this, [this] {
        m_socket->setReadingPaused(true);
        m_socket->setReadingPaused(false);
    });
    QByteArray all;
    for (int i = 0; i < 1000; ++i)
        all += frame(Text, QByteArray::number(i));
    m_peer->socket->write(all);
    QTRY_COMPARE(m_numbers.size(), std::size_t{1000});
    QVERIFY(std::is_sorted(m_numbers.begin(), m_numbers.end()));
}

void UpstreamPressureTest::answersAPingDuringALongWrite()
{
    connectToPeer();
    m_peer->reading = false;
    m_peer->socket->setReadBufferSize(65536); // a slow link: the server takes nothing for now
    const std::string big(20000000, 'b');
    m_socket->sendText(big);
    QVERIFY(m_socket->buffered() > 0);
    QSignalSpy seen(m_socket.get(), &UpstreamSocket::seen);
    m_peer->socket->write(frame(Ping, "are you there"));
    QTRY_VERIFY(!seen.isEmpty());

    m_peer->reading = true;
    m_peer->socket->setReadBufferSize(0);
    Q_EMIT m_peer->socket->readyRead();
    const auto complete = [this] {
        return std::any_of(m_peer->frames.begin(), m_peer->frames.end(), [](const auto &each) {
            return each.fin && (each.opcode == Continuation || each.opcode == Text);
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(complete(), 20000);
    const auto pong = std::find_if(m_peer->frames.begin(), m_peer->frames.end(),
                                   [](const auto &each) { return each.opcode == Pong; });
    QVERIFY(pong != m_peer->frames.end());
    QCOMPARE(pong->payload, QByteArray("are you there"));
    QVERIFY(pong + 1 != m_peer->frames.end()); // not behind the message
    QByteArray sum;
    for (const ClientFrame &each : m_peer->frames) {
        if (each.opcode != Pong)
            sum += each.payload;
    }
    QVERIFY(sum == QByteArray::fromStdString(big));
    QCOMPARE(m_socket->buffered(), std::size_t{0});
}

void UpstreamPressureTest::closesPromptlyDuringALongWrite()
{
    connectToPeer();
    m_peer->reading = false;
    m_peer->socket->setReadBufferSize(65536);
    m_socket->sendText(std::string(20000000, 'b'));
    m_socket->close(1001);
    QVERIFY(m_socket->buffered() <= 512 * 1024);
    m_peer->reading = true;
    m_peer->socket->setReadBufferSize(0);
    Q_EMIT m_peer->socket->readyRead();
    QTRY_VERIFY_WITH_TIMEOUT(!m_peer->frames.empty() && m_peer->frames.back().opcode == Close,
                             20000);
    QVERIFY(std::none_of(m_peer->frames.begin(), m_peer->frames.end(),
                         [](const ClientFrame &each) { return each.opcode != Close && each.fin; }));
}

void UpstreamPressureTest::survivesAPingFlood()
{
    connectToPeer();
    m_peer->reading = false; // it never reads the pongs
    m_peer->socket->setReadBufferSize(1024);
    const QByteArray ping = frame(Ping, QByteArray(125, 'p'));
    m_peer->socket->write(ping.repeated(200000) + frame(Text, "1"));
    QTRY_COMPARE_WITH_TIMEOUT(m_numbers.size(), std::size_t{1}, 20000);
    QVERIFY(m_socket->buffered() <= 512 * 1024);
}

void UpstreamPressureTest::countsWhatTheKernelHasNotTaken()
{
    connectToPeer();
    m_peer->reading = false;
    m_peer->socket->setReadBufferSize(65536);
    QCOMPARE(m_socket->buffered(), std::size_t{0});
    constexpr std::size_t size = 40000000;
    m_socket->sendText(std::string(size, 'b'));
    const std::size_t stuck = m_socket->buffered();
    QVERIFY(stuck > size / 2 && stuck <= size + 65536);
    m_socket->sendText("more");
    QCOMPARE(m_socket->buffered(), stuck + 4);
}

QTEST_GUILESS_MAIN(UpstreamPressureTest)
#include "tst_upstreampressure.moc"
