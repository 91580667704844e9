// SPDX-License-Identifier: GPL-3.0-or-later
// WHATWG HTML section 9.2.6, and what spec/safety.md asks of input from upstream.
#include "proxy/core/dialects/eventstream.h"

#include <QList>
#include <QPair>
#include <QTest>

using headway::dialects::EventStreamReader;

using Events = QList<QPair<QByteArray, QByteArray>>; // name, data

Q_DECLARE_METATYPE(Events)

namespace {

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

Events readInPieces(const QByteArray &stream, qsizetype piece)
{
    EventStreamReader reader;
    Events events;
    for (qsizetype at = 0; at < stream.size(); at += piece) {
        const QByteArray part = stream.mid(at, piece);
        std::string_view bytes(part.constData(), static_cast<std::size_t>(part.size()));
        while (const auto event = reader.next(bytes)) {
            events.append({bytesOf(event->name), bytesOf(event->data)});
            if (event->capacity < event->data.size() + 64)
                qFatal("no room behind the event");
        }
        if (!bytes.empty())
            qFatal("bytes were left");
    }
    return events;
}

} // namespace

class EventStreamTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void readsALongEventInAnyPieces();
    void stopsAtALargerEventThanAllowed();
    void allowsExactlyTheLimit();
    void leavesWhatFollowsAnEventToTheCaller();
};

void EventStreamTest::reads_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<Events>("events");
    const auto row = [](const char *name, const QByteArray &stream, const Events &events) {
        QTest::newRow(name) << stream << events;
    };
    row("name and data", "event: a\ndata: {\"x\":1}\n\n", {{"a", "{\"x\":1}"}});
    row("data alone", "data: 1\n\n", {{"", "1"}});
    row("no blank behind the colon", "data:1\nevent:b\n\n", {{"b", "1"}});
    row("only one blank is taken", "data:  1\n\n", {{"", " 1"}});
    row("CR LF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", {{"a", "1"}, {"", "2"}});
    row("CR alone", "event: a\rdata: 1\r\rdata: 2\r\r", {{"a", "1"}, {"", "2"}});
    row("mixed line ends", "data: 1\n\r\ndata: 2\r\n\n", {{"", "1"}, {"", "2"}});
    row("several data lines", "data: a\ndata: b\ndata\n\n", {{"", "a\nb\n"}});
    row("comments", ": hello\n\n:\ndata: 1\n: x\n\n", {{"", "1"}});
    row("other fields", "id: 7\nretry: 10\ndatab: 9\ndat: 8\nfoo\ndata: 1\n\n", {{"", "1"}});
    row("a long unknown field", "dataXdataXdataXdataX: 9\ndata: 1\n\n", {{"", "1"}});
    row("an event without data", "event: a\n\ndata: 1\n\n", {{"", "1"}});
    row("the last name counts", "event: a\nevent: b\ndata: 1\n\n", {{"b", "1"}});
    row("an empty data line", "data:\n\n", {{"", ""}});
    row("the end cuts off an event", "data: 1\n\ndata: 2\n", {{"", "1"}});
    row("a byte order mark",
        "\xef\xbb\xbf"
        "data: 1\n\n",
        {{"", "1"}});
    row("half a byte order mark",
        "\xef\xbb"
        "data: 0\ndata: 1\n\n",
        {{"", "1"}});
    row("colons in the data", "data: a: b: c\n\n", {{"", "a: b: c"}});
    row("UTF-8", "data: \xe2\x82\xac \xf0\x9f\x98\x80\n\n",
        {{"", "\xe2\x82\xac \xf0\x9f\x98\x80"}});
    row("nothing", "", {});
    row("blank lines", "\n\n\r\n\r\r", {});
}

void EventStreamTest::reads()
{
    QFETCH(const QByteArray, stream);
    QFETCH(const Events, events);
    for (const qsizetype piece : {qsizetype{1}, qsizetype{2}, qsizetype{5}, qsizetype{1000}})
        QCOMPARE(readInPieces(stream, piece), events);
}

void EventStreamTest::readsALongEventInAnyPieces()
{
    const QByteArray data = QByteArray("0123456789").repeated(50000);
    const QByteArray stream = "event: a\ndata: " + data + "\n\ndata: next\n\n";
    const Events events{{"a", data}, {"", "next"}};
    for (const qsizetype piece : {qsizetype{1}, qsizetype{4096}, stream.size()})
        QVERIFY(readInPieces(stream, piece) == events);
}

void EventStreamTest::stopsAtALargerEventThanAllowed()
{
    EventStreamReader reader(10);
    std::string_view bytes = "data: 01234\ndata: 56789\n\ndata: x\n\n"; // 11 with the line feed
    QVERIFY(!reader.next(bytes));
    QVERIFY(reader.isTooLarge());
    QVERIFY(!reader.next(bytes));
}

void EventStreamTest::allowsExactlyTheLimit()
{
    EventStreamReader reader(10);
    std::string_view bytes = "data: 0123\ndata: 56789\n\n";
    const auto event = reader.next(bytes);
    QVERIFY(event);
    QCOMPARE(bytesOf(event->data), QByteArray("0123\n56789"));
    QVERIFY(!reader.isTooLarge());
}

void EventStreamTest::leavesWhatFollowsAnEventToTheCaller()
{
    EventStreamReader reader;
    std::string_view bytes = "data: 1\n\ndata: 2\n\n";
    QVERIFY(reader.next(bytes));
    QCOMPARE(bytesOf(bytes), QByteArray("data: 2\n\n"));
}

QTEST_APPLESS_MAIN(EventStreamTest)
#include "tst_eventstream.moc"
