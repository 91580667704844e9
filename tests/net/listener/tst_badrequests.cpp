// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/errortext.h"
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

using namespace headway::net;

// Every malformed request of spec/safety.md with its status, and a message a person can read.
class BadRequestsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areAnsweredAndClosed_data();
    void areAnsweredAndClosed();
    void areTheSameInSingleBytes_data() { areAnsweredAndClosed_data(); }
    void areTheSameInSingleBytes();
    void areRefusedPolitely_data();
    void areRefusedPolitely();
    void takesHeadersOfExactlyTheLimit();
};

namespace {

QByteArray get(const QByteArray &headers, const QByteArray &path = "/healthz")
{
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

QByteArray postWith(const QByteArray &headers, const QByteArray &rest = {})
{
    return "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + rest;
}

void columns()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<bool>("anthropic");
}

} // namespace

void BadRequestsTest::areAnsweredAndClosed_data()
{
    columns();
    const auto row = [](const char *name, const QByteArray &request, int status,
                        const QByteArray &words, bool anthropic = false) {
        QTest::newRow(name) << request << status << words << anthropic;
    };
    const QByteArray chunked = "Transfer-Encoding: chunked\r\n";
    // Two lengths, or a length that is none.
    row("both lengths", postWith(chunked + "Content-Length: 5\r\n", "0\r\n\r\n"), 400, "not both",
        true);
    row("both lengths, other order", postWith("Content-Length: 5\r\n" + chunked, "0\r\n\r\n"), 400,
        "not both", true);
    row("Content-Length twice, different",
        postWith("Content-Length: 1\r\nContent-Length: 2\r\n", "ab"), 400, "stated twice", true);
    row("Content-Length twice, equal", postWith("Content-Length: 1\r\nContent-Length: 1\r\n", "a"),
        400, "stated twice", true);
    row("Content-Length list", postWith("Content-Length: 1, 1\r\n", "a"), 400, "Content-Length",
        true);
    row("Content-Length negative", postWith("Content-Length: -1\r\n"), 400, "Content-Length", true);
    row("Content-Length plus", postWith("Content-Length: +1\r\n", "a"), 400, "Content-Length",
        true);
    row("Content-Length hex", postWith("Content-Length: 0x1\r\n", "a"), 400, "Content-Length",
        true);
    row("Content-Length overflow", postWith("Content-Length: 99999999999999999999\r\n"), 400,
        "Content-Length", true);
    row("TE gzip", postWith("Transfer-Encoding: gzip\r\n"), 400, "Transfer-Encoding", true);
    row("TE chunked, identity", postWith("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        400, "Transfer-Encoding", true);
    row("TE gzip, chunked", postWith("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400,
        "Transfer-Encoding", true);
    row("TE twice", postWith(chunked + chunked, "0\r\n\r\n"), 400, "Transfer-Encoding", true);
    row("TE in HTTP/1.0", "POST /v1/messages HTTP/1.0\r\n" + chunked + "\r\n0\r\n\r\n", 400,
        "HTTP/1.0", true);
    // Chunks.
    row("chunk size not hex", postWith(chunked, "xyz\r\n"), 400, "chunk", true);
    row("chunk size empty", postWith(chunked, "\r\nabc\r\n"), 400, "chunk", true);
    row("chunk size negative", postWith(chunked, "-1\r\n"), 400, "chunk", true);
    row("chunk size 0x", postWith(chunked, "0x3\r\nabc\r\n"), 400, "chunk", true);
    row("chunk size overflow", postWith(chunked, "fffffffffffffffff\r\n"), 400, "chunk", true);
    row("chunk longer than stated", postWith(chunked, "3\r\nabcd\r\n0\r\n\r\n"), 400, "HTTP", true);
    row("chunk with bare LF", postWith(chunked, "3\nabc\r\n0\r\n\r\n"), 400, "chunk", true);
    row("chunk extensions without end",
        postWith(chunked, "1;" + QByteArray(20000, 'e') + "\r\na\r\n0\r\n\r\n"), 400,
        "chunk extensions", true);
    row("trailers without end",
        postWith(chunked, "0\r\nX-T: " + QByteArray(20000, 't') + "\r\n\r\n"), 400, "trailers",
        true);
    // Header syntax.
    row("obs-fold with a blank", get("X-A: 1\r\n 2\r\n"), 400, "folded");
    row("obs-fold with a tab", get("X-A: 1\r\n\t2\r\n"), 400, "folded");
    row("obs-fold after an empty value", get("X-A:\r\n 2\r\n"), 400, "folded");
    row("blank in a name", get("Ho st: x\r\n"), 400, "not allowed");
    row("blank before the colon", get("X-A : 1\r\n"), 400, "not allowed");
    row("no colon", get("X-A\r\n"), 400, "not allowed");
    row("empty name", get(": 1\r\n"), 400, "no name");
    row("bracket in a name", get("X[A]: 1\r\n"), 400, "not allowed");
    row("NUL in a value", get(QByteArray("X-A: 1\0 2\r\n", 11)), 400, "not allowed");
    row("NUL in a name", get(QByteArray("X\0A: 1\r\n", 8)), 400, "not allowed");
    row("control character in a value", get("X-A: \x01\r\n"), 400, "not allowed");
    row("bare CR in a value", get("X-A: 1\rX-B: 2\r\n"), 400, "CR LF");
    row("bare LF after a header", get("X-A: 1\nX-B: 2\r\n"), 400, "not allowed");
    row("bare LF after the request line", "GET /healthz HTTP/1.1\nHost: localhost\r\n\r\n", 400,
        "CR LF");
    row("empty name first", "GET /healthz HTTP/1.1\r\n: 1\r\nHost: localhost\r\n\r\n", 400,
        "no name");
    row("empty name and value", get(":\r\n"), 400, "no name");
    row("blank before the first header", "GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n", 400,
        "not allowed");
    // Request line.
    row("unknown method", "FETCH /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "method");
    row("method in lower case", "get /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "method");
    row("TLS on the plain port", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01", 8), 400, "http://");
    row("not HTTP", "GET /healthz FTP/1.1\r\nHost: localhost\r\n\r\n", 400, "HTTP version");
    row("target without a slash", "GET healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "target");
    row("blank in the target", get("", "/health z"), 400, "HTTP");
    row("HTTP/0.9", "GET /healthz\r\n\r\n", 505, "HTTP/1.1");
    row("HTTP/1.2", "GET /healthz HTTP/1.2\r\nHost: localhost\r\n\r\n", 505, "HTTP/1.1");
    row("HTTP/2.0", "GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n", 505, "HTTP/1.1");
    row("HTTP/3.7", "GET /healthz HTTP/3.7\r\nHost: localhost\r\n\r\n", 505, "HTTP/1.1");
    row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/1.1");
    row("target too long", get("", '/' + QByteArray(9000, 'a')), 414, "8 KiB");
    // Sizes of the head.
    row("one large header", get("X-A: " + QByteArray(70000, 'a') + "\r\n"), 431, "64 KiB");
    row("header without end", "GET /healthz HTTP/1.1\r\nX-A: " + QByteArray(70000, 'a'), 431,
        "64 KiB");
    row("only line ends", QByteArray("\r\n").repeated(40000), 431, "64 KiB");
    row("many headers", get(QByteArray("a:b\r\n").repeated(300)), 431, "256");
    // Refused by the head, with a body that is not read.
    row("declared body too large", postWith("Content-Length: 67108865\r\n"), 413, "64 MiB", true);
    row("unknown coding", postWith("Content-Encoding: br\r\nContent-Length: 3\r\n", "abc"), 415,
        "gzip, deflate, zstd", true);
    row("unknown expectation", postWith("Expect: 200-ok\r\nContent-Length: 3\r\n", "abc"), 417,
        "100-continue", true);
    row("upgrade elsewhere",
        get("Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            "/v1/messages"),
        426, "plain HTTP", true);
    row("upgrade with an old version",
        get("Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            "/v1/responses"),
        426, "version 13");
    row("upgrade with a short key",
        get("Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: c2hvcnQ=\r\n",
            "/v1/responses"),
        400, "16 bytes");
    row("upgrade with a body",
        get("Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 2\r\n",
            "/v1/responses"),
        400, "no body");
    row("CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, "served");
}

void BadRequestsTest::areAnsweredAndClosed()
{
    QFETCH(const QByteArray, request);
    QFETCH(const int, status);
    QFETCH(const QByteArray, words);
    QFETCH(const bool, anthropic);
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send(request);
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QCOMPARE(errorFault(client.reply(), anthropic, words), QByteArray());
    QVERIFY(client.reply().header("connection").startsWith("close"));
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin); // no reset that hides the answer
    QCOMPARE(client.received(), QByteArray()); // one answer
    QCOMPARE(server.requests, 0);
    client.drop();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

void BadRequestsTest::areTheSameInSingleBytes()
{
    QFETCH(const QByteArray, request);
    QFETCH(const int, status);
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    const qsizetype step = request.size() > 1000 ? 997 : 1;
    for (qsizetype at = 0; at < request.size(); at += step) {
        client.send(request.mid(at, step));
        QCoreApplication::processEvents();
    }
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QCOMPARE(server.requests, 0);
}

void BadRequestsTest::areRefusedPolitely_data()
{
    columns();
    QTest::addColumn<QByteArray>("allow");
    const auto row
        = [](const char *name, const QByteArray &request, int status, const QByteArray &words,
             const QByteArray &allow = {}, bool anthropic = false) {
              QTest::newRow(name) << request << status << words << anthropic << allow;
          };
    row("unknown route", get("", "/v1/nothing"), 404, "/v1/responses");
    row("root with GET", get("", "/"), 405, "HEAD", "head");
    row("GET on messages", get("", "/v1/messages"), 405, "POST", "post", true);
    row("GET on count_tokens", get("", "/x/messages/count_tokens"), 405, "POST", "post", true);
    row("POST on models", "POST /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "GET",
        "get, head");
    row("PUT on responses", "PUT /v1/responses HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "POST",
        "post, get");
    row("OPTIONS", "OPTIONS /v1/messages HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "POST", "post",
        true);
    row("plain GET on responses", get("", "/v1/responses"), 426, "WebSocket");
    row("fragment in the target", get("", "/healthz#a"), 400, "target");
    row("no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "Host");
    row("two Hosts", get("Host: localhost\r\n"), 400, "Host");
    row("Host with a path", "GET /healthz HTTP/1.1\r\nHost: localhost/x\r\n\r\n", 400, "Host");
    row("other Host", "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "allowed_hosts");
    row("other Origin", get("Origin: https://evil.example\r\n"), 403, "Origin");
}

// Well-formed, without a body, not for us: the connection stays usable.
void BadRequestsTest::areRefusedPolitely()
{
    QFETCH(const QByteArray, request);
    QFETCH(const int, status);
    QFETCH(const QByteArray, words);
    QFETCH(const bool, anthropic);
    QFETCH(const QByteArray, allow);
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send(request);
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QCOMPARE(errorFault(client.reply(), anthropic, words), QByteArray());
    QCOMPARE(client.reply().header("allow"), allow);
    QVERIFY(!client.reply().head.contains("access-control"));
    QCOMPARE(server.requests, 0);
    client.send(get(""));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
}

void BadRequestsTest::takesHeadersOfExactlyTheLimit()
{
    const QByteArray frame = get("X-A: \r\n");
    for (const int excess : {0, 1}) {
        ListeningPost server(ListeningPost::echo);
        RawClient client(server.port);
        client.send(get("X-A: " + QByteArray(65536 - frame.size() + excess, 'a') + "\r\n"));
        TRY_REPLY(client);
        QCOMPARE(client.reply().status, excess == 0 ? 200 : 431);
    }
}

QTEST_GUILESS_MAIN(BadRequestsTest)
#include "tst_badrequests.moc"
