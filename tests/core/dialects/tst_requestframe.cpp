// SPDX-License-Identifier: GPL-3.0-or-later
// What goes up: the frame of a WebSocket (protocol notes 1.2) and the body of a POST, which is the
// same request "as flat object", without `type` and `stream_id`, with `stream`. Read back with Qt's
// own JSON.
#include "proxy/core/dialects/turnrequest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using dialects::TurnRequest;

class RequestFrameTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBodyIsOneObject_data();
    void theBodyIsOneObject();
    void aStreamInsideAnotherMemberIsNotTheStream();
    void theBodyNamesNoTypeAndNoLane();
    void theClientsOwnChainGoesAlong();
    void bodyAndFrameSayTheSame();
};

namespace {

QJsonObject parsed(const std::string &text)
{
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s", text.c_str());
    return document.object();
}

TurnRequest made(std::string fields, std::vector<std::string_view> input)
{
    TurnRequest request;
    request.fields = std::move(fields);
    request.input = std::move(input);
    return request;
}

const QString stream = QStringLiteral("stream");

} // namespace

void RequestFrameTest::theBodyIsOneObject_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("items");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("nothing at all")
        << QByteArray() << 0 << QByteArray(R"({"stream":true,"input":[]})");
    QTest::newRow("no field, an item")
        << QByteArray() << 1 << QByteArray(R"({"stream":true,"input":[{"n":0}]})");
    QTest::newRow("fields without a stream")
        << QByteArray(R"("model":"m","store":false)") << 2
        << QByteArray(R"({"stream":true,"model":"m","store":false,"input":[{"n":0},{"n":1}]})");
    QTest::newRow("the client's stream, last")
        << QByteArray(R"("model":"m","stream":true)") << 1
        << QByteArray(R"({"model":"m","stream":true,"input":[{"n":0}]})");
    QTest::newRow("the client's stream, first")
        << QByteArray(R"("stream":true,"model":"m")") << 0
        << QByteArray(R"({"stream":true,"model":"m","input":[]})");
    QTest::newRow("bytes as they came")
        << QByteArray("\"x\":{ \"b\":1.0e0,\"a\":\"\\u0068\"},\"stream\":true") << 0
        << QByteArray("{\"x\":{ \"b\":1.0e0,\"a\":\"\\u0068\"},\"stream\":true,\"input\":[]}");
}

void RequestFrameTest::theBodyIsOneObject()
{
    QFETCH(const QByteArray, fields);
    QFETCH(const int, items);
    QFETCH(const QByteArray, body);
    const std::array<std::string_view, 2> all{R"({"n":0})", R"({"n":1})"};
    const TurnRequest request = made(fields.toStdString(), {all.begin(), all.begin() + items});
    QCOMPARE(QByteArray::fromStdString(dialects::postBody(request)), body);
    QCOMPARE(parsed(dialects::postBody(request)).value(stream), QJsonValue(true));
}

void RequestFrameTest::aStreamInsideAnotherMemberIsNotTheStream()
{
    const auto body = parsed(dialects::postBody(
        made(R"("metadata":{"stream":"no"},"text":"\"stream\":false","model":"m")", {})));
    QCOMPARE(body.value(stream), QJsonValue(true));
    QCOMPARE(body.value(QStringLiteral("metadata")).toObject().value(stream),
             QJsonValue(QStringLiteral("no")));
    QCOMPARE(body.size(), 5);
}

void RequestFrameTest::theBodyNamesNoTypeAndNoLane()
{
    const auto body = parsed(dialects::postBody(made(R"("model":"m")", {R"({"type":"x"})"})));
    QCOMPARE(body.keys(), (QStringList{QStringLiteral("input"), QStringLiteral("model"), stream}));
}

void RequestFrameTest::theClientsOwnChainGoesAlong()
{
    TurnRequest request = made(R"("model":"m")", {});
    QVERIFY(!parsed(dialects::postBody(request)).contains(QLatin1String("previous_response_id")));
    request.previousResponseId = "resp_\"7";
    QCOMPARE(parsed(dialects::postBody(request)).value(QLatin1String("previous_response_id")),
             QJsonValue(QStringLiteral("resp_\"7")));
}

void RequestFrameTest::bodyAndFrameSayTheSame()
{
    for (const char *const fields : {R"("model":"m","stream":true)", R"("model":"m")"}) {
        const TurnRequest request = made(fields, {R"({"n":0})", R"({"n":1})"});
        QJsonObject body = parsed(dialects::postBody(request));
        QJsonObject frame = parsed(dialects::createFrame(request, 0, {}, "lane-1"));
        QCOMPARE(frame.take(QStringLiteral("type")), QJsonValue(QStringLiteral("response.create")));
        QCOMPARE(frame.take(QStringLiteral("stream_id")), QJsonValue(QStringLiteral("lane-1")));
        body.remove(stream);
        frame.remove(stream);
        QCOMPARE(body, frame);
    }
}

QTEST_APPLESS_MAIN(RequestFrameTest)
#include "tst_requestframe.moc"
