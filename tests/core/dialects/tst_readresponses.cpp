// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

tl::expected<TurnRequest, TurnError> readBody(const std::string &body, Door door = Door::Responses,
                                              const ClientHeaders &headers = {})
{
    return readResponses(std::make_shared<const std::string>(body), headers, door);
}

} // namespace

class ReadResponsesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesFieldsAndItemsByteForByte();
    void leavesOutWhatTheFrameSaysItself();
    void ofTwoMembersWithOneNameTheLastGoesUp();
    void keepsAWarmUpAWarmUp();
    void makesAMessageOfAPlainInput();
    void acceptsNoInput_data();
    void acceptsNoInput();
    void addsNothingOfItsOwnButTheStream();
    void remembersTheChainTheClientNames();
    void replacesTheModelAtItsPlace();
    void keepsTheClientsCacheKey();
    void tellsWhoSpeaks_data();
    void tellsWhoSpeaks();
    void isInteractiveWhenAPersonWaits_data();
    void isInteractiveWhenAPersonWaits();
    void refusesBadBodies_data();
    void refusesBadBodies();
};

void ReadResponsesTest::passesFieldsAndItemsByteForByte()
{
    const std::string body
        = R"({ "model" : "m", "temperature":1.0e0, "input":[ {"type":"message", "role":"user","content":"\u0068i"} , {"type":"reasoning","encrypted_content":"E","summary":[]}],)"
          R"("big":123456789012345678901234567890,"x":{ "b":1,"a":2 } })";
    const auto request = readBody(body);
    QVERIFY(request);
    QCOMPARE(
        request->fields,
        std::string(
            R"("model":"m","temperature":1.0e0,"big":123456789012345678901234567890,"x":{ "b":1,"a":2 },"stream":true)"));
    QCOMPARE(request->input.size(), std::size_t{2});
    QCOMPARE(std::string(request->input[0]),
             std::string(R"({"type":"message", "role":"user","content":"\u0068i"})"));
    QCOMPARE(
        createFrame(*request, 1, "resp_\"1"),
        R"({"type":"response.create",)" + request->fields
            + R"(,"previous_response_id":"resp_\"1","input":[{"type":"reasoning","encrypted_content":"E","summary":[]}]})");
}

void ReadResponsesTest::leavesOutWhatTheFrameSaysItself()
{
    const auto request = readBody(
        R"({"type":"response.create","model":"m","input":[],"previous_response_id":"r","stream":true,"background":true,"generate":true})",
        Door::ResponsesSocket);
    QVERIFY(request);
    QCOMPARE(request->fields, std::string(R"("model":"m","stream":true)"));
    QVERIFY(request->generate && request->stream);
}

// A provider that goes by the first would answer another model than the one that was routed.
void ReadResponsesTest::ofTwoMembersWithOneNameTheLastGoesUp()
{
    auto request = readBody(R"({"model":"a","tools":[1],"mod\u0065l":"b","tools":[],"input":[]})");
    QVERIFY(request);
    QCOMPARE(request->modelAsked, std::string("b"));
    QCOMPARE(request->fields, std::string(R"("mod\u0065l":"b","tools":[],"stream":true)"));
    setModel(*request, "c");
    QCOMPARE(request->fields, std::string(R"("mod\u0065l":"c","tools":[],"stream":true)"));
}

void ReadResponsesTest::keepsAWarmUpAWarmUp()
{
    const auto request
        = readBody(R"({"type":"response.create","generate":false,"model":"m","input":[]})",
                   Door::ResponsesSocket);
    QVERIFY(request);
    QVERIFY(!request->generate);
    QCOMPARE(wire::fields(*request)[QLatin1String("generate")].toBool(true), false);
}

void ReadResponsesTest::makesAMessageOfAPlainInput()
{
    const auto request = readBody(R"({"model":"m","instructions":"be","input":"h\u0069\n"})");
    QVERIFY(request);
    QCOMPARE(request->input.size(), std::size_t{1});
    QCOMPARE(
        std::string(request->input[0]),
        std::string(
            R"({"type":"message","role":"user","content":[{"type":"input_text","text":"h\u0069\n"}]})"));
    const TurnRequest moved = *request;
    QCOMPARE(std::string(moved.instructions), std::string(R"("be")"));
    QVERIFY(moved.input[0].data() >= moved.text->data()
            && moved.input[0].data() + moved.input[0].size()
                <= moved.text->data() + moved.text->size());
}

void ReadResponsesTest::acceptsNoInput_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::newRow("absent") << QByteArray();
    QTest::newRow("null") << QByteArray(R"(,"input":null)");
    QTest::newRow("empty array") << QByteArray(R"(,"input":[])");
    QTest::newRow("empty string") << QByteArray(R"(,"input":"")");
}

void ReadResponsesTest::acceptsNoInput()
{
    QFETCH(const QByteArray, input);
    const auto request = readBody(R"({"model":"m")" + input.toStdString() + "}");
    QVERIFY(request);
    QVERIFY(request->input.empty());
    QVERIFY(createFrame(*request, 0, {}).ends_with(R"(,"input":[]})"));
}

void ReadResponsesTest::addsNothingOfItsOwnButTheStream()
{
    const auto request = readBody(R"({"model":"m","input":"x","stream":false})");
    QVERIFY(request);
    QVERIFY(!request->stream); // what the client gets
    QCOMPARE(request->fields, std::string(R"("model":"m","stream":true)")); // what upstream is told
}

void ReadResponsesTest::remembersTheChainTheClientNames()
{
    const auto request = readBody(
        R"({"type":"response.create","model":"m","previous_response_id":"resp_7","input":[{"type":"function_call_output","call_id":"c","output":"x"}]})",
        Door::ResponsesSocket);
    QVERIFY(request);
    QCOMPARE(request->previousResponseId, std::string("resp_7"));
    QVERIFY(readBody(R"({"model":"m","previous_response_id":null})")->previousResponseId.empty());
}

void ReadResponsesTest::replacesTheModelAtItsPlace()
{
    auto request = readBody(R"({"instructions":"model","model":"a","tools":[{"model":"x"}]})");
    QVERIFY(request);
    setModel(*request, "b");
    QCOMPARE(
        request->fields,
        std::string(R"("instructions":"model","model":"b","tools":[{"model":"x"}],"stream":true)"));
    QCOMPARE(std::string(request->tools), std::string(R"([{"model":"x"}])"));
}

void ReadResponsesTest::keepsTheClientsCacheKey()
{
    auto request = readBody(R"({"model":"a","prompt_cache_key":"mine"})");
    QVERIFY(request);
    setCacheKey(*request, "ours");
    QCOMPARE(wire::fields(*request)[QLatin1String("prompt_cache_key")].toString(),
             QLatin1String("mine"));
}

void ReadResponsesTest::tellsWhoSpeaks_data()
{
    QTest::addColumn<QByteArray>("session");
    QTest::addColumn<QByteArray>("thread");
    QTest::addColumn<QByteArray>("parent");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QList<QByteArray>>("expected"); // session, agent, parent, cache key
    const QByteArray plain = R"({"model":"m"})";
    QTest::newRow("main thread") << QByteArray("s") << QByteArray("s") << QByteArray() << plain
                                 << QList<QByteArray>{"s", "", "", ""};
    QTest::newRow("sub-agent") << QByteArray("s") << QByteArray("t") << QByteArray("s") << plain
                               << QList<QByteArray>{"s", "t", "s", ""};
    QTest::newRow("only a thread") << QByteArray() << QByteArray("t") << QByteArray() << plain
                                   << QList<QByteArray>{"t", "", "", ""};
    QTest::newRow("cache key") << QByteArray() << QByteArray() << QByteArray()
                               << QByteArray(R"({"model":"m","user":"u","prompt_cache_key":"k"})")
                               << QList<QByteArray>{"", "", "", "k"};
    QTest::newRow("user") << QByteArray() << QByteArray() << QByteArray()
                          << QByteArray(R"({"model":"m","user":"u"})")
                          << QList<QByteArray>{"", "", "", "u"};
}

void ReadResponsesTest::tellsWhoSpeaks()
{
    QFETCH(const QByteArray, session);
    QFETCH(const QByteArray, thread);
    QFETCH(const QByteArray, parent);
    QFETCH(const QByteArray, body);
    QFETCH(const QList<QByteArray>, expected);
    ClientHeaders headers;
    const auto add = [&headers](const char *name, const QByteArray &value) {
        if (!value.isEmpty())
            headers.fields.emplace_back(name, value.toStdString());
    };
    add("session-id", session);
    add("thread-id", thread);
    add("x-codex-parent-thread-id", parent);
    const auto request = readBody(body.toStdString(), Door::Responses, headers);
    QVERIFY(request);
    const Identity &identity = request->identity;
    QCOMPARE((QList<QByteArray>{QByteArray::fromStdString(identity.session),
                                QByteArray::fromStdString(identity.agent),
                                QByteArray::fromStdString(identity.parentAgent),
                                QByteArray::fromStdString(identity.cacheKey)}),
             expected);
}

void ReadResponsesTest::isInteractiveWhenAPersonWaits_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<bool>("interactive");
    QTest::newRow("string") << QByteArray(R"("hi")") << true;
    QTest::newRow("easy message") << QByteArray(R"([{"role":"user","content":"hi"}])") << true;
    QTest::newRow("parts") << QByteArray(
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}])")
                           << true;
    QTest::newRow("note behind") << QByteArray(
        R"([{"role":"user","content":"hi"},{"role":"developer","content":"n"}])")
                                 << true;
    QTest::newRow("tool output") << QByteArray(
        R"([{"role":"user","content":"hi"},{"type":"function_call_output","call_id":"c","output":"x"}])")
                                 << false;
    QTest::newRow("nothing") << QByteArray("[]") << false;
}

void ReadResponsesTest::isInteractiveWhenAPersonWaits()
{
    QFETCH(const QByteArray, input);
    const auto request = readBody(R"({"model":"m","input":)" + input.toStdString() + "}",
                                  Door::Responses, {{{"session-id", "s"}}});
    QVERIFY(request);
    QTEST(request->interactive, "interactive");
}

void ReadResponsesTest::refusesBadBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const QByteArray &body, const char *says) {
        QTest::newRow(name) << body << QByteArray(says);
    };
    row("cut", R"({"type":"response.create",)", "byte 26");
    row("other frame", R"({"type":"response.steer","model":"m"})", "response.create");
    row("no type", R"({"model":"m"})", "type");
    row("no model", R"({"type":"response.create"})", "model: field required");
    row("input is a number", R"({"type":"response.create","model":"m","input":5})",
        "input: expected");
    row("item is a string", R"({"type":"response.create","model":"m","input":[{},"x"]})",
        "input[1]: expected");
    row("generate is a string", R"({"type":"response.create","model":"m","generate":"no"})",
        "generate: expected");
    row("id is a number", R"({"type":"response.create","model":"m","previous_response_id":5})",
        "previous_response_id: expected");
    row("lanes", R"({"type":"response.create","model":"m","stream_id":"a"})", "stream_id");
}

void ReadResponsesTest::refusesBadBodies()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, says);
    const auto request = readBody(body.toStdString(), Door::ResponsesSocket);
    QVERIFY(!request);
    QCOMPARE(request.error().kind, ErrorKind::InvalidRequest);
    QVERIFY2(request.error().message.find(says.toStdString()) != std::string::npos,
             request.error().message.c_str());
}

QTEST_APPLESS_MAIN(ReadResponsesTest)
#include "tst_readresponses.moc"
