// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/errortext.h"
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

#include <zlib.h>
#include <zstd.h>

using namespace headway::net;

namespace {

// windowBits: 31 gzip, 15 zlib, -15 raw deflate.
QByteArray zlibCoded(const QByteArray &plain, int windowBits)
{
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(plain.size()))),
                   '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(plain.constData()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

QByteArray zstdCoded(const QByteArray &plain)
{
    QByteArray out(
        static_cast<qsizetype>(ZSTD_compressBound(static_cast<std::size_t>(plain.size()))), '\0');
    out.truncate(static_cast<qsizetype>(
        ZSTD_compress(out.data(), static_cast<std::size_t>(out.size()), plain.constData(),
                      static_cast<std::size_t>(plain.size()), 3)));
    return out;
}

QByteArray zstdWithWindow(int windowLog)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog);
    const QByteArray plain(100000, 'w');
    QByteArray out(200000, '\0');
    ZSTD_inBuffer in{plain.constData(), static_cast<std::size_t>(plain.size()), 0};
    ZSTD_outBuffer to{out.data(), static_cast<std::size_t>(out.size()), 0};
    ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue); // the size is not known yet
    ZSTD_compressStream2(context, &to, &in, ZSTD_e_end);
    ZSTD_freeCCtx(context);
    out.truncate(static_cast<qsizetype>(to.pos));
    return out;
}

QByteArray sample()
{
    QByteArray text;
    for (unsigned i = 0; text.size() < 300000; ++i)
        text += "item " + QByteArray::number(i * 2654435761U) + '\n';
    return text;
}

QByteArray chunkedPost(const QByteArray &body, const QByteArray &headers, int chunk)
{
    QByteArray bytes = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + headers
        + "Transfer-Encoding: chunked\r\n\r\n";
    for (qsizetype at = 0; at < body.size(); at += chunk) {
        const QByteArray part = body.mid(at, chunk);
        bytes += QByteArray::number(part.size(), 16) + "\r\n" + part + "\r\n";
    }
    return bytes + "0\r\n\r\n";
}

ListenerSettings withBody(std::size_t most)
{
    ListenerSettings settings;
    settings.limits.maxBodyBytes = most;
    return settings;
}

} // namespace

class BodiesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areDecoded_data();
    void areDecoded();
    void areRefusedWhenTheCodingIsBroken_data();
    void areRefusedWhenTheCodingIsBroken();
    void countDecodedAgainstTheLimit_data();
    void countDecodedAgainstTheLimit();
    void stopABombBeforeItIsInMemory_data();
    void stopABombBeforeItIsInMemory();
    void areRefusedBeforeContinueIsSent();
    void areRefusedInTheClientsDialect_data();
    void areRefusedInTheClientsDialect();
    void shareOneMemoryLimit();
    void giveTheirMemoryBackAfterTheReply();
};

void BodiesTest::areDecoded_data()
{
    QTest::addColumn<QByteArray>("coding");
    QTest::addColumn<QByteArray>("coded");
    QTest::addColumn<QByteArray>("plain");
    const QByteArray text = sample();
    QTest::newRow("identity") << QByteArray("identity") << text << text;
    QTest::newRow("gzip") << QByteArray("gzip") << zlibCoded(text, 31) << text;
    QTest::newRow("x-gzip") << QByteArray("X-GZip") << zlibCoded(text, 31) << text;
    QTest::newRow("two gzip members")
        << QByteArray("gzip") << zlibCoded("one ", 31) + zlibCoded("two", 31)
        << QByteArray("one two");
    QTest::newRow("deflate") << QByteArray("deflate") << zlibCoded(text, 15) << text;
    QTest::newRow("raw deflate") << QByteArray("deflate") << zlibCoded(text, -15) << text;
    QTest::newRow("zstd") << QByteArray("zstd") << zstdCoded(text) << text;
    QTest::newRow("two zstd frames")
        << QByteArray("zstd") << zstdCoded("one ") + zstdCoded("two") << QByteArray("one two");
    QTest::newRow("identity, zstd") << QByteArray("identity, zstd") << zstdCoded(text) << text;
    QTest::newRow("empty gzip") << QByteArray("gzip") << zlibCoded("", 31) << QByteArray();
    QTest::newRow("zstd of zeros")
        << QByteArray("zstd") << zstdCoded(QByteArray(3 << 20, '\0')) << QByteArray(3 << 20, '\0');
    QTest::newRow("8 MiB zstd window")
        << QByteArray("zstd") << zstdWithWindow(23) << QByteArray(100000, 'w');
}

void BodiesTest::areDecoded()
{
    QFETCH(const QByteArray, coding);
    QFETCH(const QByteArray, coded);
    QFETCH(const QByteArray, plain);
    ListeningPost server(ListeningPost::echo);
    const QByteArray header = "Content-Encoding: " + coding + "\r\n";
    RawClient client(server.port);
    client.send(post(coded, header));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    QVERIFY(client.reply().body == plain);
    client.send(chunkedPost(coded, header, coded.size() < 5000 ? 1 : 997));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    QVERIFY(client.reply().body == plain);
}

void BodiesTest::areRefusedWhenTheCodingIsBroken_data()
{
    QTest::addColumn<QByteArray>("coding");
    QTest::addColumn<QByteArray>("coded");
    QTest::addColumn<int>("status");
    const QByteArray gzip = zlibCoded(sample(), 31);
    const QByteArray zstd = zstdCoded(sample());
    QTest::newRow("truncated gzip") << QByteArray("gzip") << gzip.chopped(1) << 400;
    QTest::newRow("truncated zstd") << QByteArray("zstd") << zstd.chopped(1) << 400;
    QTest::newRow("not gzip") << QByteArray("gzip") << QByteArray("{\"a\":1}") << 400;
    QTest::newRow("not zstd") << QByteArray("zstd") << QByteArray("{\"a\":1}") << 400;
    QTest::newRow("gzip with junk behind") << QByteArray("gzip") << gzip + "junk" << 400;
    QTest::newRow("zstd with junk behind") << QByteArray("zstd") << zstd + "junk" << 400;
    QTest::newRow("zstd window over 8 MiB") << QByteArray("zstd") << zstdWithWindow(24) << 400;
    QTest::newRow("two codings") << QByteArray("gzip, zstd") << gzip << 415;
    QTest::newRow("unknown coding") << QByteArray("br") << QByteArray("x") << 415;
}

void BodiesTest::areRefusedWhenTheCodingIsBroken()
{
    QFETCH(const QByteArray, coding);
    QFETCH(const QByteArray, coded);
    QFETCH(const int, status);
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send(post(coded, "Content-Encoding: " + coding + "\r\n"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QCOMPARE(errorFault(client.reply(), true, "Content-Encoding"), QByteArray());
    QCOMPARE(server.requests, 0);
    QTRY_COMPARE(server.listener.bodyBytes(), std::size_t{0});
}

void BodiesTest::countDecodedAgainstTheLimit_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    const QByteArray fits(100000, 'f');
    const QByteArray over(100001, 'o');
    const QByteArray gzip = "Content-Encoding: gzip\r\n";
    QTest::newRow("length, at the limit") << post(fits) << 200;
    QTest::newRow("length, over") << post(over) << 413;
    QTest::newRow("chunked, at the limit") << chunkedPost(fits, {}, 4096) << 200;
    QTest::newRow("chunked, over") << chunkedPost(over, {}, 4096) << 413;
    QTest::newRow("gzip, at the limit") << post(zlibCoded(fits, 31), gzip) << 200;
    QTest::newRow("gzip, over") << post(zlibCoded(over, 31), gzip) << 413;
    QTest::newRow("zstd, over") << post(zstdCoded(over), "Content-Encoding: zstd\r\n") << 413;
}

void BodiesTest::countDecodedAgainstTheLimit()
{
    QFETCH(const QByteArray, request);
    QFETCH(const int, status);
    ListeningPost server(ListeningPost::echo, withBody(100000));
    RawClient client(server.port);
    client.send(request);
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    if (status == 413)
        QCOMPARE(errorFault(client.reply(), true, "100000 bytes"), QByteArray());
}

void BodiesTest::stopABombBeforeItIsInMemory_data()
{
    QTest::addColumn<QByteArray>("coding");
    QTest::addColumn<QByteArray>("bomb");
    const QByteArray zeros(64 << 20, '\0');
    QTest::newRow("gzip") << QByteArray("gzip") << zlibCoded(zeros, 31);
    QTest::newRow("zstd") << QByteArray("zstd") << zstdCoded(zeros);
}

void BodiesTest::stopABombBeforeItIsInMemory()
{
    QFETCH(const QByteArray, coding);
    QFETCH(const QByteArray, bomb);
    QVERIFY(bomb.size() < (1 << 20));
    // The memory limit stands below what the bomb would take, so that being caught by it would be
    // 503: 413 shows that the body's own limit held first.
    ListenerSettings settings = withBody(std::size_t{1} << 20U);
    settings.limits.maxAllBodiesBytes = std::size_t{2} << 20U;
    ListeningPost server(ListeningPost::echo, settings);
    RawClient client(server.port);
    client.send(post(bomb, "Content-Encoding: " + coding + "\r\n"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 413);
    QCOMPARE(errorFault(client.reply(), true, "1 MiB"), QByteArray());
    QTRY_COMPARE(server.listener.bodyBytes(), std::size_t{0});
}

void BodiesTest::areRefusedBeforeContinueIsSent()
{
    ListeningPost server(ListeningPost::echo, withBody(1000));
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                "Content-Length: 1001\r\n\r\n");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 413);
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
}

void BodiesTest::areRefusedInTheClientsDialect_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("anthropic");
    QTest::newRow("messages") << QByteArray("/v1/messages?beta=true") << true;
    QTest::newRow("count_tokens") << QByteArray("/a/v1/messages/count_tokens") << true;
    QTest::newRow("responses") << QByteArray("/v1/responses") << false;
    QTest::newRow("chat") << QByteArray("/v1/chat/completions") << false;
}

void BodiesTest::areRefusedInTheClientsDialect()
{
    QFETCH(const QByteArray, path);
    QFETCH(const bool, anthropic);
    ListeningPost server(ListeningPost::echo, withBody(10));
    RawClient client(server.port);
    client.send(post("more than ten bytes", {}, path));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 413);
    QCOMPARE(errorFault(client.reply(), anthropic, "max_body_mib"), QByteArray());
    QCOMPARE(client.reply().body.contains("request_too_large"), true);
}

void BodiesTest::shareOneMemoryLimit()
{
    ListenerSettings settings = withBody(1000);
    settings.limits.maxAllBodiesBytes = 2500;
    ListeningPost server({}, settings);
    RawClient first(server.port);
    RawClient second(server.port);
    RawClient third(server.port);
    first.send(post(QByteArray(1000, 'a')));
    second.send(chunkedPost(QByteArray(1000, 'b'), {}, 100));
    QTRY_COMPARE(server.requests, 2);
    (void)server.exchanges.at(0)->takeBody(); // the engine still holds it
    QCOMPARE(server.listener.bodyBytes(), std::size_t{2000});
    for (const QByteArray &request :
         {post(QByteArray(501, 'c')), chunkedPost(QByteArray(501, 'c'), {}, 100)})
    {
        RawClient client(server.port);
        client.send(request);
        TRY_REPLY(client);
        QCOMPARE(client.reply().status, 503);
        QVERIFY(client.reply().header("retry-after").toInt() > 0);
        QCOMPARE(errorFault(client.reply(), true, "memory_mib"), QByteArray());
    }
    third.send(post(QByteArray(500, 'd')));
    QTRY_COMPARE(server.requests, 3);
}

void BodiesTest::giveTheirMemoryBackAfterTheReply()
{
    ListeningPost server({}, withBody(1000));
    RawClient client(server.port);
    client.send(post(QByteArray(1000, 'a')));
    QTRY_COMPARE(server.requests, 1);
    QCOMPARE(server.listener.bodyBytes(), std::size_t{1000});
    server.exchanges.at(0)->respond(200, {}, "");
    TRY_REPLY(client);
    QTRY_COMPARE(server.listener.bodyBytes(), std::size_t{0});
}

QTEST_GUILESS_MAIN(BodiesTest)
#include "tst_bodies.moc"
