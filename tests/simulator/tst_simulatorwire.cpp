// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/httpmessage.h"
#include "proxy/simulator/retryrule.h"
#include "proxy/simulator/ssereader.h"
#include "proxy/simulator/websocketframes.h"

#include <QTest>

using namespace headway::simulator;
using headway::base::Milliseconds;
using headway::base::Random;

// The small readers under the sockets, fed byte by byte; and the retry rule.
class SimulatorWireTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheMaskedExampleOfTheRfc();
    void joinsFragmentsAroundAPing();
    void frameErrors_data();
    void frameErrors();
    void encodesEveryLengthForm();
    void chunkedBodyByteByByte();
    void lengthBodyLeavesTheNextMessage();
    void malformedBodies();
    void eventsOverAnyCut();
    void retryDelays_data();
    void retryDelays();
};

void SimulatorWireTest::readsTheMaskedExampleOfTheRfc()
{
    // RFC 6455 section 5.7: a masked "Hello".
    const QByteArray bytes = QByteArray::fromHex("818537fa213d7f9f4d5158");
    FrameReader reader(1024);
    for (const char byte : bytes.chopped(1)) {
        reader.append(QByteArrayView(&byte, 1));
        QVERIFY(!reader.next());
    }
    reader.append(bytes.last(1));
    const auto message = reader.next();
    QVERIFY(message);
    QCOMPARE(message->opcode, Opcode::Text);
    QCOMPARE(message->payload, QByteArray("Hello"));
}

void SimulatorWireTest::joinsFragmentsAroundAPing()
{
    // Mask of zeros. "Hel" (not final), ping "p", "lo" (final).
    FrameReader reader(1024);
    reader.append(QByteArray::fromHex("01830000000048656c"
                                      "89810000000070"
                                      "8082000000006c6f"));
    const auto ping = reader.next();
    QVERIFY(ping && ping->opcode == Opcode::Ping);
    QCOMPARE(ping->payload, QByteArray("p"));
    const auto message = reader.next();
    QVERIFY(message && message->opcode == Opcode::Text);
    QCOMPARE(message->payload, QByteArray("Hello"));
}

void SimulatorWireTest::frameErrors_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::newRow("unmasked") << QByteArray::fromHex("810161") << 1002;
    QTest::newRow("reserved bit") << QByteArray::fromHex("c1810000000061") << 1002;
    QTest::newRow("unknown opcode") << QByteArray::fromHex("83810000000061") << 1002;
    QTest::newRow("fragmented ping") << QByteArray::fromHex("09810000000061") << 1002;
    QTest::newRow("continuation of nothing") << QByteArray::fromHex("80810000000061") << 1002;
    QTest::newRow("text in the middle of a text")
        << QByteArray::fromHex("0181000000006181810000000061") << 1002;
    QTest::newRow("too big") << QByteArray::fromHex("81fe040100000000") << 1009;
    QTest::newRow("enormous") << QByteArray::fromHex("81ffffffffffffffffff00000000") << 1009;
}

void SimulatorWireTest::frameErrors()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, code);
    FrameReader reader(1024);
    reader.append(bytes);
    QVERIFY(!reader.next());
    QVERIFY(reader.error());
    QCOMPARE(static_cast<int>(reader.error()->closeCode), code);
}

void SimulatorWireTest::encodesEveryLengthForm()
{
    QCOMPARE(encodeFrame(Opcode::Text, "Hello").toHex(),
             QByteArray("810548656c6c6f")); // RFC 6455 5.7
    QCOMPARE(encodeFrame(Opcode::Binary, QByteArray(256, 'x')).left(4).toHex(),
             QByteArray("827e0100"));
    QCOMPARE(encodeFrame(Opcode::Binary, QByteArray(65536, 'x')).left(10).toHex(),
             QByteArray("827f0000000000010000"));
    QCOMPARE(encodeClose(1001, "x").toHex(), QByteArray("880303e978"));
}

void SimulatorWireTest::chunkedBodyByteByByte()
{
    QByteArray buffer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const auto head = takeHead(buffer);
    QVERIFY(head && *head);
    QCOMPARE((*head)->header("transfer-encoding"), QByteArray("chunked"));
    auto reader = BodyReader::of(**head, true);
    QVERIFY(reader);
    QByteArray body;
    const QByteArray wire = "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\n\r\nNEXT";
    for (const char byte : wire) {
        buffer.append(byte);
        const auto bytes = reader->take(buffer);
        QVERIFY(bytes);
        body += *bytes;
    }
    QVERIFY(reader->complete());
    QCOMPARE(body, QByteArray("hello world"));
    QCOMPARE(buffer, QByteArray("NEXT"));
}

void SimulatorWireTest::lengthBodyLeavesTheNextMessage()
{
    QByteArray buffer = "POST /x HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET";
    const auto head = takeHead(buffer);
    QVERIFY(head && *head);
    QCOMPARE((*head)->startLine, (QByteArrayList{"POST", "/x", "HTTP/1.1"}));
    auto reader = BodyReader::of(**head, false);
    QVERIFY(reader);
    QCOMPARE(*reader->take(buffer), QByteArray("abc"));
    QVERIFY(reader->complete());
    QCOMPARE(buffer, QByteArray("GET"));
}

void SimulatorWireTest::malformedBodies()
{
    QByteArray buffer = "POST /x HTTP/1.1\r\ncontent-length: -3\r\n\r\n";
    QVERIFY(!BodyReader::of(**takeHead(buffer), false));
    buffer = "POST /x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n";
    auto reader = BodyReader::of(**takeHead(buffer), false);
    QVERIFY(reader);
    QVERIFY(!reader->take(buffer));
    buffer = QByteArray(300 * 1024, 'x');
    QVERIFY(!takeHead(buffer));
}

void SimulatorWireTest::eventsOverAnyCut()
{
    const QByteArray wire
        = ": comment\n\nevent: a\ndata: 1\ndata: 2\n\ndata:x\r\n\r\nevent: empty\n\n";
    for (qsizetype cut = 0; cut <= wire.size(); ++cut) {
        SseReader reader;
        QList<QByteArray> seen;
        for (const QByteArray &part : {wire.left(cut), wire.mid(cut)}) {
            reader.append(part);
            while (const auto event = reader.next())
                seen.append(event->name + '|' + event->data);
        }
        QCOMPARE(seen, (QList<QByteArray>{"a|1\n2", "|x"}));
    }
}

void SimulatorWireTest::retryDelays_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("overloaded");
    QTest::addColumn<QByteArray>("retryAfter");
    QTest::addColumn<QByteArray>("shouldRetry");
    QTest::addColumn<int>("made");
    QTest::addColumn<int>("lowest"); // ms; −1: given up
    const auto row = [](const char *name, int status, const QByteArray &retryAfter, int made,
                        int lowest, bool overloaded = false, const QByteArray &shouldRetry = {}) {
        QTest::newRow(name) << status << overloaded << retryAfter << shouldRetry << made << lowest;
    };
    // clients.md 1.6
    row("first", 429, {}, 0, 500);
    row("second", 429, {}, 1, 1000);
    row("seventh", 429, {}, 6, 32'000);
    row("capped", 429, {}, 9, 32'000);
    row("eleventh", 429, {}, 10, -1);
    row("connection", 0, {}, 0, 500);
    row("server error", 500, {}, 2, 2000);
    row("retry-after is longer", 503, "5.5", 0, 5500);
    row("retry-after is shorter", 429, "3", 4, 8000);
    row("retry-after 60", 429, "60", 0, 60'000);
    row("retry-after 61", 429, "61", 0, -1);
    row("retry-after 0", 429, "0", 0, 500);
    row("retry-after date", 429, "Wed, 21 Oct 2026 07:28:00 GMT", 0, 500);
    row("overloaded, twice", 529, {}, 1, 1000, true);
    row("overloaded, third", 529, {}, 2, -1, true);
    row("told not to", 429, {}, 0, -1, false, "false");
    row("bad request", 400, {}, 0, -1);
    row("forbidden", 403, {}, 0, -1);
}

void SimulatorWireTest::retryDelays()
{
    QFETCH(const int, status);
    QFETCH(const bool, overloaded);
    QFETCH(const QByteArray, retryAfter);
    QFETCH(const QByteArray, shouldRetry);
    QFETCH(const int, made);
    QFETCH(const int, lowest);
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const auto delay = retryDelay({.status = status,
                                       .overloaded = overloaded,
                                       .retryAfter = retryAfter,
                                       .shouldRetry = shouldRetry},
                                      made, 10, random);
        QCOMPARE(delay.has_value(), lowest >= 0);
        if (!delay)
            return;
        // Never early, up to 25 % late.
        QVERIFY(*delay >= Milliseconds{lowest});
        QVERIFY(*delay <= Milliseconds{lowest + lowest / 4 + 1});
    }
}

QTEST_APPLESS_MAIN(SimulatorWireTest)
#include "tst_simulatorwire.moc"
