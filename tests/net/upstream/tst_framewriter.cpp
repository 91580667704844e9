// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/framewriter.h"
#include "tests/net/upstream/serverframes.h"

#include <QTest>

using namespace headway::testing;
using headway::net::FrameWriter;

namespace {

std::vector<ClientFrame> framesOf(const std::string &bytes)
{
    QByteArray rest = QByteArray::fromStdString(bytes);
    std::vector<ClientFrame> frames;
    takeFrames(rest, frames);
    if (!rest.isEmpty())
        frames.clear();
    return frames;
}

std::string takeAll(FrameWriter &writer)
{
    std::string out;
    while (writer.hasOutput())
        writer.take(out, out.size() + 1);
    return out;
}

FrameWriter writerWithKey(std::uint32_t key)
{
    return FrameWriter([key] { return key; });
}

} // namespace

class FrameWriterTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesTheExampleOfTheRfc();
    void masksEveryLength();
    void asksForAKeyPerFrame();
    void cutsLongMessagesBetweenCharacters();
    void cutsAnywhereInWhatIsNotUtf8();
    void takesNoMoreThanTheBudgetAndOneFrame();
    void putsControlFramesBetweenFragments();
    void answersOnlyTheLatestPing();
    void dropsTheQueueOnClose();
    void sendsNothingAfterClose();
    void closesWithoutACode();
    void keepsACloseReasonWithin123BytesOfUtf8();
};

void FrameWriterTest::writesTheExampleOfTheRfc()
{
    // RFC 6455 section 5.7: a masked "Hello" with the key 37 fa 21 3d (bytes in memory order).
    FrameWriter writer = writerWithKey(0x3d21fa37U);
    writer.text("Hello");
    QCOMPARE(QByteArray::fromStdString(takeAll(writer)),
             QByteArray::fromHex("818537fa213d7f9f4d5158"));
}

void FrameWriterTest::masksEveryLength()
{
    for (qsizetype size = 0; size < 300; ++size) {
        FrameWriter writer = writerWithKey(0xa1b2c3d4U);
        const QByteArray text = QByteArray(size, 'q');
        writer.text(text.toStdString());
        const auto frames = framesOf(takeAll(writer));
        QCOMPARE(frames.size(), std::size_t{1});
        QVERIFY(frames[0].masked && frames[0].fin);
        QCOMPARE(frames[0].opcode, Text);
        QCOMPARE(frames[0].payload, text);
    }
}

void FrameWriterTest::asksForAKeyPerFrame()
{
    std::uint32_t key = 0;
    FrameWriter writer([&key] { return ++key; });
    writer.text("a");
    writer.ping();
    writer.text(std::string(200000, 'x'));
    QCOMPARE(framesOf(takeAll(writer)).size(), std::size_t{6});
    QCOMPARE(key, 6U);
}

void FrameWriterTest::cutsLongMessagesBetweenCharacters()
{
    for (const QByteArray &character :
         {QByteArray("x"), QByteArray("é"), QByteArray("漢"), QByteArray("🙂")})
    {
        for (qsizetype shift = 0; shift < 4; ++shift) {
            FrameWriter writer = writerWithKey(1);
            const QByteArray text = QByteArray(shift, '.') + character.repeated(100000);
            writer.text(text.toStdString());
            QByteArray sum;
            const auto frames = framesOf(takeAll(writer));
            for (std::size_t i = 0; i < frames.size(); ++i) {
                QCOMPARE(frames[i].opcode, i == 0 ? Text : Continuation);
                QCOMPARE(frames[i].fin, i + 1 == frames.size());
                QVERIFY(frames[i].payload.size() <= 65536);
                QCOMPARE(QString::fromUtf8(frames[i].payload).toUtf8(), frames[i].payload);
                sum += frames[i].payload;
            }
            QCOMPARE(sum, text);
        }
    }
}

void FrameWriterTest::cutsAnywhereInWhatIsNotUtf8()
{
    FrameWriter writer = writerWithKey(1);
    writer.text(std::string(200000, '\x80'));
    QCOMPARE(framesOf(takeAll(writer)).size(), std::size_t{4});
}

void FrameWriterTest::takesNoMoreThanTheBudgetAndOneFrame()
{
    FrameWriter writer = writerWithKey(1);
    writer.text(std::string(1000000, 'x'));
    QCOMPARE(writer.queuedBytes(), std::size_t{1000000});
    std::string out;
    writer.take(out, 100000);
    QCOMPARE(framesOf(out).size(), std::size_t{2});
    QCOMPARE(writer.queuedBytes(), std::size_t{1000000 - 2 * 65536});
    QVERIFY(writer.hasOutput());
}

void FrameWriterTest::putsControlFramesBetweenFragments()
{
    FrameWriter writer = writerWithKey(1);
    writer.text(std::string(150000, 'x'));
    writer.text("next");
    std::string out;
    writer.take(out, 1);
    writer.pong("p");
    writer.ping();
    const auto frames = framesOf(out + takeAll(writer));
    std::vector<int> opcodes;
    for (const ClientFrame &each : frames)
        opcodes.push_back(each.opcode);
    QCOMPARE(opcodes, (std::vector<int>{Text, Pong, Ping, Continuation, Continuation, Text}));
    QCOMPARE(frames[1].payload, QByteArray("p"));
}

void FrameWriterTest::answersOnlyTheLatestPing()
{
    FrameWriter writer = writerWithKey(1);
    for (int i = 0; i < 1000; ++i)
        writer.pong(std::to_string(i));
    const auto frames = framesOf(takeAll(writer));
    QCOMPARE(frames.size(), std::size_t{1});
    QCOMPARE(frames[0].payload, QByteArray("999"));
}

void FrameWriterTest::dropsTheQueueOnClose()
{
    FrameWriter writer = writerWithKey(1);
    writer.text(std::string(150000, 'x'));
    std::string out;
    writer.take(out, 1);
    writer.close(1001, "bye");
    QCOMPARE(writer.queuedBytes(), std::size_t{0});
    const auto frames = framesOf(out + takeAll(writer));
    QCOMPARE(frames.size(), std::size_t{2});
    QCOMPARE(frames[1].opcode, Close);
    QCOMPARE(frames[1].payload,
             QByteArray("\x03\xe9"
                        "bye"));
}

void FrameWriterTest::sendsNothingAfterClose()
{
    FrameWriter writer = writerWithKey(1);
    writer.close(1000);
    writer.close(1001);
    writer.text("x");
    writer.ping();
    writer.pong("x");
    QCOMPARE(framesOf(takeAll(writer)).size(), std::size_t{1});
    writer.text("x");
    writer.ping();
    writer.close(1001);
    QVERIFY(!writer.hasOutput());
}

void FrameWriterTest::closesWithoutACode()
{
    FrameWriter writer = writerWithKey(1);
    writer.close(1005);
    const auto frames = framesOf(takeAll(writer));
    QCOMPARE(frames.size(), std::size_t{1});
    QVERIFY(frames[0].payload.isEmpty());
}

void FrameWriterTest::keepsACloseReasonWithin123BytesOfUtf8()
{
    FrameWriter writer = writerWithKey(1);
    writer.close(1000, std::string(122, 'r') + "漢");
    QCOMPARE(framesOf(takeAll(writer)).at(0).payload.mid(2), QByteArray(122, 'r'));
}

QTEST_APPLESS_MAIN(FrameWriterTest)
#include "tst_framewriter.moc"
