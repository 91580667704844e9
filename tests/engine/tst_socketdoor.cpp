// SPDX-License-Identifier: GPL-3.0-or-later
// A client's WebSocket on the Responses door, as Codex uses it (clients.md section 2.3); cases B16
// to B18.
#include "tests/store/sqliterows.h"
#include "tests/support/proxyfixture.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QWebSocket>

using namespace headway;
using namespace std::chrono_literals;
using tests::ProxyFixture;

class SocketDoorTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWarmUpAndTwoTurnsRunOnOneUpstreamConnection();
    void anUnknownPreviousResponseIsAnErrorFrameWithAStatus();
    void createsSentTogetherRunInOrder();
    void aFrameThatIsNoCreateIsRefusedAndTheSocketStays();
    void aClientThatDropsTcpEndsItsTurn();
    void anUpgradeElsewhereIsAnsweredAtOnceAndRecordedOnce();
    void b18AClientSentToPlainHttpIsNoError();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

// An independent peer: Qt's own WebSocket client.
class Client final
{
public:
    explicit Client(quint16 port)
    {
        QObject::connect(&m_socket, &QWebSocket::textMessageReceived, &m_socket,
                         [this](const QString &text) {
                             messages.append(QJsonDocument::fromJson(text.toUtf8()).object());
                         });
        m_socket.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(port)));
    }

    void send(const QByteArray &json) { m_socket.sendTextMessage(QString::fromUtf8(json)); }
    void drop() { m_socket.abort(); }
    [[nodiscard]] bool isOpen() const
    {
        return m_socket.state() == QAbstractSocket::ConnectedState;
    }
    [[nodiscard]] int count(const char *type) const
    {
        int found = 0;
        for (const QJsonObject &message : messages)
            found += message.value(QStringLiteral("type")).toString() == QLatin1String(type);
        return found;
    }
    [[nodiscard]] QByteArray lastResponseId() const
    {
        QByteArray id;
        for (const QJsonObject &message : messages) {
            if (message.value(QStringLiteral("type")).toString()
                == QLatin1String("response.completed"))
                id = message.value(QStringLiteral("response"))
                         .toObject()
                         .value(QStringLiteral("id"))
                         .toString()
                         .toUtf8();
        }
        return id;
    }

    QList<QJsonObject> messages;

private:
    QWebSocket m_socket;
};

QByteArray create(const QByteArray &text, const QByteArray &previous = {}, bool generate = true)
{
    QByteArray json = R"({"type":"response.create","model":"m","stream":true,"store":false,)";
    if (!previous.isEmpty())
        json += R"("previous_response_id":")" + previous + R"(",)";
    if (!generate)
        json += R"("generate":false,)";
    return json
        + R"("prompt_cache_key":"k","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":")"
        + text + R"("}]}]})";
}

} // namespace

void SocketDoorTest::aWarmUpAndTwoTurnsRunOnOneUpstreamConnection()
{
    ProxyFixture proxy(quick());
    proxy.start();
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    client.send(create("base", {}, false));
    QTRY_COMPARE(client.count("response.completed"), 1);
    QCOMPARE(client.count("response.output_text.delta"), 0);
    const QByteArray warm = client.lastResponseId();
    QVERIFY(warm.startsWith("resp_"));
    client.send(create("hello", warm));
    QTRY_COMPARE(client.count("response.completed"), 2);
    QVERIFY(client.count("response.output_text.delta") > 0);
    client.send(create("more", client.lastResponseId()));
    QTRY_COMPARE(client.count("response.completed"), 3);
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.upgradesAccepted, std::uint64_t{1});
    QCOMPARE(seen.warmUps, std::uint64_t{1});
    QCOMPARE(seen.continuations, std::uint64_t{2});
    QVERIFY(seen.errors.empty());
}

void SocketDoorTest::anUnknownPreviousResponseIsAnErrorFrameWithAStatus()
{
    ProxyFixture proxy(quick());
    proxy.start();
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    client.send(create("hello", "resp_unknown"));
    QTRY_COMPARE(client.count("error"), 1);
    const QJsonObject frame = client.messages.last();
    QCOMPARE(frame.value(QStringLiteral("status")).toInt(), 400);
    QCOMPARE(
        frame.value(QStringLiteral("error")).toObject().value(QStringLiteral("code")).toString(),
        QStringLiteral("previous_response_not_found"));
    QVERIFY(client.isOpen());
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{0});
}

void SocketDoorTest::createsSentTogetherRunInOrder()
{
    ProxyFixture proxy(quick());
    proxy.start();
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    client.send(create("one"));
    client.send(create("two"));
    client.send(create("three"));
    QTRY_COMPARE(client.count("response.completed"), 3);
    int open = 0;
    for (const QJsonObject &message : client.messages) {
        const QString type = message.value(QStringLiteral("type")).toString();
        open += type == QLatin1String("response.created");
        open -= type == QLatin1String("response.completed");
        QVERIFY(open == 0 || open == 1);
    }
}

void SocketDoorTest::aFrameThatIsNoCreateIsRefusedAndTheSocketStays()
{
    ProxyFixture proxy(quick());
    proxy.start();
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    for (const char *frame : {"not json", "[]", R"({"type":"response.cancel"})", "{}"})
        client.send(frame);
    QTRY_COMPARE(client.count("error"), 4);
    for (const QJsonObject &message : client.messages)
        QCOMPARE(message.value(QStringLiteral("status")).toInt(), 400);
    client.send(create("still here"));
    QTRY_COMPARE(client.count("response.completed"), 1);
}

void SocketDoorTest::aClientThatDropsTcpEndsItsTurn()
{
    simulator::Scenario scenario = quick();
    scenario.turn = {60s, 60s};
    ProxyFixture proxy(scenario);
    proxy.start();
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    client.send(create("hello"));
    QTRY_VERIFY(client.count("response.output_text.delta") > 0);
    client.drop();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{0}, 1000);
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
}

void SocketDoorTest::anUpgradeElsewhereIsAnsweredAtOnceAndRecordedOnce()
{
    ProxyFixture proxy(quick());
    proxy.start();
    for (int i = 0; i < 2; ++i) {
        const tests::HttpCall call(proxy.port(), "GET", "/v1/chat/completions",
                                   {{"connection", "Upgrade"},
                                    {"upgrade", "websocket"},
                                    {"sec-websocket-version", "13"},
                                    {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}},
                                   {});
        QTRY_COMPARE_WITH_TIMEOUT(call.status(), 426, 1000);
    }
    const auto recorded = [&proxy] {
        return testsupport::number(
            proxy.ledgerPath(),
            QStringLiteral("SELECT count(*) FROM warning WHERE key = 'client.upgrade.refused'"));
    };
    proxy.passTime(61s);
    const tests::HttpCall later(proxy.port(), "GET", "/v1/chat/completions",
                                {{"connection", "Upgrade"},
                                 {"upgrade", "websocket"},
                                 {"sec-websocket-version", "13"},
                                 {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}},
                                {});
    QTRY_COMPARE(later.status(), 426);
    proxy.stop();
    QCOMPARE(recorded(), 2); // one a minute
}

// What is expected of a client that is sent to plain HTTP, and happens, is told as information.
void SocketDoorTest::b18AClientSentToPlainHttpIsNoError()
{
    ProxyFixture proxy(quick());
    proxy.set(settings::Key::ClientSockets, "false");
    proxy.start();
    const QList<std::pair<QByteArray, QByteArray>> upgrade{
        {"connection", "Upgrade"},
        {"upgrade", "websocket"},
        {"sec-websocket-version", "13"},
        {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}};
    const tests::HttpCall asked(proxy.port(), "GET", "/v1/responses", upgrade, {});
    QTRY_COMPARE_WITH_TIMEOUT(asked.status(), 426, 1000);
    QVERIFY(asked.body().contains("plain HTTP"));
    const auto sent = proxy.post("/v1/responses",
                                 R"({"model":"m","stream":true,"store":false,"input":"hello"})");
    QTRY_VERIFY(sent->isComplete());
    QCOMPARE(sent->status(), 200);
    QVERIFY(sent->body().contains("response.completed"));
    // Switched on again while it runs.
    proxy.engine().changeSetting(QStringLiteral("client_sockets"), QStringLiteral("true"));
    Client client(proxy.port());
    QTRY_VERIFY(client.isOpen());
    proxy.stop();
    const auto number = [&proxy](const char *query) {
        return testsupport::number(proxy.ledgerPath(), QString::fromLatin1(query));
    };
    QCOMPARE(number("SELECT count(*) FROM warning WHERE severity = 'info'"), 1);
    QCOMPARE(number("SELECT count(*) FROM warning WHERE key = 'client.upgrade.refused' AND "
                    "severity = 'info'"),
             1);
    QCOMPARE(number("SELECT count(*) FROM turn WHERE \"end\" = 'completed'"), 1);
    QCOMPARE(number("SELECT count(*) FROM turn"), 1);
    QCOMPARE(number("SELECT count(*) FROM retry"), 0);
}

QTEST_GUILESS_MAIN(SocketDoorTest)
#include "tst_socketdoor.moc"
