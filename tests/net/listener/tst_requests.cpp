// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

using namespace headway::net;

class RequestsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void handsOverTheRequestAsSent();
    void reusesTheConnection();
    void answersPipelinedRequestsInOrder();
    void startsAPipelinedRequestOnlyAfterTheReplyBefore();
    void readsChunkedBodiesInAnySplit_data();
    void readsChunkedBodiesInAnySplit();
    void leavesSpareCapacityBehindTheBody();
    void asksForTheBodyOnExpectContinue();
    void closesAfterTheReplyWhenAsked_data();
    void closesAfterTheReplyWhenAsked();
    void keepsAnHttp10ConnectionThatAsksForIt();
    void sendsNoBodyToHead();
    void takesTheAbsoluteForm();
    void ignoresAnUpgradeToHttp2();
    void replacesLineBreaksInReplyHeaders();
    void goesOnAfterARefusalWithoutBody();
    void closesAfterTheReplyWhenTooMuchIsPipelined();
};

void RequestsTest::handsOverTheRequestAsSent()
{
    RequestHead head;
    std::string body;
    ListeningPost server([&](Exchange &exchange) {
        head = exchange.head();
        body = exchange.takeBody();
        exchange.respond(201, {{"X-Own", "1"}}, "made");
    });
    RawClient client(server.port);
    client.send("POST /any/prefix/v1/messages?beta=true HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "X-One: a\r\nX-Two:   b c \t\r\nx-one: again\r\nX-Empty:\r\n"
                "Content-Length: 5\r\n\r\nhello");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 201);
    QCOMPARE(client.reply().body, QByteArray("made"));
    QCOMPARE(client.reply().header("x-own"), QByteArray("1"));
    QCOMPARE(client.reply().header("content-length"), QByteArray("4"));
    QVERIFY(client.reply().header("date").endsWith("gmt"));
    QCOMPARE(head.method, std::string("POST"));
    QCOMPARE(head.target, std::string("/any/prefix/v1/messages?beta=true"));
    QCOMPARE(head.path, std::string("/any/prefix/v1/messages"));
    QCOMPARE(head.query, std::string("beta=true"));
    QCOMPARE(head.route, Route::Messages);
    const HeaderFields expected{{"host", "127.0.0.1"}, {"x-one", "a"},  {"x-two", "b c"},
                                {"x-one", "again"},    {"x-empty", ""}, {"content-length", "5"}};
    QCOMPARE(head.headers, expected);
    QCOMPARE(head.header("x-one"), std::string_view("a"));
    QCOMPARE(body, std::string("hello"));
}

void RequestsTest::reusesTheConnection()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    for (int i = 0; i != 50; ++i) {
        const QByteArray body = QByteArray::number(i);
        client.send(post(body));
        TRY_REPLY(client);
        QCOMPARE(client.reply().body, body);
    }
    QCOMPARE(server.listener.connections(), std::size_t{1});
    QVERIFY(server.exchanges.front().isNull()); // deleted after its reply was out
}

void RequestsTest::answersPipelinedRequestsInOrder()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send(post("first") + post("second") + post("third"));
    for (const char *body : {"first", "second", "third"}) {
        TRY_REPLY(client);
        QCOMPARE(client.reply().body, QByteArray(body));
    }
    QCOMPARE(server.requests, 3);
}

void RequestsTest::startsAPipelinedRequestOnlyAfterTheReplyBefore()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("first") + post("second"));
    QTRY_COMPARE(server.requests, 1);
    server.exchanges.at(0)->openStream(200, {});
    server.exchanges.at(0)->write("part");
    QTRY_VERIFY(client.received().contains("part"));
    QCOMPARE(server.requests, 1);
    server.exchanges.at(0)->finish();
    QTRY_COMPARE(server.requests, 2);
    server.exchanges.at(1)->respond(200, {}, "two");
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("part"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("two"));
}

void RequestsTest::readsChunkedBodiesInAnySplit_data()
{
    QTest::addColumn<int>("chunk");
    QTest::addColumn<int>("write");
    QTest::newRow("1-byte chunks, 1-byte writes") << 1 << 1;
    QTest::newRow("37-byte chunks, 5-byte writes") << 37 << 5;
    QTest::newRow("one chunk, 1-byte writes") << 600 << 1;
    QTest::newRow("1-byte chunks, one write") << 1 << 100000;
}

void RequestsTest::readsChunkedBodiesInAnySplit()
{
    QFETCH(const int, chunk);
    QFETCH(const int, write);
    QByteArray body;
    for (int i = 0; i != 600; ++i)
        body += static_cast<char>(i * 7);
    QByteArray bytes = "POST /v1/responses HTTP/1.1\r\nHost: localhost\r\n"
                       "Transfer-Encoding: chunked\r\n\r\n";
    for (qsizetype at = 0; at < body.size(); at += chunk) {
        const QByteArray part = body.mid(at, chunk);
        bytes += QByteArray::number(part.size(), 16) + ";ext=1\r\n" + part + "\r\n";
    }
    bytes += "0\r\nX-Trailer: t\r\n\r\n";
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    for (qsizetype at = 0; at < bytes.size(); at += write) {
        client.send(bytes.mid(at, write));
        QCoreApplication::processEvents();
    }
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    QCOMPARE(client.reply().body, body);
}

void RequestsTest::leavesSpareCapacityBehindTheBody()
{
    std::size_t spare = 0;
    ListeningPost server([&](Exchange &exchange) {
        const std::string body = exchange.takeBody();
        spare = body.capacity() - body.size();
        exchange.respond(200, {}, "");
    });
    for (const QByteArray &body : {QByteArray(), QByteArray("x"), QByteArray(100000, 'y')}) {
        RawClient client(server.port);
        client.send(post(body));
        TRY_REPLY(client);
        QVERIFY2(spare >= 64, QByteArray::number(body.size()).constData());
    }
}

void RequestsTest::asksForTheBodyOnExpectContinue()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                "Content-Length: 4\r\n\r\n");
    QTRY_COMPARE(client.received(), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
    client.received().clear();
    client.send("body");
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("body"));
}

void RequestsTest::closesAfterTheReplyWhenAsked_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::newRow("Connection: close")
        << QByteArray("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    QTest::newRow("HTTP/1.0") << QByteArray("GET /healthz HTTP/1.0\r\n\r\n");
}

void RequestsTest::closesAfterTheReplyWhenAsked()
{
    QFETCH(const QByteArray, request);
    ListeningPost server([](Exchange &exchange) { exchange.respond(200, {}, "alive"); });
    RawClient client(server.port);
    client.send(request);
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("alive"));
    QCOMPARE(client.reply().header("connection"), QByteArray("close"));
    client.drop();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

void RequestsTest::keepsAnHttp10ConnectionThatAsksForIt()
{
    ListeningPost server([](Exchange &exchange) { exchange.respond(200, {}, "alive"); });
    RawClient client(server.port);
    for (int i = 0; i != 2; ++i) {
        client.send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        TRY_REPLY(client);
        QCOMPARE(client.reply().header("connection"), QByteArray("keep-alive"));
    }
    QCOMPARE(server.listener.connections(), std::size_t{1});
}

void RequestsTest::sendsNoBodyToHead()
{
    ListeningPost server([](Exchange &exchange) { exchange.respond(200, {}, "not for HEAD"); });
    RawClient client(server.port);
    client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                "HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    TRY_REPLY(client, false);
    QCOMPARE(client.reply().status, 200);
    QCOMPARE(client.reply().header("content-length"), QByteArray("12"));
    TRY_REPLY(client, false);
    QCOMPARE(client.reply().status, 404);
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("not for HEAD"));
}

void RequestsTest::takesTheAbsoluteForm()
{
    std::string path;
    ListeningPost server([&](Exchange &exchange) {
        path = exchange.head().path;
        exchange.respond(200, {}, "");
    });
    RawClient client(server.port);
    client.send("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    QCOMPARE(path, std::string("/healthz"));
}

void RequestsTest::ignoresAnUpgradeToHttp2()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    const QByteArray request
        = post("body", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n");
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                "Upgrade: h2c\r\n\r\n"
                + request + request);
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    for (int i = 0; i != 2; ++i) {
        TRY_REPLY(client);
        QCOMPARE(client.reply().body, QByteArray("body"));
    }
}

void RequestsTest::replacesLineBreaksInReplyHeaders()
{
    ListeningPost server([](Exchange &exchange) {
        exchange.respond(200, {{"x-from", "a\r\nx-evil: 1"}}, "");
    });
    RawClient client(server.port);
    client.send(post(""));
    TRY_REPLY(client);
    QCOMPARE(client.reply().header("x-evil"), QByteArray());
    QCOMPARE(client.reply().header("x-from"), QByteArray("a  x-evil: 1"));
}

void RequestsTest::goesOnAfterARefusalWithoutBody()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n" + post("after"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 404);
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("after"));
    QCOMPARE(server.requests, 1);
}

void RequestsTest::closesAfterTheReplyWhenTooMuchIsPipelined()
{
    ListeningPost server;
    RawClient client(server.port);
    client.send(post("one") + post(QByteArray(200'000, 'x')));
    QTRY_COMPARE(server.requests, 1);
    QTRY_VERIFY((client.push(), client.hasSentAll()));
    server.exchanges.at(0)->respond(200, {}, "whole");
    QTRY_COMPARE(client.closed(), RawClient::Closed::Fin);
    TRY_REPLY(client);
    QCOMPARE(client.reply().body, QByteArray("whole"));
    QCOMPARE(server.requests, 1);
    QCOMPARE(server.gone, 0);
}

QTEST_GUILESS_MAIN(RequestsTest)
#include "tst_requests.moc"
