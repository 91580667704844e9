// SPDX-License-Identifier: GPL-3.0-or-later
// A client's own context editing, carried out here (table 5.1, "clear_tool_uses: apply locally").
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;

namespace {

constexpr int tokensOfAResult = 1000; // " the" is one token each

QString result()
{
    return QString(QLatin1String(" the")).repeated(tokensOfAResult);
}

QJsonObject block(const char *type)
{
    return {{QLatin1String("type"), QLatin1String(type)}};
}

// A user's text, then `calls` calls of the tools "Read" and "Grep" in turn, each with its result.
std::string conversation(int calls)
{
    QJsonArray messages{QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                                    {QLatin1String("content"), QLatin1String("go")}}};
    for (int i = 1; i <= calls; ++i) {
        QJsonObject use = block("tool_use");
        use[QLatin1String("id")] = QStringLiteral("call_%1").arg(i);
        use[QLatin1String("name")] = i % 2 == 1 ? QLatin1String("Read") : QLatin1String("Grep");
        use[QLatin1String("input")] = wire::object(R"({"path":"/a"})");
        messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("assistant")},
                                    {QLatin1String("content"), QJsonArray{use}}});
        QJsonObject answer = block("tool_result");
        answer[QLatin1String("tool_use_id")] = use[QLatin1String("id")];
        answer[QLatin1String("content")] = result();
        messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                                    {QLatin1String("content"), QJsonArray{answer}}});
    }
    return QJsonDocument(messages).toJson(QJsonDocument::Compact).toStdString();
}

std::string edit(const std::string &more)
{
    return R"("context_management":{"edits":[{"type":"clear_tool_uses_20250919")"
        + (more.empty() ? "" : "," + more) + "}]}";
}

tl::expected<dialects::TurnRequest, dialects::TurnError> read(const std::string &members, int calls)
{
    return wire::read(wire::messagesBody(members, conversation(calls)));
}

// The numbers of the calls whose result, or input, does not go up as it was said.
QString changed(const dialects::TurnRequest &request, const char *type, const char *member,
                const QString &whole)
{
    QStringList numbers;
    for (const QJsonValue item : wire::items(request)) {
        if (item[QLatin1String("type")] == QLatin1String(type)
            && item[QLatin1String(member)].toString() != whole)
            numbers.append(item[QLatin1String("call_id")].toString().mid(5));
    }
    return numbers.join(QLatin1Char(' '));
}

QString clearedResults(const dialects::TurnRequest &request)
{
    return changed(request, "function_call_output", "output", result());
}

QString clearedInputs(const dialects::TurnRequest &request)
{
    return changed(request, "function_call", "arguments", QStringLiteral(R"({"path":"/a"})"));
}

} // namespace

class ContextEditsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clearsOldResultsOverTheTrigger_data();
    void clearsOldResultsOverTheTrigger();
    void clearsOver100000TokensUnlessToldOtherwise();
    void saysThatAResultWasCleared();
    void keepsATurnAPrefixOfTheNextBetweenTwoClearings();
    void tellsTheClientWhatWasCleared();
    void countsWhatIsLeft();
    void refusesAmountsThatAreNone();
    void beginsWithTheLatestSummary();
    void keepsEverythingWhereNoSummaryWasMade_data();
    void keepsEverythingWhereNoSummaryWasMade();
    void clearsOnlyBehindASummary();
};

void ContextEditsTest::clearsOldResultsOverTheTrigger_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<int>("calls");
    QTest::addColumn<QString>("results");
    QTest::addColumn<QString>("inputs");
    const auto row = [](const char *name, const std::string &members, int calls,
                        const char *results, const char *inputs = "") {
        QTest::newRow(name) << QByteArray::fromStdString(members) << calls
                            << QString::fromLatin1(results) << QString::fromLatin1(inputs);
    };
    // About 1 000 tokens a result: the third is over 2 500.
    const std::string over = R"("trigger":{"type":"input_tokens","value":2500})";
    const std::string two = R"("keep":{"type":"tool_uses","value":2})";
    row("not asked for", "", 5, "");
    row("another kind of edit",
        R"("context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]})", 5,
        "");
    row("under the trigger", edit(over), 2, "");
    row("keeps three by default", edit(over), 5, "1 2");
    row("keeps as many as it is told", edit(over + "," + two), 5, "1 2 3");
    row("keeps none", edit(over + R"(,"keep":{"type":"tool_uses","value":0})"), 3, "1 2 3");
    row("100 000 by default", edit(""), 80, "");
    // At the fourth result two go at once; then one alone is not worth it.
    const std::string least = R"(,"clear_at_least":{"type":"input_tokens","value":1500})";
    row("not for less than it is told", edit(over + "," + two + least), 3, "");
    row("clears enough at once", edit(over + "," + two + least), 5, "1 2");
    row("again once it is enough", edit(over + "," + two + least), 6, "1 2 3 4");
    row("counts uses", edit(R"("trigger":{"type":"tool_uses","value":3},)" + two), 5, "1 2");
    row("spares a tool", edit(over + "," + two + R"(,"exclude_tools":["Read"])"), 5, "2");
    row("takes the inputs too", edit(over + "," + two + R"(,"clear_tool_inputs":true)"), 5, "1 2 3",
        "1 2 3");
    row("takes the inputs of one tool", edit(over + "," + two + R"(,"clear_tool_inputs":["Grep"])"),
        5, "1 2 3", "2");
}

void ContextEditsTest::clearsOldResultsOverTheTrigger()
{
    QFETCH(const QByteArray, members);
    QFETCH(const int, calls);
    QFETCH(const QString, results);
    QFETCH(const QString, inputs);
    const auto request = read(members.toStdString(), calls);
    QVERIFY2(request.has_value(), request ? "" : request.error().message.c_str());
    QCOMPARE(request->input.size(), std::size_t(1 + 2 * calls)); // no item goes
    QCOMPARE(clearedResults(*request), results);
    QCOMPARE(clearedInputs(*request), inputs);
}

void ContextEditsTest::clearsOver100000TokensUnlessToldOtherwise()
{
    const auto request = read(edit(""), 120);
    QVERIFY(request);
    QVERIFY2(clearedResults(*request).startsWith(QLatin1String("1 2 3 ")),
             qPrintable(clearedResults(*request)));
    QVERIFY(!clearedResults(*request).contains(QLatin1String("120")));
}

void ContextEditsTest::saysThatAResultWasCleared()
{
    const auto request
        = read(edit(R"("trigger":{"type":"tool_uses","value":0},"clear_tool_inputs":true,)"
                    R"("keep":{"type":"tool_uses","value":1})"),
               2);
    QVERIFY(request);
    const QJsonArray items = wire::items(*request);
    QCOMPARE(items[1][QLatin1String("arguments")].toString(), QLatin1String("{}"));
    const QString output = items[2][QLatin1String("output")].toString();
    QVERIFY2(output.contains(QLatin1String("cleared")), qPrintable(output));
    QCOMPARE(items[4][QLatin1String("output")].toString(), result());
}

void ContextEditsTest::keepsATurnAPrefixOfTheNextBetweenTwoClearings()
{
    const std::string members = edit(R"("trigger":{"type":"input_tokens","value":4500},)"
                                     R"("keep":{"type":"tool_uses","value":1},)"
                                     R"("clear_at_least":{"type":"input_tokens","value":2500})");
    int same = 0;
    int clearings = 0;
    auto before = read(members, 1);
    for (int calls = 2; calls <= 16; ++calls) {
        auto after = read(members, calls);
        QVERIFY(before && after);
        const bool prefix
            = std::equal(before->input.begin(), before->input.end(), after->input.begin());
        prefix ? ++same : ++clearings;
        QCOMPARE(prefix, clearedResults(*before) == clearedResults(*after));
        before = std::move(after);
    }
    // From 1 000 to 4 000 tokens by thousands, then four go and one stays.
    QCOMPARE(clearings, 3);
    QCOMPARE(same, 12);
}

void ContextEditsTest::tellsTheClientWhatWasCleared()
{
    const std::string over = R"("trigger":{"type":"input_tokens","value":2500})";
    for (const bool cleared : {true, false}) {
        const auto request = read(cleared ? edit(over) : std::string(), 5);
        QVERIFY(request);
        const auto writer = makeReplyWriter(*request, base::TurnId(1));
        wire::Upstream upstream;
        const std::string stream = upstream.sendAll(
            *writer,
            {wire::created(),
             wire::done(0, R"({"type":"message","content":[{"type":"output_text","text":"a"}]})"),
             wire::completed()});
        QJsonObject told;
        for (const wire::Record &record : wire::records(stream)) {
            if (record.type == "message_delta")
                told = record.data[QLatin1String("context_management")].toObject();
        }
        const QJsonObject whole = wire::object(writer->answer().body);
        QCOMPARE(whole[QLatin1String("context_management")].toObject(), told);
        if (!cleared) {
            QVERIFY(!whole.contains(QLatin1String("context_management")));
            continue;
        }
        const QJsonValue applied = told[QLatin1String("applied_edits")][0];
        QCOMPARE(applied[QLatin1String("type")].toString(),
                 QLatin1String("clear_tool_uses_20250919"));
        QCOMPARE(applied[QLatin1String("cleared_tool_uses")].toInt(), 2);
        const int tokens = applied[QLatin1String("cleared_input_tokens")].toInt();
        QVERIFY2(tokens > 2 * tokensOfAResult * 85 / 100
                     && tokens < 2 * tokensOfAResult * 115 / 100,
                 qPrintable(QString::number(tokens)));
    }
}

void ContextEditsTest::countsWhatIsLeft()
{
    const std::string over = edit(R"("trigger":{"type":"input_tokens","value":2500})");
    const auto whole = dialects::countTokens(wire::messagesBody({}, conversation(5)));
    const auto left = dialects::countTokens(wire::messagesBody(over, conversation(5)));
    QVERIFY(whole && left);
    const int gone = static_cast<int>(*whole) - static_cast<int>(*left);
    QVERIFY2(gone > 2 * tokensOfAResult * 85 / 100 && gone < 2 * tokensOfAResult * 115 / 100,
             qPrintable(QString::number(gone)));
}

void ContextEditsTest::refusesAmountsThatAreNone()
{
    for (const char *member : {"trigger", "keep", "clear_at_least"}) {
        for (const char *value : {"\"many\"", "-1", "1.5", "{}"}) {
            const auto request = read(edit('"' + std::string(member)
                                           + R"(":{"type":"input_tokens","value":)" + value + "}"),
                                      1);
            QVERIFY(!request);
            QCOMPARE(request.error().kind, dialects::ErrorKind::InvalidRequest);
            QVERIFY(request.error().message.find(member) != std::string::npos);
        }
    }
}

namespace {

// A call and its result; then a message of the assistant with `block` between a text and a call.
std::string compacted(const std::string &block)
{
    return R"([{"role":"user","content":"go"},)"
           R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]},)"
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"old"}]},)"
           R"({"role":"assistant","content":[{"type":"text","text":"before"},)"
        + block
        + R"(,{"type":"text","text":"after"},{"type":"tool_use","id":"b","name":"Read","input":{}}]},)"
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"new"},)"
          R"({"type":"tool_result","tool_use_id":"a","content":"late"},{"type":"text","text":"on"}]})";
}

// What the model reads, in order.
QString saidTo(const dialects::TurnRequest &request)
{
    QStringList said;
    for (const QJsonValue item : wire::items(request)) {
        for (const QJsonValue part : item[QLatin1String("content")].toArray())
            said.append(part[QLatin1String("text")].toString());
        for (const char *member : {"name", "output"}) {
            if (item[QLatin1String(member)].isString())
                said.append(item[QLatin1String(member)].toString());
        }
    }
    return said.join(QLatin1Char('|'));
}

const std::string summary = R"({"type":"compaction","content":"what \"was\""})";

} // namespace

void ContextEditsTest::beginsWithTheLatestSummary()
{
    const auto request = wire::read(wire::messagesBody({}, compacted(summary) + ']'));
    QVERIFY(request);
    QCOMPARE(saidTo(*request),
             QStringLiteral("[summary of the conversation so far]|what \"was\"|after|Read|new|"
                            "[result of an earlier tool call a]|late|on"));
    QCOMPARE(wire::items(*request)[0][QLatin1String("role")].toString(), QStringLiteral("user"));
    // The next turn goes on from it, and a later summary takes its place.
    const auto next
        = wire::read(wire::messagesBody({},
                                        compacted(summary)
                                            + R"(,{"role":"assistant","content":"done"},)"
                                              R"({"role":"user","content":"more"}])"));
    QVERIFY(next);
    QVERIFY(next->input.size() > request->input.size());
    QVERIFY(std::equal(request->input.begin(), request->input.end(), next->input.begin()));
    const auto later = wire::read(wire::messagesBody(
        {},
        compacted(summary)
            + R"(,{"role":"assistant","content":[{"type":"compaction","content":"all"}]},)"
              R"({"role":"user","content":"more"}])"));
    QVERIFY(later);
    QCOMPARE(saidTo(*later), QStringLiteral("[summary of the conversation so far]|all|more"));
    QVERIFY(later->estimatedInputTokens < request->estimatedInputTokens);
}

void ContextEditsTest::keepsEverythingWhereNoSummaryWasMade_data()
{
    QTest::addColumn<QByteArray>("block");
    QTest::newRow("it failed") << QByteArray(R"({"type":"compaction","content":null})");
    QTest::newRow("nothing in it") << QByteArray(R"({"type":"compaction","content":""})");
    QTest::newRow("none of it") << QByteArray(R"({"type":"compaction"})");
}

void ContextEditsTest::keepsEverythingWhereNoSummaryWasMade()
{
    QFETCH(const QByteArray, block);
    const auto request = wire::read(wire::messagesBody({}, compacted(block.toStdString()) + ']'));
    QVERIFY(request);
    QVERIFY(saidTo(*request).startsWith(QLatin1String("go|Read|old|before|after|Read|new")));
}

// What is gone already is not counted, and cannot be cleared again.
void ContextEditsTest::clearsOnlyBehindASummary()
{
    std::string messages = conversation(4);
    messages.pop_back();
    messages += R"(,{"role":"assistant","content":[{"type":"compaction","content":"all"}]},)"
        + conversation(3).substr(1);
    const std::string two = R"("keep":{"type":"tool_uses","value":2})";
    const auto ask = [&](int trigger) {
        return wire::read(wire::messagesBody(edit(R"("trigger":{"type":"input_tokens","value":)"
                                                  + std::to_string(trigger) + "}," + two),
                                             messages));
    };
    QCOMPARE(clearedResults(*ask(2 * tokensOfAResult)), QStringLiteral("1"));
    QCOMPARE(clearedResults(*ask(5 * tokensOfAResult)), QString()); // 3 are left of 7
}

QTEST_APPLESS_MAIN(ContextEditsTest)
#include "tst_contextedits.moc"
