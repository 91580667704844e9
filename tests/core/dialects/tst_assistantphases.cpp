// SPDX-License-Identifier: GPL-3.0-or-later
// Table 5.1, "assistant text": the phase that upstream gave it goes back with it, where it is
// known.
#include "proxy/core/dialects/assistantphases.h"
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using dialects::AssistantPhases;
using dialects::Identity;

namespace {

constexpr std::uint64_t seed = 7;

Identity session(const char *name, const char *agent = "")
{
    Identity who;
    who.session = name;
    who.agent = agent;
    return who;
}

std::string message(const std::string &text, const std::string &phase)
{
    return R"({"type":"message","id":"msg_1","role":"assistant","phase":)" + phase
        + R"(,"content":[{"type":"output_text","text":")" + text + R"(","annotations":[]}]})";
}

// What the writer of that request expects back after a reply of these items.
std::vector<std::string> echoes(const dialects::TurnRequest &request,
                                const std::vector<std::string> &items)
{
    const auto writer = makeReplyWriter(request, base::TurnId{1});
    std::vector<std::string> frames{wire::created()};
    for (std::size_t i = 0; i < items.size(); ++i)
        frames.push_back(wire::done(static_cast<int>(i), items[i]));
    frames.push_back(wire::completed());
    wire::Upstream upstream;
    (void)upstream.sendAll(*writer, frames);
    return writer->echoedItems();
}

dialects::TurnRequest messages(const std::string &list)
{
    auto request = wire::read(wire::messagesBody({}, list));
    if (!request)
        qFatal("%s", request.error().message.c_str());
    return *std::move(request);
}

dialects::TurnRequest chat(const std::string &list)
{
    auto request = dialects::readChatCompletions(
        std::make_shared<const std::string>(R"({"model":"m","messages":)" + list + '}'), {});
    if (!request)
        qFatal("%s", request.error().message.c_str());
    return *std::move(request);
}

const std::string hello = R"([{"role":"user","content":"hi"}])";

std::string answered(const std::string &said)
{
    return R"([{"role":"user","content":"hi"},{"role":"assistant","content":")" + said
        + R"("},{"role":"user","content":"go on"}])";
}

// The phase of each item that goes up, "-" for none, "null" never.
QString phases(const std::string &body)
{
    QStringList list;
    const QJsonArray input = wire::object(body)[QLatin1String("input")].toArray();
    for (const QJsonValue item : input)
        list.append(item.toObject().contains(QLatin1String("phase"))
                        ? item[QLatin1String("phase")].toString(QStringLiteral("null"))
                        : QStringLiteral("-"));
    return list.join(QLatin1Char(' '));
}

struct Memory
{
    explicit Memory(std::size_t most = 100)
        : phases(std::make_shared<AssistantPhases>(seed, most))
    {
    }

    void hear(const Identity &who, const std::vector<std::string> &items,
              const dialects::TurnRequest &request = messages(hello)) const
    {
        for (const std::string &echo : echoes(request, items))
            phases->remember(who, echo);
    }

    QString sent(const Identity &who, dialects::TurnRequest request, std::size_t from = 0) const
    {
        request.identity = who;
        request.phases = phases;
        return ::phases(createFrame(request, from, {}));
    }

    std::shared_ptr<AssistantPhases> phases;
};

} // namespace

class AssistantPhasesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTextGoesUpWithItsPhase();
    void aPhaseThatComesWithTheFirstEventIsKept();
    void howTheClientEscapesItDoesNotMatter();
    void onlyItsOwnConversationKnowsIt();
    void whatUpstreamDoesNotKnowIsNotSent_data();
    void whatUpstreamDoesNotKnowIsNotSent();
    void theFirstOfTwoHolds();
    void theOldestIsForgotten();
    void chatTellsItWhereAllThatWasSaidHadOne();
    void anIdAndAPhaseStandTogether();
    void itStandsBesideACacheBreakpoint();
    void nothingIsAddedToAnItemThatHasOne();
};

void AssistantPhasesTest::aTextGoesUpWithItsPhase()
{
    const Memory memory;
    memory.hear(session("s"),
                {message("let me look", "\"commentary\""), message("done", "\"final_answer\"")});
    const std::string list = R"([{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"text","text":"let me look"},
                                       {"type":"text","text":"done"},
                                       {"type":"text","text":"never said"}]},
        {"role":"user","content":"done"}])";
    QCOMPARE(memory.sent(session("s"), messages(list)),
             QStringLiteral("- commentary final_answer - -"));
    QCOMPARE(memory.sent(session("s"), messages(list), 2), QStringLiteral("final_answer - -"));
}

void AssistantPhasesTest::aPhaseThatComesWithTheFirstEventIsKept()
{
    const auto request = messages(hello);
    const auto writer = makeReplyWriter(request, base::TurnId{1});
    wire::Upstream upstream;
    (void)upstream.sendAll(
        *writer,
        {wire::created(), wire::added(0, R"({"type":"message","id":"msg_1","role":"assistant",
                            "phase":"commentary","content":[]})"),
         wire::delta("output_text", 0, "\"so far\""), wire::incomplete("max_output_tokens")});
    const auto echoed = writer->echoedItems();
    QCOMPARE(echoed.size(), std::size_t{1});
    QCOMPARE(wire::object(echoed[0])[QLatin1String("phase")].toString(),
             QStringLiteral("commentary"));
}

void AssistantPhasesTest::howTheClientEscapesItDoesNotMatter()
{
    const Memory memory;
    memory.hear(session("s"), {message(R"(caf\u00e9 \"\\\/)", "\"commentary\"")});
    QCOMPARE(memory.sent(session("s"), messages(answered(R"(café \u0022\u005c/)"))),
             QStringLiteral("- commentary -"));
}

void AssistantPhasesTest::onlyItsOwnConversationKnowsIt()
{
    const Memory memory;
    memory.hear(session("s", "a"), {message("done", "\"final_answer\"")});
    QCOMPARE(memory.sent(session("s", "a"), messages(answered("done"))),
             QStringLiteral("- final_answer -"));
    QCOMPARE(memory.sent(session("s", "b"), messages(answered("done"))), QStringLiteral("- - -"));
    QCOMPARE(memory.sent(session("s"), messages(answered("done"))), QStringLiteral("- - -"));
    QCOMPARE(memory.sent(session("t", "a"), messages(answered("done"))), QStringLiteral("- - -"));
}

void AssistantPhasesTest::whatUpstreamDoesNotKnowIsNotSent_data()
{
    QTest::addColumn<QByteArray>("phase");
    QTest::newRow("null") << QByteArray("null");
    QTest::newRow("empty") << QByteArray("\"\"");
    QTest::newRow("another word") << QByteArray("\"musing\"");
    QTest::newRow("what would break the frame") << QByteArray(R"("commentary\",\"x\":\"")");
    QTest::newRow("no text") << QByteArray("[1]");
}

void AssistantPhasesTest::whatUpstreamDoesNotKnowIsNotSent()
{
    QFETCH(QByteArray, phase);
    const Memory memory;
    memory.hear(session("s"), {message("done", phase.toStdString())});
    QCOMPARE(memory.sent(session("s"), messages(answered("done"))), QStringLiteral("- - -"));
    QCOMPARE(memory.phases->size(), std::size_t{0});
}

// The prompt's prefix must not change with what is said later.
void AssistantPhasesTest::theFirstOfTwoHolds()
{
    const Memory memory;
    memory.hear(session("s"), {message("done", "\"commentary\"")});
    memory.hear(session("s"), {message("done", "\"final_answer\"")});
    QCOMPARE(memory.sent(session("s"), messages(answered("done"))),
             QStringLiteral("- commentary -"));
}

void AssistantPhasesTest::theOldestIsForgotten()
{
    const Memory memory(2);
    for (const char *said : {"one", "two", "three"})
        memory.hear(session("s"), {message(said, "\"commentary\"")});
    QCOMPARE(memory.phases->size(), std::size_t{2});
    QCOMPARE(memory.sent(session("s"), messages(answered("one"))), QStringLiteral("- - -"));
    QCOMPARE(memory.sent(session("s"), messages(answered("two"))),
             QStringLiteral("- commentary -"));
    QCOMPARE(memory.sent(session("s"), messages(answered("three"))),
             QStringLiteral("- commentary -"));
}

void AssistantPhasesTest::chatTellsItWhereAllThatWasSaidHadOne()
{
    const Memory memory;
    const auto asked = chat(hello);
    memory.hear(session("s"), {message("done", "\"final_answer\"")}, asked);
    QCOMPARE(memory.sent(session("s"), chat(answered("done"))), QStringLiteral("- final_answer -"));
    const auto both = echoes(
        asked, {message("let me look", "\"commentary\""), message("found", "\"final_answer\"")});
    QCOMPARE(both.size(), std::size_t{1});
    QVERIFY(!wire::object(both[0]).contains(QLatin1String("phase")));
}

void AssistantPhasesTest::anIdAndAPhaseStandTogether()
{
    const Memory memory;
    memory.hear(session("s"), {message("done", "\"final_answer\"")});
    auto request = messages(answered("done"));
    request.identity = session("s");
    request.phases = memory.phases;
    request.postsItemIds = true;
    const QJsonObject said
        = wire::object(postBody(request))[QLatin1String("input")].toArray()[1].toObject();
    QVERIFY(said[QLatin1String("id")].toString().startsWith(QLatin1String("msg_")));
    QCOMPARE(said[QLatin1String("phase")].toString(), QStringLiteral("final_answer"));
    QCOMPARE(said[QLatin1String("content")][0][QLatin1String("text")].toString(),
             QStringLiteral("done"));
}

void AssistantPhasesTest::itStandsBesideACacheBreakpoint()
{
    const Memory memory;
    memory.hear(session("s"), {message("done", "\"final_answer\"")});
    auto request = messages(R"([{"role":"user","content":[{"type":"text","text":"hi",
        "cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"done"},
        {"role":"user","content":"go on"}])");
    dialects::setModel(request, "gpt-5.6");
    dialects::grantWishes(request, dialects::UpstreamKind::OpenAi);
    QCOMPARE(memory.sent(session("s"), request), QStringLiteral("- final_answer -"));
    const std::string frame = createFrame(request, 0, {});
    QVERIFY(frame.find("prompt_cache_breakpoint") != std::string::npos);
}

void AssistantPhasesTest::nothingIsAddedToAnItemThatHasOne()
{
    AssistantPhases phases(seed);
    const std::string with
        = R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}],"phase":"commentary"})";
    const std::string without
        = R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]})";
    phases.remember(session("s"), with);
    QCOMPARE(phases.size(), std::size_t{1});
    QVERIFY(phases.of(session("s"), with).empty());
    QVERIFY(phases.of(session("s"), without) == "commentary");
    // Cut short, of several parts, or of another kind: none of them is read as a text.
    for (std::size_t size = 0; size < without.size(); ++size)
        QVERIFY(phases.of(session("s"), std::string_view(without).substr(0, size)).empty());
}

QTEST_APPLESS_MAIN(AssistantPhasesTest)
#include "tst_assistantphases.moc"
