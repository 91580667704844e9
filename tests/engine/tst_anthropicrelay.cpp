// SPDX-License-Identifier: GPL-3.0-or-later
// claude-* models are relayed untouched (spec/turns.md, spec/safety.md "Who may come in").
#include "tests/support/proxyfixture.h"

#include <QFile>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <memory>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::ProxyFixture;

namespace {

const QByteArray request
    = "{\"model\":\"claude-x\",  \"stream\":true,\"messages\":[],\"unknown\":1e40}";
const QByteArray stream
    = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":"
      "{\"input_tokens\":10,\"cache_read_input_tokens\":5,\"output_tokens\":1}}}\n\n"
      ": a comment\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
      "{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":42}}\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

// What Anthropic would be: keeps what it got and says what it is told.
class Anthropic final : public QTcpServer
{
public:
    Anthropic()
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port to listen on");
        connect(this, &QTcpServer::newConnection, this, [this] {
            socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this] { read(); });
            connect(socket, &QTcpSocket::disconnected, this, [this] { gone = true; });
        });
    }

    [[nodiscard]] net::Endpoint endpoint() const
    {
        return net::parseEndpoint("http://127.0.0.1:" + std::to_string(serverPort()) + "/base/")
            .value();
    }

    QPointer<QTcpSocket> socket;
    QByteArray head;
    QByteArray body;
    QByteArray answer; // empty: nothing comes
    bool gone = false;

private:
    void read()
    {
        m_raw += socket->readAll();
        const qsizetype end = m_raw.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        head = m_raw.left(end + 2);
        body = m_raw.mid(end + 4);
        const qsizetype at = head.toLower().indexOf("content-length: ") + 16;
        const qsizetype length = head.mid(at, head.indexOf("\r\n", at) - at).toLongLong();
        if (body.size() == length && !answer.isEmpty())
            socket->write(answer);
    }

    QByteArray m_raw;
};

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

QByteArray chunked(const QByteArray &bytes)
{
    const QByteArray text = QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n0\r\n\r\n";
    return text;
}

} // namespace

class AnthropicRelayTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void relaysAStreamUntouched();
    void relaysAReplyThatIsNoStreamUntouched();
    void relaysAnErrorAsItIs();
    void countsTokensThere();
    void sendsItsOwnKeyToNobody();
    void refusesItsOwnKeyInThePlaceOfTheClients();
    void cutsAStreamThatTheProviderCut();
    void saysWhenNobodyAnswers();
    void hangsUpWhenTheClientHasGone();
    void leavesOtherModelsToTheUpstream();

private:
    [[nodiscard]] std::unique_ptr<HttpCall> post(const QByteArray &path,
                                                 const HttpCall::Headers &more = {},
                                                 const QByteArray &body = request) const
    {
        HttpCall::Headers headers{{"authorization", "Bearer theirs-SECRETMARKER"},
                                  {"anthropic-version", "2023-06-01"},
                                  {"anthropic-beta", "b1,b2"},
                                  {"x-claude-code-session-id", "session-1"}};
        return std::make_unique<HttpCall>(m_proxy->port(), "POST", path, headers + more, body);
    }
    std::unique_ptr<Anthropic> m_anthropic;
    std::unique_ptr<ProxyFixture> m_proxy;
};

void AnthropicRelayTest::init()
{
    m_proxy.reset();
    m_anthropic = std::make_unique<Anthropic>();
    m_proxy = std::make_unique<ProxyFixture>(quick());
    m_proxy->anthropic = m_anthropic->endpoint();
    m_proxy->accessKey = "the-access-key-of-the-test-000000000";
    m_proxy->start();
    m_proxy->engine().setWatched(true);
}

void AnthropicRelayTest::relaysAStreamUntouched()
{
    m_anthropic->answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nrequest-id: "
                          "req_theirs\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chunked(stream);
    const auto call = post("/k/the-access-key-of-the-test-000000000/v1/messages?beta=true");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->body(), stream);
    QCOMPARE(call->header("request-id"), QByteArray("req_theirs"));
    QCOMPARE(m_anthropic->body, request);
    QVERIFY2(m_anthropic->head.startsWith("POST /base/v1/messages?beta=true HTTP/1.1\r\n"),
             m_anthropic->head.constData());
    QVERIFY(m_anthropic->head.contains("authorization: Bearer theirs-SECRETMARKER\r\n"));
    QVERIFY(m_anthropic->head.contains("anthropic-beta: b1,b2\r\n"));
    QVERIFY(!m_anthropic->head.contains("the-access-key"));
    const auto snapshot = m_proxy->engine().snapshot();
    const ledger::TurnEnded *ended = nullptr;
    for (const ledger::Record &record : snapshot->records) {
        if (const auto *turn = std::get_if<ledger::TurnEnded>(&record.body))
            ended = turn;
    }
    QVERIFY(ended != nullptr);
    QCOMPARE(ended->end, std::string("completed"));
    QCOMPARE(ended->model, std::string("claude-x"));
    QCOMPARE(ended->inputTokens, std::uint64_t{15});
    QCOMPARE(ended->cachedTokens, std::uint64_t{5});
    QCOMPARE(ended->outputTokens, std::uint64_t{42}); // not 43
    m_proxy->stop();
    QFile file(m_proxy->ledgerPath());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("SECRETMARKER"));
}

void AnthropicRelayTest::relaysAReplyThatIsNoStreamUntouched()
{
    const QByteArray reply = "{ \"type\":\"message\",\n\"usage\":{\"input_tokens\":3}}";
    m_anthropic->answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
        + QByteArray::number(reply.size()) + "\r\n\r\n" + reply;
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->body(), reply);
    QCOMPARE(call->header("content-type"), QByteArray("application/json"));
}

void AnthropicRelayTest::relaysAnErrorAsItIs()
{
    m_anthropic->answer = "HTTP/1.1 529 Overloaded\r\nContent-Type: application/json\r\n"
                          "Retry-After: 7\r\nx-should-retry: true\r\nContent-Length: 2\r\n\r\n{}";
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 529);
    QCOMPARE(call->header("retry-after"), QByteArray("7"));
    QCOMPARE(call->header("x-should-retry"), QByteArray("true"));
    QCOMPARE(call->body(), QByteArray("{}"));
}

void AnthropicRelayTest::countsTokensThere()
{
    m_anthropic->answer = "HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n{\"input_tokens\":17}";
    const auto call
        = post("/v1/messages/count_tokens", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->body(), QByteArray("{\"input_tokens\":17}"));
    QVERIFY(m_anthropic->head.startsWith("POST /base/v1/messages/count_tokens "));
}

void AnthropicRelayTest::sendsItsOwnKeyToNobody()
{
    m_anthropic->answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    const auto call = post("/v1/messages",
                           {{"x-headway-key", m_proxy->accessKey.c_str()},
                            {"x-api-key", m_proxy->accessKey.c_str()},
                            {"x-other", QByteArray("Basic ") + m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QVERIFY(!m_anthropic->head.contains("the-access-key"));
    QVERIFY(m_anthropic->head.contains("Bearer theirs-SECRETMARKER"));
}

void AnthropicRelayTest::refusesItsOwnKeyInThePlaceOfTheClients()
{
    const auto call = post("/v1/messages", {{"x-api-key", m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    QVERIFY(call->body().contains("x-headway-key"));
    QVERIFY(m_anthropic->head.isEmpty());
}

void AnthropicRelayTest::cutsAStreamThatTheProviderCut()
{
    m_anthropic->answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                          "Transfer-Encoding: chunked\r\n\r\n5\r\nevent\r\n";
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_COMPARE(call->body(), QByteArray("event"));
    m_anthropic->socket->abort();
    QTRY_VERIFY(call->isClosed());
    QVERIFY(!call->isComplete());
}

void AnthropicRelayTest::saysWhenNobodyAnswers()
{
    m_anthropic->close();
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 502);
    QVERIFY(call->body().contains("Anthropic"));
}

void AnthropicRelayTest::hangsUpWhenTheClientHasGone()
{
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}});
    QTRY_COMPARE(m_anthropic->body, request);
    QCOMPARE(m_proxy->engine().turnsInFlight(), std::size_t{1});
    call->abort();
    QTRY_VERIFY(m_anthropic->gone);
    QTRY_COMPARE(m_proxy->engine().turnsInFlight(), std::size_t{0});
}

void AnthropicRelayTest::leavesOtherModelsToTheUpstream()
{
    const auto call = post("/v1/messages", {{"x-headway-key", m_proxy->accessKey.c_str()}},
                           tests::messagesBody({"hello"}));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QVERIFY(m_anthropic->head.isEmpty());
}

QTEST_GUILESS_MAIN(AnthropicRelayTest)
#include "tst_anthropicrelay.moc"
