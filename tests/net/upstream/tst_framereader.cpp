// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/framereader.h"
#include "tests/net/upstream/serverframes.h"

#include <QByteArrayList>
#include <QTest>

#include <array>
#include <memory>

using namespace headway::testing;
using headway::net::FrameReader;
using Kind = FrameReader::Kind;

namespace {

constexpr std::size_t limit = 1000;

// What came out, as text: "text:…", "ping:…", "pong:…", "close:CODE:REASON", "broken:CODE".
QByteArrayList readAll(FrameReader &reader)
{
    QByteArrayList events;
    for (;;) {
        const FrameReader::Event event = reader.next();
        const QByteArray payload(event.payload.data(),
                                 static_cast<qsizetype>(event.payload.size()));
        switch (event.kind) {
        case Kind::NeedMore:
            return events;
        case Kind::Text:
            if (event.capacity < event.payload.size() + FrameReader::padding)
                events += "too little padding";
            events += "text:" + payload;
            break;
        case Kind::Ping:
            events += "ping:" + payload;
            break;
        case Kind::Pong:
            events += "pong:" + payload;
            break;
        case Kind::Close:
            events += "close:" + QByteArray::number(event.code) + ":" + event.reason.toUtf8();
            return events;
        case Kind::Broken:
            events += "broken:" + QByteArray::number(event.code);
            return events;
        }
    }
}

QByteArrayList readInPieces(const QByteArray &bytes, qsizetype piece)
{
    FrameReader reader(limit);
    QByteArrayList events;
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        const QByteArray part = bytes.mid(at, piece);
        reader.feed({part.constData(), static_cast<std::size_t>(part.size())});
        events += readAll(reader);
    }
    return events;
}

} // namespace

class FrameReaderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void readsNothingAfterTheEnd();
    void waitsForTheRestOfATruncatedFrame();
    void keepsWhatAPauseLeaves();
    void doesNotAllocateWhatAHeaderClaims();
    void acceptsAMessageOfExactlyTheLimit();
    void keepsTheMessagesOfManyReadersApart();
};

void FrameReaderTest::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArrayList>("events");
    const auto row = [](const char *name, const QByteArray &bytes, const QByteArrayList &events) {
        QTest::newRow(name) << bytes << events;
    };
    const QByteArray big(900, 'x');
    row("RFC 6455 5.7: unmasked Hello", QByteArray::fromHex("810548656c6c6f"), {"text:Hello"});
    row("RFC 6455 5.7: fragmented Hello", QByteArray::fromHex("010348656c80026c6f"),
        {"text:Hello"});
    row("RFC 6455 5.7: masked Hello, which no server may send",
        QByteArray::fromHex("818537fa213d7f9f4d5158"), {"broken:1002"});
    row("empty", frame(Text, ""), {"text:"});
    row("two", frame(Text, "a") + frame(Text, "b"), {"text:a", "text:b"});
    row("16-bit length", frame(Text, big), {"text:" + big});
    row("empty fragments", fragment(Text, "") + fragment(Continuation, "") + frame(0, ""),
        {"text:"});
    row("control frames between fragments",
        fragment(Text, "a") + frame(Ping, "p") + fragment(Continuation, "b") + frame(Pong, "q")
            + frame(Continuation, "c"),
        {"ping:p", "pong:q", "text:abc"});
    row("ping of 125", frame(Ping, QByteArray(125, 'p')), {"ping:" + QByteArray(125, 'p')});
    row("empty ping", frame(Ping, ""), {"ping:"});
    row("a character across fragments", fragment(Text, "\xe6") + frame(0, "\xbc\xa2"), {"text:漢"});
    row("bad UTF-8", frame(Text, "a\xff"), {"broken:1007"});
    row("half a character", frame(Text, "\xe6\xbc"), {"broken:1007"});
    row("a surrogate", frame(Text, "\xed\xa0\x80"), {"broken:1007"});
    row("overlong", frame(Text, "\xc0\xaf"), {"broken:1007"});
    row("good, then bad UTF-8", frame(Text, "a") + frame(Text, "\xff"), {"text:a", "broken:1007"});
    row("binary", frame(Binary, "a"), {"broken:1003"});
    row("RSV1", frame(Text, "a", 0xc0), {"broken:1002"});
    row("RSV2", frame(Text, "a", 0xa0), {"broken:1002"});
    row("RSV3 on a ping", frame(Ping, "", 0x90), {"broken:1002"});
    for (const int opcode : {3, 4, 5, 6, 7, 11, 12, 13, 14, 15})
        row(qPrintable(QStringLiteral("opcode %1").arg(opcode)),
            frame(static_cast<std::uint8_t>(opcode), "a"), {"broken:1002"});
    row("continuation of nothing", frame(Continuation, "a"), {"broken:1002"});
    row("text within a message", fragment(Text, "a") + frame(Text, "b"), {"broken:1002"});
    row("fragmented ping", fragment(Ping, "a"), {"broken:1002"});
    row("ping of 126", frame(Ping, QByteArray(126, 'p')), {"broken:1002"});
    row("length not in its shortest form, 16 bit", QByteArray::fromHex("817e0001") + "a",
        {"broken:1002"});
    row("length not in its shortest form, 64 bit",
        QByteArray::fromHex("817f0000000000000001") + "a", {"broken:1002"});
    row("length with its top bit set", QByteArray::fromHex("817fffffffffffffffff") + "a",
        {"broken:1002"});
    row("too big in one frame", frame(Text, QByteArray(1001, 'x')), {"broken:1009"});
    row("too big by its claim", QByteArray::fromHex("817f7fffffffffffffff") + "a", {"broken:1009"});
    row("too big in sum",
        fragment(Text, QByteArray(600, 'x')) + frame(Continuation, QByteArray(401, 'x')),
        {"broken:1009"});
    row("close without a code", frame(Close, ""), {"close:1005:"});
    row("close 1000", closeFrame(1000), {"close:1000:"});
    row("close with a reason", closeFrame(1011, "because π"), {"close:1011:because π"});
    row("close of one byte", frame(Close, "\x03"), {"broken:1002"});
    row("close with a reason that is not UTF-8", closeFrame(1000, "\xff"), {"broken:1007"});
    for (const int code : {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014,
                           3000, 3999, 4000, 4999})
        row(qPrintable(QStringLiteral("close %1").arg(code)), closeFrame(code),
            {"close:" + QByteArray::number(code) + ":"});
    for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535})
        row(qPrintable(QStringLiteral("close %1 must not be sent").arg(code)), closeFrame(code),
            {"broken:1002"});
}

void FrameReaderTest::reads()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QByteArrayList, events);
    for (const qsizetype piece : {bytes.size(), qsizetype{1}, qsizetype{2}, qsizetype{3}})
        QCOMPARE(readInPieces(bytes, piece), events);
}

void FrameReaderTest::readsNothingAfterTheEnd()
{
    for (const QByteArray &last : {closeFrame(1000), frame(Binary, "x")}) {
        FrameReader reader(limit);
        const QByteArray bytes = last + frame(Text, "late");
        reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        QCOMPARE(readAll(reader).size(), 1);
        QCOMPARE(readAll(reader).size(), 0);
    }
}

void FrameReaderTest::waitsForTheRestOfATruncatedFrame()
{
    const QByteArray whole = frame(Text, QByteArray(300, 'y'));
    for (qsizetype size = 0; size < whole.size(); ++size)
        QCOMPARE(readInPieces(whole.left(size), 64), QByteArrayList());
}

void FrameReaderTest::keepsWhatAPauseLeaves()
{
    FrameReader reader(limit);
    QByteArray bytes;
    for (int i = 0; i < 3000; ++i) // several times wslay's own buffer
        bytes += frame(Text, QByteArray::number(i));
    reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    QCOMPARE(reader.next().payload, std::string_view("0"));
    reader.keepRest();
    bytes.fill('\xff');
    const QByteArray more = frame(Text, "more");
    reader.feed({more.constData(), static_cast<std::size_t>(more.size())});
    for (int i = 1; i < 3000; ++i)
        QCOMPARE(reader.next().payload, std::to_string(i));
    QCOMPARE(reader.next().payload, std::string_view("more"));
    QVERIFY(reader.next().kind == Kind::NeedMore);
}

void FrameReaderTest::doesNotAllocateWhatAHeaderClaims()
{
    FrameReader reader(std::size_t{1} << 40U);
    const QByteArray claim = QByteArray::fromHex("817f0000008000000000") + "a"; // 512 GiB
    reader.feed({claim.constData(), static_cast<std::size_t>(claim.size())});
    QCOMPARE(readAll(reader), QByteArrayList()); // and not std::bad_alloc
}

void FrameReaderTest::acceptsAMessageOfExactlyTheLimit()
{
    QCOMPARE(readInPieces(frame(Text, QByteArray(limit, 'x')), 500),
             QByteArrayList{"text:" + QByteArray(limit, 'x')});
}

void FrameReaderTest::keepsTheMessagesOfManyReadersApart()
{
    // Readers share a spare buffer between messages; never within one.
    std::array<std::unique_ptr<FrameReader>, 5> readers;
    for (auto &reader : readers)
        reader = std::make_unique<FrameReader>(limit);
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < readers.size(); ++i) {
            const QByteArray text(300, static_cast<char>('a' + static_cast<int>(i)));
            const QByteArray start = frame(Text, "whole") + fragment(Text, text);
            readers[i]->feed({start.constData(), static_cast<std::size_t>(start.size())});
            QCOMPARE(readAll(*readers[i]), QByteArrayList{"text:whole"});
        }
        for (std::size_t i = 0; i < readers.size(); ++i) {
            const QByteArray text(301, static_cast<char>('a' + static_cast<int>(i)));
            const QByteArray end = frame(Continuation, text.left(1));
            readers[i]->feed({end.constData(), static_cast<std::size_t>(end.size())});
            QCOMPARE(readAll(*readers[i]), QByteArrayList{"text:" + text});
        }
    }
}

QTEST_APPLESS_MAIN(FrameReaderTest)
#include "tst_framereader.moc"
