// SPDX-License-Identifier: GPL-3.0-or-later
// What only some upstreams take goes to those, and to no other (table 5.1, protocol
// notes 1.9, 3.3).
#include "proxy/core/dialects/shaping.h"
#include "tests/core/dialects/wire.h"

#include <QRegularExpression>
#include <QTest>

using namespace headway;
using dialects::UpstreamKind;

Q_DECLARE_METATYPE(headway::dialects::UpstreamKind)

namespace {

dialects::TurnRequest granted(const std::string &body, const std::string &model, UpstreamKind kind)
{
    auto request = wire::read(body);
    if (!request)
        qFatal("%s", request.error().message.c_str());
    dialects::setModel(*request, model);
    dialects::grantWishes(*request, kind);
    return *std::move(request);
}

QJsonArray sentInput(const dialects::TurnRequest &request, std::size_t from = 0)
{
    return wire::object(createFrame(request, from, {}))[QLatin1String("input")].toArray();
}

// "item.part" of each part with a breakpoint.
QString marked(const QJsonArray &input)
{
    QStringList places;
    for (int i = 0; i < input.size(); ++i) {
        const QJsonValue item = input[i];
        const QJsonValue parts = item[QLatin1String("content")].isArray()
            ? item[QLatin1String("content")]
            : item[QLatin1String("output")];
        const QJsonArray list = parts.toArray();
        for (int part = 0; part < list.size(); ++part) {
            const QJsonValue mark = list[part][QLatin1String("prompt_cache_breakpoint")];
            if (mark == QJsonObject{{QLatin1String("mode"), QLatin1String("explicit")}})
                places.append(QStringLiteral("%1.%2").arg(i).arg(part));
            else if (!mark.isUndefined())
                qFatal("an odd breakpoint");
        }
    }
    return places.join(QLatin1Char(' '));
}

const std::string mark = R"(,"cache_control":{"type":"ephemeral"})";

std::string text(const std::string &said, const std::string &more = {})
{
    return R"({"type":"text","text":")" + said + "\"" + more + '}';
}

std::string user(const std::string &blocks)
{
    return R"({"role":"user","content":[)" + blocks + "]}";
}

} // namespace

class WishesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sampleWhereTheModelTakesIt_data();
    void sampleWhereTheModelTakesIt();
    void sampleForChatToo();
    void refuseSamplingThatIsNoNumber();
    void knowTheUpstreamByItsHost_data();
    void knowTheUpstreamByItsHost();
    void markTheCacheWhereTheClientDid_data();
    void markTheCacheWhereTheClientDid();
    void markTheLatestThreeOfWhatGoesUp();
    void markNoCacheElsewhere_data();
    void markNoCacheElsewhere();
    void leaveTheItemsAlone();
    void keepTheFormOfResultsWhenTheMarkMovesOn();
    void askForAnEffortThatTheModelKnows_data();
    void askForAnEffortThatTheModelKnows();
    void compactWhereTheProviderDoes_data();
    void compactWhereTheProviderDoes();
    void giveAzureIdsOverHttps();
    void giveIdsToNobodyElse();
    void nameTheUserToTheProvider_data();
    void nameTheUserToTheProvider();
    void keepTheCacheLong();
    void markWhatShapingLeft();
};

void WishesTest::sampleWhereTheModelTakesIt_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("effort");
    QTest::addColumn<UpstreamKind>("kind");
    QTest::addColumn<bool>("sent");
    const auto row = [](const char *model, const char *effort, UpstreamKind kind, bool sent) {
        QTest::addRow("%s, effort %s, %d", model, effort, static_cast<int>(kind))
            << QByteArray(model) << QByteArray(effort) << kind << sent;
    };
    using enum UpstreamKind;
    for (const char *model : {"gpt-4.1", "gpt-4o", "gpt-4o-mini", "gpt-3.5-turbo",
                              "gpt-5-chat-latest", "ft:gpt-4o:acme::1", "chatgpt-4o-latest"})
        row(model, "", OpenAi, true);
    for (const char *model : {"gpt-5", "gpt-5.6", "gpt-5.1-codex", "gpt-6-mini", "o1", "o3-pro",
                              "o4-mini", "codex-mini-latest"})
        row(model, "", OpenAi, false);
    row("gpt-5.1", "none", OpenAi, true);
    row("gpt-5.6", "none", OpenAi, true);
    row("gpt-5.6", "low", OpenAi, false);
    row("gpt-5", "none", OpenAi, false); // GPT-5 itself knows no effort none
    row("o3", "none", OpenAi, false);
    row("gpt-4.1", "", Plan, false);
    row("openai/gpt-5.6", "", Other, false);
    row("openai/gpt-4.1", "", Other, true);
    row("grok-4", "", Other, true);
    row("openrouter-mistral", "", Other, true); // begins with an o, and is no o-series
    row("our-deployment", "", Azure, false);
    row("gpt-4o", "", Azure, true);
}

void WishesTest::sampleWhereTheModelTakesIt()
{
    QFETCH(const QByteArray, model);
    QFETCH(const QByteArray, effort);
    QFETCH(const UpstreamKind, kind);
    QFETCH(const bool, sent);
    std::string members = R"("temperature":0.20,"top_p":1e0,"top_k":3)";
    if (!effort.isEmpty())
        members += R"(,"output_config":{"effort":")" + effort.toStdString() + R"("})";
    const auto request = granted(wire::messagesBody(members), model.toStdString(), kind);
    const std::string frame = createFrame(request, 0, {});
    QCOMPARE(frame.find(R"("temperature":0.20,"top_p":1e0)") != std::string::npos, sent);
    QCOMPARE(wire::object(frame).contains(QLatin1String("temperature")), sent);
    QVERIFY(!wire::object(frame).contains(QLatin1String("top_k")));
}

void WishesTest::sampleForChatToo()
{
    auto request = dialects::readChatCompletions(
        std::make_shared<const std::string>(
            R"({"model":"gpt-4.1","temperature":2,"top_p":null,"messages":[{"role":"user","content":"a"}]})"),
        {});
    QVERIFY(request);
    dialects::grantWishes(*request, UpstreamKind::OpenAi);
    QCOMPARE(wire::fields(*request)[QLatin1String("temperature")].toInt(), 2);
    QVERIFY(!wire::fields(*request).contains(QLatin1String("top_p")));
}

void WishesTest::refuseSamplingThatIsNoNumber()
{
    for (const char *name : {"temperature", "top_p"}) {
        for (const char *value : {"\"hot\"", "[]", "true"}) {
            const std::string member = '"' + std::string(name) + "\":" + value;
            const auto messages = wire::read(wire::messagesBody(member));
            QVERIFY(!messages && messages.error().param == name);
            const auto chat = dialects::readChatCompletions(
                std::make_shared<const std::string>(
                    R"({"model":"m","messages":[{"role":"user","content":"a"}],)" + member + "}"),
                {});
            QVERIFY(!chat && chat.error().param == name);
        }
    }
}

void WishesTest::knowTheUpstreamByItsHost_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("plan");
    QTest::addColumn<UpstreamKind>("kind");
    QTest::newRow("public") << QByteArray("api.openai.com") << false << UpstreamKind::OpenAi;
    QTest::newRow("of a region") << QByteArray("eu.api.openai.com") << false
                                 << UpstreamKind::OpenAi;
    QTest::newRow("like it") << QByteArray("notapi.openai.com") << false << UpstreamKind::Other;
    QTest::newRow("plan") << QByteArray("chatgpt.com") << true << UpstreamKind::Plan;
    QTest::newRow("a gateway to the plan") << QByteArray("127.0.0.1") << true << UpstreamKind::Plan;
    QTest::newRow("Azure") << QByteArray("acme.openai.azure.com") << false << UpstreamKind::Azure;
    QTest::newRow("xAI") << QByteArray("api.x.ai") << false << UpstreamKind::Other;
}

void WishesTest::knowTheUpstreamByItsHost()
{
    QFETCH(const QByteArray, host);
    QFETCH(const bool, plan);
    QFETCH(const UpstreamKind, kind);
    QCOMPARE(dialects::upstreamKindOf(host.toStdString(), plan), kind);
}

void WishesTest::markTheCacheWhereTheClientDid_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QString>("places");
    const auto row = [](const char *name, const std::string &messages, const char *places) {
        QTest::newRow(name) << QByteArray::fromStdString('[' + messages + ']')
                            << QString::fromLatin1(places);
    };
    row("none", user(text("a")), "");
    row("a text", user(text("a") + ',' + text("b", mark)), "0.1");
    row("in the middle", user(text("a", mark) + ',' + text("b")), "0.0");
    row("a text that is dropped: the part before", user(text("a") + ',' + text("", mark)), "0.0");
    row("twice at one place", user(text("a", mark) + ',' + text("", mark)), "0.0");
    row("nothing before it", user(text("", mark) + ',' + text("a")), "");
    row("a text with quotes", user(text(R"(a \"}],{ b)", mark) + ',' + text("c")), "0.0");
    row("an image",
        user(R"({"type":"image","source":{"type":"url","url":"https://a/b"})" + mark + "},"
             + text("b")),
        "0.0");
    row("a document",
        user(
            R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="})"
            + mark + '}'),
        "0.0");
    row("a system message",
        user(text("a")) + R"(,{"role":"system","content":[)" + text("b", mark) + "]}", "1.0");
    const std::string call
        = R"({"role":"assistant","content":[{"type":"tool_use","id":"c","name":"R","input":{}}]},)";
    row("the parts of a result",
        user(text("a")) + ',' + call
            + user(R"({"type":"tool_result","tool_use_id":"c","content":[)" + text("x") + ','
                   + text("y", mark) + "]}"),
        "2.1");
    row("a result as a whole",
        user(text("a")) + ',' + call
            + user(R"({"type":"tool_result","tool_use_id":"c","content":[)" + text("x") + ','
                   + text("y") + "]" + mark + "}"),
        "2.1");
    const auto result = [&](const std::string &members) {
        return user(text("a")) + ',' + call
            + user(R"({"type":"tool_result","tool_use_id":"c")" + members + "}");
    };
    row("a result of one text", result(R"(,"content":"x")" + mark), "2.0");
    row("the one text of a result", result(R"(,"content":[)" + text("x", mark) + "]"), "2.0");
    row("an empty result", result(mark), "2.0");
    row("a result that is an error", result(R"(,"content":"x","is_error":true)" + mark), "2.0");
    row("a result with quotes", result(R"(,"content":"\"}]{")" + mark), "2.0");
    // Upstream has no word for these: the mark goes to what is in front of them.
    row("what the assistant said",
        user(text("a")) + R"(,{"role":"assistant","content":[)" + text("b", mark) + "]},"
            + user(text("c")),
        "0.0");
    row("what the assistant said behind a mark",
        user(text("a", mark)) + R"(,{"role":"assistant","content":[)" + text("b", mark) + "]},"
            + user(text("c", mark)),
        "0.0 2.0");
    row("a call",
        result(R"(,"content":"x")")
            + R"(,{"role":"assistant","content":[{"type":"tool_use","id":"d","name":"R","input":{})"
            + mark + "}]}",
        "2.0");
    row("what the assistant said first",
        R"({"role":"assistant","content":[)" + text("b", mark) + "]}," + user(text("c")), "");
}

void WishesTest::markTheCacheWhereTheClientDid()
{
    QFETCH(const QByteArray, messages);
    QFETCH(const QString, places);
    const auto request
        = granted(wire::messagesBody({}, messages.toStdString()), "gpt-5.6", UpstreamKind::OpenAi);
    QCOMPARE(marked(sentInput(request)), places);
    QCOMPARE(marked(wire::object(postBody(request))[QLatin1String("input")].toArray()), places);
}

void WishesTest::markTheLatestThreeOfWhatGoesUp()
{
    const std::string all = '[' + user(text("a", mark)) + ',' + user(text("b", mark)) + ','
        + user(text("c", mark)) + ',' + user(text("d", mark)) + ']';
    const auto request = granted(wire::messagesBody({}, all), "gpt-6", UpstreamKind::OpenAi);
    QCOMPARE(marked(sentInput(request)), QStringLiteral("1.0 2.0 3.0"));
    QCOMPARE(marked(sentInput(request, 2)), QStringLiteral("0.0 1.0"));
}

void WishesTest::markNoCacheElsewhere_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<UpstreamKind>("kind");
    QTest::newRow("an older model") << QByteArray("gpt-5.5") << UpstreamKind::OpenAi;
    QTest::newRow("no such family") << QByteArray("o3") << UpstreamKind::OpenAi;
    QTest::newRow("the plan") << QByteArray("gpt-5.6") << UpstreamKind::Plan;
    QTest::newRow("Azure") << QByteArray("gpt-5.6") << UpstreamKind::Azure;
    QTest::newRow("others") << QByteArray("gpt-5.6") << UpstreamKind::Other;
}

void WishesTest::markNoCacheElsewhere()
{
    QFETCH(const QByteArray, model);
    QFETCH(const UpstreamKind, kind);
    const std::string hour = R"(,"cache_control":{"type":"ephemeral","ttl":"1h"})";
    const auto with = granted(wire::messagesBody({}, '[' + user(text("a", hour)) + ']'),
                              model.toStdString(), kind);
    const auto without
        = granted(wire::messagesBody({}, '[' + user(text("a")) + ']'), model.toStdString(), kind);
    QCOMPARE(createFrame(with, 0, {}), createFrame(without, 0, {}));
}

// The mark moves on with the conversation; the prompt must not.
void WishesTest::leaveTheItemsAlone()
{
    const auto first = granted(wire::messagesBody({}, '[' + user(text("a", mark)) + ']'), "gpt-5.6",
                               UpstreamKind::OpenAi);
    const auto second
        = granted(wire::messagesBody({}, '[' + user(text("a")) + ',' + user(text("b", mark)) + ']'),
                  "gpt-5.6", UpstreamKind::OpenAi);
    QCOMPARE(first.input.at(0), second.input.at(0));
    QCOMPARE(first.fields, second.fields);
    QCOMPARE(marked(sentInput(second)), QStringLiteral("1.0"));
}

// A result of one text is a string, and a part of its own where it may be marked: one or the other
// for all of a conversation, or the prompt would change with the mark.
void WishesTest::keepTheFormOfResultsWhenTheMarkMovesOn()
{
    const auto sent = [](const std::string &resultMark, const std::string &more) {
        const std::string messages = '[' + user(text("a"))
            + R"(,{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"R","input":{}}]},)"
            + user(R"({"type":"tool_result","tool_use_id":"c","content":"x \"y\"")" + resultMark
                   + '}')
            + more + ']';
        return createFrame(
            granted(wire::messagesBody({}, messages), "gpt-5.6", UpstreamKind::OpenAi), 0, {});
    };
    const std::string breakpoint = R"(,"prompt_cache_breakpoint":{"mode":"explicit"})";
    std::string first = sent(mark, {});
    const std::size_t at = first.find(breakpoint);
    QVERIFY(at != std::string::npos);
    first.erase(at, breakpoint.size());
    const std::string second = sent({}, ',' + user(text("b", mark)));
    QVERIFY(second.starts_with(first.substr(0, first.size() - 2)));
    const QJsonObject output = wire::object(second)[QLatin1String("input")][2].toObject();
    QCOMPARE(output[QLatin1String("output")][0][QLatin1String("text")].toString(),
             QStringLiteral("x \"y\""));
    // Nobody marks anything: a string, as the client wrote it.
    const QJsonObject plain = wire::object(sent({}, {}))[QLatin1String("input")][2].toObject();
    QCOMPARE(plain[QLatin1String("output")].toString(), QStringLiteral("x \"y\""));
}

void WishesTest::askForAnEffortThatTheModelKnows_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("sent");
    const auto row = [](const char *model, const char *asked, const char *sent) {
        QTest::addRow("%s, %s", model, asked)
            << QByteArray(model) << QByteArray(asked) << QByteArray(sent);
    };
    for (const char *effort : {"none", "low", "medium", "high", "xhigh", "max"})
        row("gpt-5.6-sol", effort, effort);
    row("gpt-5.6", "minimal", "none");
    row("gpt-6-mini", "max", "max");
    row("gpt-5.5", "max", "xhigh"); // table 5.1
    row("gpt-5.2", "xhigh", "xhigh");
    row("gpt-5.1", "max", "high");
    row("gpt-5.1", "none", "none");
    row("gpt-5.1-codex-max", "max", "xhigh");
    row("gpt-5.1-codex", "none", "low");
    row("gpt-5.3-codex", "max", "xhigh");
    row("gpt-5", "none", "minimal"); // as table 5.1: "none/minimal"
    row("gpt-5-mini", "xhigh", "high");
    row("gpt-5-codex", "none", "low");
    row("o3", "max", "high");
    row("o4-mini", "none", "low");
    row("openai/gpt-5.5", "max", "xhigh");
    row("our-deployment", "max", "max"); // its name says nothing
    row("grok-4", "none", "none");
}

void WishesTest::askForAnEffortThatTheModelKnows()
{
    QFETCH(const QByteArray, model);
    QFETCH(const QByteArray, asked);
    QFETCH(const QByteArray, sent);
    const auto request
        = granted(wire::messagesBody(R"("thinking":{"type":"adaptive"},"output_config":{"effort":")"
                                     + asked.toStdString() + R"("})"),
                  model.toStdString(), UpstreamKind::Other);
    const QJsonObject reasoning = wire::fields(request)[QLatin1String("reasoning")].toObject();
    QCOMPARE(reasoning[QLatin1String("effort")].toString().toLatin1(), sent);
    QCOMPARE(request.effort, sent.toStdString());
    // A client that speaks the provider's own words is left alone.
    auto chat = dialects::readChatCompletions(
        std::make_shared<const std::string>(R"({"model":"m","reasoning_effort":")"
                                            + asked.toStdString()
                                            + R"(","messages":[{"role":"user","content":"a"}]})"),
        {});
    QVERIFY(chat);
    dialects::setModel(*chat, model.toStdString());
    dialects::grantWishes(*chat, UpstreamKind::Other);
    QCOMPARE(chat->effort, asked.toStdString());
}

void WishesTest::compactWhereTheProviderDoes_data()
{
    QTest::addColumn<QByteArray>("edit");
    QTest::addColumn<UpstreamKind>("kind");
    QTest::addColumn<int>("threshold"); // 0: nothing is asked for
    const auto row = [](const char *name, const char *edit, UpstreamKind kind, int threshold) {
        QTest::newRow(name) << QByteArray(edit) << kind << threshold;
    };
    using enum UpstreamKind;
    row("150 000 by default", R"({"type":"compact_20260112"})", OpenAi, 150'000);
    row("as told",
        R"({"type":"compact_20260112","trigger":{"type":"input_tokens","value":80000},"pause_after_compaction":true})",
        OpenAi, 80'000);
    row("not below the provider's minimum",
        R"({"type":"compact_20260112","trigger":{"type":"input_tokens","value":1}})", OpenAi,
        1'000);
    row("beside another edit",
        R"({"type":"clear_thinking_20251015","keep":"all"},{"type":"compact_20260112"})", OpenAi,
        150'000);
    row("not asked for", R"({"type":"clear_thinking_20251015","keep":"all"})", OpenAi, 0);
    row("the plan", R"({"type":"compact_20260112"})", Plan, 0);
    row("Azure", R"({"type":"compact_20260112"})", Azure, 0);
    row("others", R"({"type":"compact_20260112"})", Other, 0);
}

void WishesTest::compactWhereTheProviderDoes()
{
    QFETCH(const QByteArray, edit);
    QFETCH(const UpstreamKind, kind);
    QFETCH(const int, threshold);
    const auto request = granted(
        wire::messagesBody(R"("context_management":{"edits":[)" + edit.toStdString() + "]}"),
        "gpt-5.6", kind);
    const QJsonArray expected{QJsonObject{{QLatin1String("type"), QLatin1String("compaction")},
                                          {QLatin1String("compact_threshold"), threshold}}};
    const QJsonValue sent = wire::fields(request).value(QLatin1String("context_management"));
    if (threshold == 0)
        QVERIFY(sent.isUndefined());
    else
        QCOMPARE(sent.toArray(), expected);
}

namespace {

// The assistant said the same twice, thought, and called.
std::string longer(const std::string &more = {})
{
    return '[' + user(text("a")) + R"(,{"role":"assistant","content":"ok"},)" + user(text("b"))
        + R"(,{"role":"assistant","content":[{"type":"text","text":"ok"},)"
          R"({"type":"thinking","thinking":"","signature":"hw.v1.rs_9..blob"},)"
          R"({"type":"thinking","thinking":"","signature":"hw.v1...bare"},)"
          R"({"type":"tool_use","id":"call_1","name":"R","input":{}}]},)"
        + user(R"({"type":"tool_result","tool_use_id":"call_1","content":"x"})") + more + ']';
}

QStringList idsIn(const std::string &body)
{
    QStringList ids;
    for (const QJsonValue item : wire::object(body)[QLatin1String("input")].toArray())
        ids.append(item[QLatin1String("id")].toString());
    return ids;
}

} // namespace

// Protocol notes 1.11: refused there without ids.
void WishesTest::giveAzureIdsOverHttps()
{
    const auto request = granted(wire::messagesBody({}, longer()), "m", UpstreamKind::Azure);
    const QStringList ids = idsIn(postBody(request));
    const QStringList forms{{},
                            QStringLiteral("msg_"),
                            {},
                            QStringLiteral("msg_"),
                            QStringLiteral("rs_9"),
                            QStringLiteral("rs_"),
                            QStringLiteral("fc_"),
                            {}};
    QCOMPARE(ids.size(), forms.size());
    for (int i = 0; i < ids.size(); ++i) {
        QVERIFY2(ids[i].startsWith(forms[i]), qPrintable(ids[i]));
        QCOMPARE(ids[i].isEmpty(), forms[i].isEmpty());
        QVERIFY(ids[i].size() <= 64);
    }
    QVERIFY(ids[1] != ids[3]); // unlike, though they say the same
    QCOMPARE(ids[4], QStringLiteral("rs_9")); // its own
    // The same in the next turn.
    const auto next
        = granted(wire::messagesBody({}, longer(',' + user(text("c")))), "m", UpstreamKind::Azure);
    QCOMPARE(idsIn(postBody(next)).mid(0, ids.size()), ids);
    // Over WebSocket nothing asks for them.
    QCOMPARE(idsIn(createFrame(request, 0, {})).filter(QRegularExpression(QStringLiteral("."))),
             QStringList{QStringLiteral("rs_9")});
}

void WishesTest::giveIdsToNobodyElse()
{
    for (const UpstreamKind kind : {UpstreamKind::OpenAi, UpstreamKind::Plan, UpstreamKind::Other})
    {
        const auto request = granted(wire::messagesBody({}, longer()), "m", kind);
        QCOMPARE(idsIn(postBody(request)).filter(QRegularExpression(QStringLiteral("."))),
                 QStringList{QStringLiteral("rs_9")});
    }
    // A Responses client has its own, and what it sends goes up byte for byte.
    auto own = dialects::readResponses(
        std::make_shared<const std::string>(
            R"({"model":"m","input":[{"type":"function_call","call_id":"c","name":"R","arguments":"{}"}]})"),
        {}, dialects::Door::Responses);
    QVERIFY(own);
    dialects::grantWishes(*own, UpstreamKind::Azure);
    QCOMPARE(idsIn(postBody(*own)), QStringList{QString()});
}

void WishesTest::nameTheUserToTheProvider_data()
{
    QTest::addColumn<UpstreamKind>("kind");
    QTest::addColumn<bool>("sent");
    using enum UpstreamKind;
    QTest::newRow("the public API") << OpenAi << true;
    QTest::newRow("the plan") << Plan << false;
    QTest::newRow("Azure") << Azure << false;
    QTest::newRow("others") << Other << false;
}

void WishesTest::nameTheUserToTheProvider()
{
    QFETCH(const UpstreamKind, kind);
    QFETCH(const bool, sent);
    auto request = wire::read(wire::messagesBody());
    QVERIFY(request);
    request->wishes.user = "hw-12";
    dialects::grantWishes(*request, kind);
    QCOMPARE(wire::fields(*request).value(QLatin1String("safety_identifier")),
             sent ? QJsonValue(QLatin1String("hw-12")) : QJsonValue(QJsonValue::Undefined));
}

void WishesTest::keepTheCacheLong()
{
    const auto ttl = [](const std::string &given) -> QJsonValue {
        const std::string control = R"(,"cache_control":{"type":"ephemeral")" + given + "}";
        const auto request = granted(wire::messagesBody({}, '[' + user(text("a", control)) + ']'),
                                     "gpt-5.6", UpstreamKind::OpenAi);
        return wire::fields(request).value(QLatin1String("prompt_cache_options"));
    };
    QVERIFY(ttl("").isUndefined()); // its default is 30 minutes
    QVERIFY(ttl(R"(,"ttl":"5m")").isUndefined());
    const auto whole
        = granted(wire::messagesBody(R"("cache_control":{"type":"ephemeral","ttl":"1h"})"),
                  "gpt-5.6", UpstreamKind::OpenAi); // of the request itself: at its end
    QCOMPARE(wire::fields(whole)[QLatin1String("prompt_cache_options")][QLatin1String("ttl")],
             QJsonValue(QLatin1String("12h")));
    QCOMPARE(ttl(R"(,"ttl":"1h")"),
             QJsonValue(QJsonObject{{QLatin1String("ttl"), QLatin1String("12h")}}));
}

void WishesTest::markWhatShapingLeft()
{
    auto request = granted(wire::messagesBody({},
                                              '[' + user(text("a", mark)) + ',' + user(text("b"))
                                                  + ',' + user(text("c", mark)) + ']'),
                           "gpt-5.6", UpstreamKind::OpenAi);
    dialects::ShapingRules rules;
    rules.historyTurns = 1;
    dialects::shape(request, rules);
    QCOMPARE(request.input.size(), std::size_t{2}); // a note, and the last turn
    QCOMPARE(marked(sentInput(request)), QStringLiteral("1.0"));
}

QTEST_APPLESS_MAIN(WishesTest)
#include "tst_wishes.moc"
