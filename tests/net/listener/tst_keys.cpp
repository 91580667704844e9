// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/errortext.h"
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway::net;

namespace {

const std::string accessKey = "access-0123456789abcdef";
const std::string controlKey = "control-fedcba9876543210";

ListenerSettings keyed()
{
    ListenerSettings settings;
    settings.accessKey = accessKey;
    settings.controlKey = controlKey;
    return settings;
}

QByteArray request(const QByteArray &method, const QByteArray &path, const QByteArray &headers = {})
{
    return method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

} // namespace

class KeysTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void openTheirRoutes_data();
    void openTheirRoutes();
    void areNotAskedOfModelRoutesWhenNoneIsSet();
    void neverOpenControlRoutesWhenNoneIsSet();
    void areTakenOutOfTheRequest();
    void areRefusedInTheClientsDialect();
    void guardTheUpgrade_data();
    void guardTheUpgrade();
    void slowRepeatedWrongOnesOnly();
    void noticeAClientThatLeavesWhileItIsSlowed();
};

void KeysTest::openTheirRoutes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("place");
    const QByteArray a = QByteArray::fromStdString(accessKey);
    const QByteArray c = QByteArray::fromStdString(controlKey);
    const auto row = [](const char *name, const QByteArray &bytes, int status,
                        KeyPlace place = KeyPlace::NotAsked) {
        QTest::newRow(name) << bytes << status << static_cast<int>(place);
    };
    const auto dedicated = KeyPlace::Dedicated;
    const auto credential = KeyPlace::Credential;
    row("model, none", request("POST", "/v1/messages"), 401);
    row("model, x-headway-key", request("POST", "/v1/messages", "X-Headway-Key: " + a + "\r\n"),
        200, dedicated);
    row("model, x-api-key", request("POST", "/v1/messages", "x-api-key: " + a + "\r\n"), 200,
        credential);
    row("model, Bearer", request("POST", "/v1/responses", "Authorization: Bearer " + a + "\r\n"),
        200, credential);
    row("model, bearer in lower case",
        request("POST", "/v1/responses", "authorization: bearer " + a + "\r\n"), 200, credential);
    row("model, path", request("POST", "/k/" + a + "/v1/messages"), 200, dedicated);
    row("model, path and own credential",
        request("POST", "/k/" + a + "/v1/messages", "x-api-key: sk-ant-own\r\n"), 200, dedicated);
    row("model, wrong path but right header",
        request("POST", "/k/wrong/v1/messages", "x-api-key: " + a + "\r\n"), 200, credential);
    row("model, one right of three",
        request("POST", "/v1/messages",
                "x-api-key: x\r\nAuthorization: Bearer y\r\nx-headway-key: " + a + "\r\n"),
        200, dedicated);
    row("model, last character wrong",
        request("POST", "/v1/messages", "x-api-key: " + a.chopped(1) + "0\r\n"), 401);
    row("model, prefix of the key",
        request("POST", "/v1/messages", "x-api-key: " + a.chopped(1) + "\r\n"), 401);
    row("model, key and more", request("POST", "/v1/messages", "x-api-key: " + a + "0\r\n"), 401);
    row("model, empty", request("POST", "/v1/messages", "x-api-key:\r\n"), 401);
    row("model, Basic", request("POST", "/v1/messages", "Authorization: Basic " + a + "\r\n"), 401);
    row("model, key without Bearer",
        request("POST", "/v1/messages", "Authorization: " + a + "\r\n"), 401);
    row("model, control key", request("POST", "/v1/messages", "x-headway-key: " + c + "\r\n"), 401);
    row("models list", request("GET", "/v1/models"), 401);
    row("one model", request("GET", "/v1/models/gpt-5", "x-api-key: " + a + "\r\n"), 200,
        credential);
    row("chat", request("POST", "/v1/chat/completions"), 401);
    row("count_tokens", request("POST", "/v1/messages/count_tokens"), 401);
    row("control, none", request("GET", "/headway/v1/state"), 401);
    row("control, access key", request("GET", "/headway/v1/state", "x-headway-key: " + a + "\r\n"),
        401);
    row("control, access key in the path", request("GET", "/k/" + a + "/headway/v1/state"), 401);
    row("control, control key in the path", request("GET", "/k/" + c + "/headway/v1/state"), 401);
    row("control, control key as x-api-key",
        request("GET", "/headway/v1/state", "x-api-key: " + c + "\r\n"), 401);
    row("control, x-headway-key",
        request("GET", "/headway/v1/state", "x-headway-key: " + c + "\r\n"), 200, dedicated);
    row("control, Bearer",
        request("GET", "/headway/v1/state", "Authorization: Bearer " + c + "\r\n"), 200,
        credential);
    row("metrics, none", request("GET", "/metrics"), 401);
    row("metrics, Bearer", request("GET", "/metrics", "Authorization: Bearer " + c + "\r\n"), 200,
        credential);
    row("health", request("GET", "/healthz"), 200);
    row("probe", request("HEAD", "/"), 200);
    row("probe with the key in the path", request("HEAD", "/k/" + a), 200);
    row("hello", request("HEAD", "/api/hello"), 200);
}

void KeysTest::openTheirRoutes()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, status);
    QFETCH(const int, place);
    KeyPlace seen = KeyPlace::NotAsked;
    ListeningPost server(
        [&](Exchange &exchange) {
            seen = exchange.head().keyPlace;
            exchange.respond(200, {}, "");
        },
        keyed());
    RawClient client(server.port);
    client.send(bytes);
    TRY_REPLY(client, !bytes.startsWith("HEAD"));
    QCOMPARE(client.reply().status, status);
    QCOMPARE(server.requests, status == 200 ? 1 : 0);
    QCOMPARE(static_cast<int>(seen), place);
}

void KeysTest::areNotAskedOfModelRoutesWhenNoneIsSet()
{
    ListenerSettings settings = keyed();
    settings.accessKey.clear();
    ListeningPost server(ListeningPost::echo, settings);
    RawClient client(server.port);
    client.send(request("POST", "/v1/messages", "x-api-key: anything\r\n"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    client.send(request("GET", "/metrics"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 401);
}

void KeysTest::neverOpenControlRoutesWhenNoneIsSet()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    for (const char *headers : {"", "x-headway-key:\r\n", "Authorization: Bearer \r\n"}) {
        client.send(request("GET", "/headway/v1/state", headers));
        TRY_REPLY(client);
        QCOMPARE(client.reply().status, 401);
    }
}

void KeysTest::areTakenOutOfTheRequest()
{
    RequestHead head;
    ListeningPost server(
        [&](Exchange &exchange) {
            head = exchange.head();
            exchange.respond(200, {}, "");
        },
        keyed());
    const QByteArray a = QByteArray::fromStdString(accessKey);
    const QByteArray c = QByteArray::fromStdString(controlKey);
    RawClient client(server.port);
    client.send(request("POST", "/k/" + a + "/v1/messages?x=1",
                        "x-headway-key: something else\r\nAuthorization: Bearer sk-own\r\n"
                        "x-api-key: "
                            + a + "\r\nX-Other: " + c + "\r\nProxy-Auth: Bearer " + a
                            + "\r\nAccept: */*\r\n"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 200);
    QCOMPARE(head.path, std::string("/v1/messages"));
    QCOMPARE(head.target, std::string("/v1/messages?x=1"));
    const HeaderFields left{
        {"host", "localhost"}, {"authorization", "Bearer sk-own"}, {"accept", "*/*"}};
    QCOMPARE(head.headers, left);
}

void KeysTest::areRefusedInTheClientsDialect()
{
    ListeningPost server(ListeningPost::echo, keyed());
    RawClient client(server.port);
    client.send(request("POST", "/k/wrong/v1/messages"));
    TRY_REPLY(client);
    QCOMPARE(errorFault(client.reply(), true, "access key"), QByteArray());
    QVERIFY(client.reply().body.contains("authentication_error"));
    QVERIFY(client.reply().header("www-authenticate").startsWith("bearer"));
    client.send(request("POST", "/v1/responses"));
    TRY_REPLY(client);
    QCOMPARE(errorFault(client.reply(), false, "access key"), QByteArray());
    client.send(request("GET", "/metrics"));
    TRY_REPLY(client);
    QCOMPARE(errorFault(client.reply(), false, "control key"), QByteArray());
}

void KeysTest::guardTheUpgrade_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("status");
    const QByteArray a = QByteArray::fromStdString(accessKey);
    const QByteArray c = QByteArray::fromStdString(controlKey);
    QTest::newRow("responses, access") << QByteArray("/v1/responses") << a << 101;
    QTest::newRow("responses, wrong") << QByteArray("/v1/responses") << QByteArray("no") << 401;
    QTest::newRow("feed, control") << QByteArray("/headway/v1/feed") << c << 101;
    QTest::newRow("feed, access") << QByteArray("/headway/v1/feed") << a << 401;
    QTest::newRow("elsewhere") << QByteArray("/v1/models") << a << 426;
}

void KeysTest::guardTheUpgrade()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, key);
    QFETCH(const int, status);
    ListeningPost server(ListeningPost::echo, keyed());
    RawClient client(server.port);
    client.send(request("GET", path,
                        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "
                            + key + "\r\n"));
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QCOMPARE(server.sockets.size(), status == 101 ? std::size_t{1} : std::size_t{0});
    if (status == 101)
        QVERIFY(server.sockets.front()->head().header("authorization").empty());
}

void KeysTest::slowRepeatedWrongOnesOnly()
{
    ListenerTimes times;
    times.wrongKeyStep = std::chrono::milliseconds{600};
    times.wrongKeyMost = std::chrono::milliseconds{1'200};
    times.tick = std::chrono::milliseconds{10};
    ListeningPost server(ListeningPost::echo, keyed(), times);
    RawClient client(server.port);
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i != 3; ++i) {
        client.send(request("GET", "/metrics"));
        TRY_REPLY(client);
    }
    client.send(request("GET", "/metrics")
                + post("next", "x-api-key: access-0123456789abcdef\r\n"));
    RawClient other(server.port);
    other.send(post("mine", "x-api-key: access-0123456789abcdef\r\n"));
    TRY_REPLY(other); // a right key does not wait for the wrong one
    QVERIFY(!client.hasReply());
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 401);
    QVERIFY(clock.elapsed() >= 600);
    TRY_REPLY(client); // what was pipelined behind it
    QCOMPARE(client.reply().body, QByteArray("next"));
}

void KeysTest::noticeAClientThatLeavesWhileItIsSlowed()
{
    ListenerTimes times;
    times.wrongKeyStep = std::chrono::hours{1};
    times.wrongKeyMost = std::chrono::hours{1};
    ListeningPost server(ListeningPost::echo, keyed(), times);
    RawClient client(server.port);
    client.send(request("GET", "/metrics").repeated(4));
    for (int i = 0; i != 3; ++i)
        TRY_REPLY(client);
    client.drop();
    QTRY_COMPARE(server.listener.connections(), std::size_t{0});
}

QTEST_GUILESS_MAIN(KeysTest)
#include "tst_keys.moc"
