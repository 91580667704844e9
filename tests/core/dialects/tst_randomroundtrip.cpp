// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/history.h"
#include "tests/core/dialects/chatclient.h"
#include "tests/core/dialects/randomreply.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;
using randomreply::Arrival;
using randomreply::Dice;
using randomreply::Reply;

// Random conversations: each turn's request is read, a random reply is written, the client echoes
// it and says something more, and that is read again. What was sent before must be a strict prefix,
// byte for byte, and the head of the conversation must accept it (spec/turns.md, spec/heads.md
// section 3), however the events of the reply arrived.
class RandomRoundTripTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesConversationsContinue();
    void chatConversationsContinue();
    void responsesConversationsContinue();
};

namespace {

constexpr std::uint64_t seeds = 1000;
constexpr int turns = 2;
constexpr std::uint64_t unitsEvery = 16; // unit by unit takes long

QString text(Dice &dice, int most)
{
    return QString::fromStdU16String(randomreply::words(dice, most));
}

QJsonObject block(const char *type, const char *member, const QJsonValue &value)
{
    return {{QLatin1String("type"), QLatin1String(type)}, {QLatin1String(member), value}};
}

std::string compact(const QJsonArray &array)
{
    return QJsonDocument(array).toJson(QJsonDocument::Compact).toStdString();
}

// The tools as a client declares them: `before` and `after` stand around the name and schema.
std::string tools(const std::string &before, const std::string &schemaName,
                  const std::string &after)
{
    std::string list;
    for (const std::string &name : randomreply::toolNames) {
        list += (list.empty() ? "" : ",") + before + R"("name":")" + name + R"(",")" + schemaName;
        list += "\":" + std::string(randomreply::schema) + after;
    }
    return R"("tools":[)" + list + ']';
}

const QString picture = QStringLiteral("iVBORw0KGgo=");

// What a client of one dialect does.
class Client
{
public:
    virtual ~Client() = default;
    virtual TurnRequest request() const = 0;
    // The message that the client made of a reply.
    virtual QJsonObject assembled(const std::string &stream) const = 0;
    // The same of a reply that was not streamed.
    virtual QJsonObject answered(const std::string &body) const = 0;
    // Keeps the message and goes on: results of its calls, then more of its own.
    virtual void goOn(const QJsonObject &reply, Dice &dice) = 0;

    QJsonArray messages;
};

class MessagesClient final : public Client
{
public:
    TurnRequest request() const override
    {
        // The mark for the cache moves with the last message, whose text becomes a block for it.
        QJsonArray marked = messages;
        QJsonObject last = marked.last().toObject();
        QJsonArray content = last[QLatin1String("content")].toArray();
        if (last[QLatin1String("content")].isString())
            content = {block("text", "text", last[QLatin1String("content")])};
        QJsonObject end = content.last().toObject();
        end[QLatin1String("cache_control")] = block("ephemeral", "ttl", QLatin1String("5m"));
        content[content.size() - 1] = end;
        last[QLatin1String("content")] = content;
        marked[marked.size() - 1] = last;
        const auto read = wire::read(wire::messagesBody(
            R"("thinking":{"type":"adaptive"},"system":[{"type":"text","text":"s"}],)"
                + tools("{", "input_schema", "}"),
            compact(marked)));
        if (!read)
            qFatal("%s", read.error().message.c_str());
        return *read;
    }

    QJsonObject assembled(const std::string &stream) const override
    {
        const wire::ClientMessage message = wire::assembled(stream);
        if (!message.stopped || !message.sequential)
            qFatal("blocks out of order");
        return message.echo();
    }

    QJsonObject answered(const std::string &body) const override
    {
        const QJsonObject message = wire::object(body);
        return {{QLatin1String("role"), message[QLatin1String("role")]},
                {QLatin1String("content"), message[QLatin1String("content")]}};
    }

    void goOn(const QJsonObject &reply, Dice &dice) override
    {
        const QJsonArray said = reply[QLatin1String("content")].toArray();
        if (!said.isEmpty())
            messages.append(reply);
        QJsonArray content;
        for (const QJsonValue one : said) {
            if (one[QLatin1String("type")] == QLatin1String("tool_use"))
                content.insert(dice.below(static_cast<int>(content.size()) + 1),
                               result(one[QLatin1String("id")], dice));
        }
        if (content.isEmpty() || dice.once(3))
            content.append(block("text", "text", text(dice, 5)));
        if (dice.once(5))
            content.append(block("image", "source", image()));
        if (dice.once(8))
            content.append(document());
        const bool plain
            = content.size() == 1 && content[0][QLatin1String("type")] == QLatin1String("text");
        messages.append(
            QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                        {QLatin1String("content"),
                         plain ? content[0][QLatin1String("text")] : QJsonValue(content)}});
        if (dice.once(4))
            messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("system")},
                                        {QLatin1String("content"), text(dice, 4)}});
    }

private:
    static QJsonObject image()
    {
        QJsonObject source = block("base64", "media_type", QLatin1String("image/png"));
        source[QLatin1String("data")] = picture;
        return source;
    }

    static QJsonObject document()
    {
        QJsonObject source = block("base64", "media_type", QLatin1String("application/pdf"));
        source[QLatin1String("data")] = QLatin1String("JVBERi0=");
        return block("document", "source", source);
    }

    static QJsonObject result(const QJsonValue &id, Dice &dice)
    {
        QJsonObject out = block("tool_result", "tool_use_id", id);
        const int form = dice.below(4);
        if (form == 0)
            out[QLatin1String("content")] = text(dice, 9);
        else if (form == 1)
            out[QLatin1String("content")] = QJsonArray{block("text", "text", text(dice, 9))};
        else if (form == 2)
            out[QLatin1String("content")] = QJsonArray{block("text", "text", text(dice, 3)),
                                                       block("image", "source", image())};
        if (dice.once(3))
            out[QLatin1String("is_error")] = true;
        return out;
    }
};

class ChatClient final : public Client
{
public:
    TurnRequest request() const override
    {
        const auto read = readChatCompletions(
            std::make_shared<const std::string>(
                R"({"model":"m","stream":true,)"
                + tools(R"({"type":"function","function":{)", "parameters", "}}")
                + ",\"messages\":" + compact(messages) + "}"),
            {});
        if (!read)
            qFatal("%s", read.error().message.c_str());
        return *read;
    }

    QJsonObject assembled(const std::string &stream) const override
    {
        const chatclient::ClientCompletion completion(stream);
        if (!completion.done)
            qFatal("no end");
        return completion.message;
    }

    QJsonObject answered(const std::string &body) const override
    {
        QJsonObject message
            = wire::object(body)[QLatin1String("choices")][0][QLatin1String("message")].toObject();
        for (const QLatin1String name : {QLatin1String("content"), QLatin1String("refusal")}) {
            if (message.value(name).toString().isEmpty())
                message.remove(name);
        }
        message.remove(QLatin1String("reasoning_content")); // shown, and not sent back
        return message;
    }

    void goOn(const QJsonObject &reply, Dice &dice) override
    {
        messages.append(reply);
        const QJsonArray calls = reply.value(QLatin1String("tool_calls")).toArray();
        for (const QJsonValue call : calls)
            messages.append(
                QJsonObject{{QLatin1String("role"), QLatin1String("tool")},
                            {QLatin1String("tool_call_id"), call[QLatin1String("id")]},
                            {QLatin1String("content"), dice.once(4) ? QString() : text(dice, 9)}});
        if (calls.isEmpty() || dice.once(4))
            messages.append(
                QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                            {QLatin1String("content"),
                             dice.once(3) ? QJsonValue(shown(dice)) : QJsonValue(text(dice, 5))}});
        if (dice.once(5))
            messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("system")},
                                        {QLatin1String("content"), text(dice, 4)}});
    }

private:
    static QJsonArray shown(Dice &dice)
    {
        const QString url = QLatin1String("data:image/png;base64,") + picture;
        return {block("text", "text", text(dice, 5)),
                block("image_url", "image_url", QJsonObject{{QLatin1String("url"), url}})};
    }
};

// As Codex over HTTP: items go back as they came.
class ResponsesClient final : public Client
{
public:
    TurnRequest request() const override
    {
        const auto read = readResponses(
            std::make_shared<const std::string>(R"({"model":"m","stream":true,"store":false,)"
                                                + tools(R"({"type":"function",)", "parameters", "}")
                                                + ",\"input\":" + compact(messages) + "}"),
            {}, Door::Responses);
        if (!read)
            qFatal("%s", read.error().message.c_str());
        return *read;
    }

    QJsonObject assembled(const std::string &stream) const override
    {
        QJsonArray items;
        bool complete = false;
        for (const wire::Record &record : wire::records(stream)) {
            if (record.type == "response.output_item.done")
                items.append(record.data[QLatin1String("item")]);
            complete = record.type == "response.completed";
        }
        if (!complete)
            qFatal("no end");
        return {{QLatin1String("output"), items}};
    }

    QJsonObject answered(const std::string &body) const override
    {
        return {{QLatin1String("output"), wire::object(body)[QLatin1String("output")]}};
    }

    void goOn(const QJsonObject &reply, Dice &dice) override
    {
        QJsonArray results;
        for (const QJsonValue item : reply[QLatin1String("output")].toArray()) {
            messages.append(item);
            if (item[QLatin1String("type")] != QLatin1String("function_call"))
                continue;
            QJsonObject result = block("function_call_output", "output", text(dice, 9));
            result[QLatin1String("call_id")] = item[QLatin1String("call_id")];
            results.append(result);
        }
        for (const QJsonValue result : results)
            messages.append(result);
        if (!results.isEmpty() && !dice.once(3))
            return;
        QJsonObject message
            = block("message", "content", QJsonArray{block("input_text", "text", text(dice, 5))});
        message[QLatin1String("role")] = QLatin1String("user");
        messages.append(message);
    }
};

// The name under which upstream knows a tool of the client.
std::string upstreamName(const TurnRequest &request, const std::string &name)
{
    const auto &names = randomreply::toolNames;
    const auto place = std::find(names.begin(), names.end(), name) - names.begin();
    const QJsonArray tools = wire::fields(request)[QLatin1String("tools")].toArray();
    return tools[place][QLatin1String("name")].toString().toStdString();
}

struct Written
{
    QJsonObject message; // the client's
    std::vector<std::string> echoed;
};

std::vector<std::string> framesOf(const TurnRequest &request, const Reply &reply, Arrival arrival,
                                  std::uint64_t seed)
{
    Dice dice(seed);
    return randomreply::frames(
        dice, reply, [&request](const std::string &name) { return upstreamName(request, name); },
        arrival);
}

Written written(const Client &client, const TurnRequest &request,
                const std::vector<std::string> &frames)
{
    const auto writer = makeReplyWriter(request, base::TurnId(1));
    wire::Upstream upstream;
    const std::string stream = upstream.sendAll(*writer, frames);
    return {client.assembled(stream), writer->echoedItems()};
}

// An attempt that fails before any output, and the next one: the client must see nothing of it.
Written writtenAgain(const Client &client, const TurnRequest &request,
                     const std::vector<std::string> &frames)
{
    const auto writer = makeReplyWriter(request, base::TurnId(1));
    const auto first = makeReplyWriter(request, base::TurnId(1));
    wire::Upstream seen;
    wire::Upstream upstream;
    std::string none;
    for (const std::string &frame : frames) {
        std::string out;
        seen.send(*first, frame, out);
        if (!out.empty())
            break;
        upstream.send(*writer, frame, none);
    }
    writer->restart();
    const std::string stream = upstream.sendAll(*writer, frames);
    return {client.assembled(none + stream), writer->echoedItems()};
}

Written answered(const Client &client, TurnRequest request, const std::vector<std::string> &frames)
{
    request.stream = false;
    const auto writer = makeReplyWriter(request, base::TurnId(1));
    wire::Upstream upstream;
    (void)upstream.sendAll(*writer, frames);
    return {client.answered(writer->answer().body), writer->echoedItems()};
}

// Empty when the head of `before`, which has answered `echoed`, is continued by `after`.
QString whyNotContinued(heads::ItemPrinter &printer, const TurnRequest &before,
                        const std::vector<std::string> &echoed, const TurnRequest &after)
{
    if (before.fields != after.fields)
        return QStringLiteral("the fields changed");
    if (after.input.size() <= before.input.size() + echoed.size())
        return QStringLiteral("nothing new");
    for (std::size_t i = 0; i < before.input.size(); ++i) {
        if (before.input[i] != after.input[i])
            return QStringLiteral("item %1 changed: %2")
                .arg(i)
                .arg(QString::fromStdString(std::string(after.input[i])));
    }
    const auto schemas = printer.schemas(before.tools);
    std::vector<heads::ItemPrint> answered;
    for (const std::string &item : echoed) {
        if (printer.isExpected(item))
            answered.push_back(printer.print(item));
    }
    heads::History history;
    history.assign(printer.prints(before.input), schemas);
    history.append(answered);
    const std::vector<heads::ItemPrint> prints = printer.prints(after.input);
    const heads::RequestTrail trail(prints, schemas.get());
    const auto match = history.match(trail);
    if (!match)
        return QStringLiteral("no match: %1")
            .arg(QString::fromStdString(echoed.empty() ? std::string() : echoed.back()));
    return match->mode == heads::MatchMode::Exact
            && match->deltaFrom == before.input.size() + echoed.size()
        ? QString()
        : QStringLiteral("matched elsewhere");
}

template <typename ClientOfDialect>
void converse(std::uint64_t seed)
{
    Dice dice(seed);
    heads::ItemPrinter printer(seed);
    ClientOfDialect client;
    client.messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                                       {QLatin1String("content"), text(dice, 6)}});
    TurnRequest before = client.request();
    for (int turn = 0; turn < turns; ++turn) {
        const Reply reply = randomreply::reply(dice, turn);
        const Written atOnce
            = written(client, before, framesOf(before, reply, Arrival::AtOnce, seed));
        std::vector<Written> others;
        if (seed % turns == static_cast<std::uint64_t>(turn)) {
            // Items pass through the Responses door as they come, and end in that order.
            const bool passes = before.door == Door::Responses;
            const auto interleaved
                = framesOf(before, reply, passes ? Arrival::InPieces : Arrival::Interleaved, seed);
            const auto pieces = framesOf(
                before, reply, seed % unitsEvery == 0 ? Arrival::ByUnits : Arrival::InPieces, seed);
            others = {written(client, before, interleaved), written(client, before, pieces),
                      writtenAgain(client, before, interleaved)};
            if (!passes) // there the provider's own object is the answer
                others.push_back(answered(client, before, interleaved));
        }
        for (const Written &other : others) {
            QCOMPARE(other.message, atOnce.message);
            QCOMPARE(other.echoed, atOnce.echoed);
        }
        client.goOn(atOnce.message, dice);
        TurnRequest after = client.request();
        const QString why = whyNotContinued(printer, before, atOnce.echoed, after);
        QVERIFY2(why.isEmpty(), qPrintable(why));
        before = std::move(after);
    }
}

} // namespace

void RandomRoundTripTest::messagesConversationsContinue()
{
    for (std::uint64_t seed = 1; seed <= seeds && !QTest::currentTestFailed(); ++seed) {
        converse<MessagesClient>(seed);
        if (QTest::currentTestFailed())
            qWarning("seed %llu", static_cast<unsigned long long>(seed));
    }
}

void RandomRoundTripTest::chatConversationsContinue()
{
    for (std::uint64_t seed = 1; seed <= seeds && !QTest::currentTestFailed(); ++seed) {
        converse<ChatClient>(seed);
        if (QTest::currentTestFailed())
            qWarning("seed %llu", static_cast<unsigned long long>(seed));
    }
}

void RandomRoundTripTest::responsesConversationsContinue()
{
    for (std::uint64_t seed = 1; seed <= seeds && !QTest::currentTestFailed(); ++seed) {
        converse<ResponsesClient>(seed);
        if (QTest::currentTestFailed())
            qWarning("seed %llu", static_cast<unsigned long long>(seed));
    }
}

QTEST_APPLESS_MAIN(RandomRoundTripTest)
#include "tst_randomroundtrip.moc"
