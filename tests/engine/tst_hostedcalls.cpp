// SPDX-License-Identifier: GPL-3.0-or-later
// Replies with items that the provider made for itself (web search, image generation …), and
// replies whose items are told at their end only: the conversation goes on from them all the same.
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace headway;
using tests::HttpCall;
using tests::ProxyFixture;
using tests::ScriptedProvider;

class HostedCallsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHostedCallContinuesHoweverItComesBack_data();
    void aHostedCallContinuesHoweverItComesBack();
    void whatAClientContinuesByItsOwnIdIsNoOnesHistory();
    void itemsOfWhichSomeAreToldAtTheEndOnlyAreOneReply();
    void itemsThatAreToldAtTheEndOnlyAreAReply_data();
    void itemsThatAreToldAtTheEndOnlyAreAReply();
};

namespace {

QJsonObject object(const char *json)
{
    return QJsonDocument::fromJson(json).object();
}

QJsonObject said(const char *role, const char *text)
{
    return {{QStringLiteral("type"), QStringLiteral("message")},
            {QStringLiteral("role"), QLatin1String(role)},
            {QStringLiteral("content"), QLatin1String(text)}};
}

// What the model says after its search.
const auto found = R"({"type":"message","id":"msg_1","role":"assistant","status":"completed",
    "content":[{"type":"output_text","text":"found it","annotations":[]}]})";

const auto search = R"({"type":"web_search_call","id":"ws_1","status":"completed",
    "action":{"type":"search","query":"qt","sources":[{"type":"url","url":"https://qt.io"}]}})";

struct Stage
{
    Stage()
        : proxy(peer.url())
    {
        proxy.set(settings::Key::Lanes, "off");
        proxy.start();
    }

    std::unique_ptr<HttpCall> ask(const QJsonArray &input, bool stream = true,
                                  const QString &previous = {})
    {
        QJsonObject body{{QStringLiteral("model"), QStringLiteral("gpt-5.6")},
                         {QStringLiteral("stream"), stream},
                         {QStringLiteral("prompt_cache_key"), QStringLiteral("talk")},
                         {QStringLiteral("input"), input}};
        if (!previous.isEmpty())
            body.insert(QStringLiteral("previous_response_id"), previous);
        return proxy.post("/v1/responses", QJsonDocument(body).toJson());
    }

    // Of the items the first `told` come each by itself, and all at the end.
    void reply(qsizetype create, const QJsonArray &items, qsizetype told)
    {
        const qsizetype socket = peer.creates().at(create).socket;
        const QString id = QStringLiteral("resp_%1").arg(create);
        const auto response = [&id](const char *status, const QJsonArray &output) {
            return QJsonObject{{QStringLiteral("id"), id},
                               {QStringLiteral("object"), QStringLiteral("response")},
                               {QStringLiteral("status"), QLatin1String(status)},
                               {QStringLiteral("output"), output}};
        };
        peer.send(socket,
                  {{QStringLiteral("type"), QStringLiteral("response.created")},
                   {QStringLiteral("response"), response("in_progress", {})}});
        for (qsizetype i = 0; i < told; ++i)
            peer.send(socket,
                      {{QStringLiteral("type"), QStringLiteral("response.output_item.done")},
                       {QStringLiteral("output_index"), i},
                       {QStringLiteral("item"), items.at(i)}});
        peer.send(socket,
                  {{QStringLiteral("type"), QStringLiteral("response.completed")},
                   {QStringLiteral("response"), response("completed", items)}});
    }

    ScriptedProvider peer;
    ProxyFixture proxy;
};

} // namespace

void HostedCallsTest::aHostedCallContinuesHoweverItComesBack_data()
{
    QTest::addColumn<QJsonArray>("reply");
    QTest::addColumn<QJsonArray>("echo");
    QTest::addColumn<bool>("continues");
    const auto image = [](const char *result) {
        return QJsonObject{{QStringLiteral("type"), QStringLiteral("image_generation_call")},
                           {QStringLiteral("id"), QStringLiteral("ig_1")},
                           {QStringLiteral("status"), QStringLiteral("completed")},
                           {QStringLiteral("result"), QLatin1String(result)}};
    };
    const QJsonArray whole{object(search), object(found)};
    QTest::newRow("as it is") << whole << whole << true;
    QTest::newRow("left out") << whole << QJsonArray{object(found)} << true;
    QTest::newRow("without id and sources")
        << whole
        << QJsonArray{object(R"({"type":"web_search_call","status":"completed",
                               "action":{"type":"search","query":"qt"}})"),
                      object(found)}
        << true;
    QTest::newRow("another search") << whole
                                    << QJsonArray{object(R"({"type":"web_search_call","id":"ws_1",
                               "action":{"type":"search","query":"gtk"}})"),
                                                  object(found)}
                                    << false;
    QTest::newRow("one that was never made")
        << QJsonArray{object(found)} << QJsonArray{object(search), object(found)} << false;
    QTest::newRow("an image") << QJsonArray{image("aGk="), object(found)}
                              << QJsonArray{image("aGk="), object(found)} << true;
    QTest::newRow("another image") << QJsonArray{image("aGk="), object(found)}
                                   << QJsonArray{image("aG8="), object(found)} << false;
    const QJsonObject shell = object(R"({"type":"shell_call_output","call_id":"s","output":[]})");
    QTest::newRow("what a hosted shell printed")
        << QJsonArray{shell, object(found)} << QJsonArray{shell, object(found)} << true;
    const QJsonObject one = object(R"({"type":"image_generation_call","id":"ig_1"})");
    const QJsonObject other = object(R"({"type":"image_generation_call","id":"ig_2"})");
    QTest::newRow("a reference to an image")
        << QJsonArray{one, object(found)} << QJsonArray{one, object(found)} << true;
    QTest::newRow("a reference to another")
        << QJsonArray{one, object(found)} << QJsonArray{other, object(found)} << false;
    const QJsonObject silent
        = object(R"({"type":"message","id":"m","role":"assistant","content":[]})");
    QTest::newRow("an empty message")
        << QJsonArray{silent, object(found)} << QJsonArray{silent, object(found)} << true;
    QTest::newRow("an empty message, left out")
        << QJsonArray{silent, object(found)} << QJsonArray{object(found)} << true;
    const QJsonObject refusal = object(R"({"type":"message","id":"m","role":"assistant",
                     "content":[{"type":"refusal","refusal":"no"}]})");
    QTest::newRow("a refusal") << QJsonArray{refusal} << QJsonArray{refusal} << true;
    const QJsonObject compacted
        = object(R"({"type":"compaction","id":"cmp_1","encrypted_content":"C"})");
    QTest::newRow("compaction") << QJsonArray{compacted, object(found)}
                                << QJsonArray{compacted, object(found)} << true;
}

void HostedCallsTest::aHostedCallContinuesHoweverItComesBack()
{
    QFETCH(const QJsonArray, reply);
    QFETCH(const QJsonArray, echo);
    QFETCH(const bool, continues);
    Stage stage;
    QJsonArray input{said("user", "look it up")};
    const auto first = stage.ask(input);
    QTRY_COMPARE(stage.peer.creates().size(), 1);
    stage.reply(0, reply, reply.size());
    QTRY_VERIFY(first->isComplete());
    for (const QJsonValue &item : echo)
        input.append(item);
    input.append(said("user", "and now"));
    const auto second = stage.ask(input);
    QTRY_COMPARE(stage.peer.creates().size(), 2);
    const ScriptedProvider::Create &create = stage.peer.creates().at(1);
    QCOMPARE(create.parent(), continues ? QStringLiteral("resp_0") : QString());
    QCOMPARE(create.socket, qsizetype{continues ? 0 : 1});
    const QJsonArray sent = create.frame.value(QLatin1String("input")).toArray();
    QCOMPARE(sent, continues ? QJsonArray{said("user", "and now")} : input);
}

// What came before that id is known to the provider only.
void HostedCallsTest::whatAClientContinuesByItsOwnIdIsNoOnesHistory()
{
    Stage stage;
    QJsonArray input{said("user", "go on")};
    const auto first = stage.ask(input, true, QStringLiteral("resp_x"));
    QTRY_COMPARE(stage.peer.creates().size(), 1);
    QCOMPARE(stage.peer.creates().at(0).parent(), QStringLiteral("resp_x"));
    stage.reply(0, {object(found)}, 1);
    QTRY_VERIFY(first->isComplete());
    input.append(object(found));
    input.append(said("user", "and now"));
    const auto second = stage.ask(input);
    QTRY_COMPARE(stage.peer.creates().size(), 2);
    QCOMPARE(stage.peer.creates().at(1).parent(), QString());
    QCOMPARE(stage.peer.creates().at(1).frame.value(QLatin1String("input")).toArray(), input);
}

void HostedCallsTest::itemsOfWhichSomeAreToldAtTheEndOnlyAreOneReply()
{
    Stage stage;
    const QJsonObject call
        = object(R"({"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}"})");
    QJsonArray input{said("user", "go")};
    const auto first = stage.ask(input);
    QTRY_COMPARE(stage.peer.creates().size(), 1);
    stage.reply(0, {object(found), call}, 1);
    QTRY_VERIFY(first->isComplete());
    const QJsonObject result
        = object(R"({"type":"function_call_output","call_id":"c","output":"done"})");
    for (const QJsonObject &item : {object(found), call, result})
        input.append(item);
    const auto second = stage.ask(input);
    QTRY_COMPARE(stage.peer.creates().size(), 2);
    QCOMPARE(stage.peer.creates().at(1).parent(), QStringLiteral("resp_0"));
    QCOMPARE(stage.peer.creates().at(1).frame.value(QLatin1String("input")).toArray(),
             QJsonArray{result});
    stage.reply(1, {object(found)}, 1);
    QTRY_VERIFY(second->isComplete());

    // The same for a client that is told in Messages' terms.
    const auto messages = stage.proxy.post("/v1/messages", tests::messagesBody({"hi"}), "s");
    QTRY_COMPARE(stage.peer.creates().size(), 3);
    stage.reply(2, {object(found), call}, 1);
    QTRY_VERIFY(messages->isComplete());
    QVERIFY(messages->body().contains("\"stop_reason\":\"tool_use\""));
}

void HostedCallsTest::itemsThatAreToldAtTheEndOnlyAreAReply_data()
{
    QTest::addColumn<bool>("stream");
    QTest::newRow("streamed") << true;
    QTest::newRow("whole") << false;
}

void HostedCallsTest::itemsThatAreToldAtTheEndOnlyAreAReply()
{
    QFETCH(const bool, stream);
    Stage stage;
    QJsonArray input{said("user", "go")};
    const auto first = stage.ask(input, stream);
    QTRY_COMPARE(stage.peer.creates().size(), 1);
    stage.reply(0, {object(found)}, 0);
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    QVERIFY(first->body().contains("found it"));
    QCOMPARE(stage.peer.creates().size(), 1); // not taken for an empty one and sent again
    input.append(object(found));
    input.append(said("user", "and now"));
    const auto second = stage.ask(input, stream);
    QTRY_COMPARE(stage.peer.creates().size(), 2);
    QCOMPARE(stage.peer.creates().at(1).parent(), QStringLiteral("resp_0"));
}

QTEST_GUILESS_MAIN(HostedCallsTest)
#include "tst_hostedcalls.moc"
