// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/shaping.h"
#include "proxy/core/dialects/translate/textclip.h"
#include "tests/core/dialects/wire.h"

#include <QRegularExpression>
#include <QTest>

using namespace headway;
using namespace headway::dialects;

// Optional shaping (spec/turns.md): what is taken off on request, and what never is.
class ShapingTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesNothingByDefault();
    void clipsAResultToItsCap();
    void neverCutsACharacter();
    void clippingTwiceChangesNothing();
    void clipsTextPartsAndKeepsOthers();
    void keepsTheIdOfAResult();
    void viewsHaveACapOfTheirOwn();
    void keepsAClippedPrefixStable();
    void leavesAllButTheLatestViewOut();
    void leavesOldTurnsOut();
    void cutsSeveralTurnsAtATime();
    void neverPartsACallFromItsResult();
    void remembersWhatTheClientSent();
    void saysWhatIsOn();
};

namespace {

std::string user(const std::string &text)
{
    return R"({"type":"message","role":"user","content":[{"type":"input_text","text":")" + text
        + R"("}]})";
}

std::string call(const std::string &id, const std::string &name = "Bash")
{
    return R"({"type":"function_call","call_id":")" + id + R"(","name":")" + name
        + R"(","arguments":"{}"})";
}

// `output`: JSON.
std::string result(const std::string &id, const std::string &output)
{
    return R"({"type":"function_call_output","call_id":")" + id + R"(","output":)" + output + "}";
}

std::string inQuotes(const std::string &text)
{
    return '"' + text + '"';
}

TurnRequest request(const std::vector<std::string> &items)
{
    std::string body = R"({"model":"m","input":[)";
    for (std::size_t i = 0; i < items.size(); ++i)
        body += (i > 0 ? "," : "") + items[i];
    const auto read
        = readResponses(std::make_shared<const std::string>(body + "]}"), {}, Door::Responses);
    if (!read)
        qFatal("%s", read.error().message.c_str());
    return *read;
}

QString outputOf(const TurnRequest &request, std::size_t index)
{
    return wire::object(request.input.at(index))[QLatin1String("output")].toString();
}

} // namespace

void ShapingTest::changesNothingByDefault()
{
    const std::vector<std::string> items{user("hi"), call("c"),
                                         result("c", inQuotes(std::string(100'000, 'x')))};
    TurnRequest asked = request(items);
    shape(asked, {});
    QCOMPARE(std::vector<std::string>(asked.input.begin(), asked.input.end()), items);
    QVERIFY(asked.shaping.empty());
    QVERIFY(notices({}).empty());
}

void ShapingTest::clipsAResultToItsCap()
{
    std::string text = "BEGIN" + std::string(30'000, 'x') + "END";
    TurnRequest asked = request({user("hi"), call("c"), result("c", inQuotes(text))});
    shape(asked, {.toolOutputCap = 16'000});
    const QString output = outputOf(asked, 2);
    QVERIFY(output.size() <= 16'000);
    QVERIFY(output.size() > 15'900);
    QVERIFY(output.startsWith(QLatin1String("BEGIN")));
    QVERIFY(output.endsWith(QLatin1String("END")));
    // Says that and how much was cut: what is missing is what was left out beside the note.
    const QRegularExpression note(
        QStringLiteral("\n\\[Headway cut (\\d+) of 30008 characters here\\.\\]\n"));
    const auto match = note.match(output);
    QVERIFY(match.hasMatch());
    QCOMPARE(match.captured(1).toInt(), 30'008 - (output.size() - match.capturedLength()));
    QCOMPARE(asked.shaping,
             "Shortened on request: 1 tool result clipped by "
                 + std::to_string(30'008 - output.size()) + " characters in all.");
    // At the cap nothing is done.
    TurnRequest fits = request({call("c"), result("c", inQuotes(std::string(16'000, 'x')))});
    shape(fits, {.toolOutputCap = 16'000});
    QCOMPARE(outputOf(fits, 1).size(), 16'000);
    QVERIFY(fits.shaping.empty());
}

void ShapingTest::neverCutsACharacter()
{
    // Written as surrogate pairs and as UTF-8; each is one character of the cap.
    std::string escaped;
    std::string plain;
    for (int i = 0; i < 3000; ++i) {
        escaped += "\\ud83d\\ude00";
        plain += "\xF0\x9F\x98\x80";
    }
    for (int shift = 0; shift < 4; ++shift) {
        const std::string before(static_cast<std::size_t>(shift), 'a');
        TurnRequest asked = request({call("c"), result("c", inQuotes(before + escaped)), call("d"),
                                     result("d", inQuotes(before + plain))});
        shape(asked, {.toolOutputCap = 1001});
        for (const std::size_t index : {1U, 3U}) {
            const QString output = outputOf(asked, index);
            // Bytes that are no UTF-8 would not be read at all.
            QVERIFY(output.toUcs4().size() <= 1001 && output.toUcs4().size() > 900);
            QVERIFY(!output.contains(QChar(0xFFFD)));
            QString rest = output;
            rest.remove(QString::fromUtf8("\xF0\x9F\x98\x80"));
            for (const QChar c : rest)
                QVERIFY(!c.isSurrogate());
        }
    }
}

void ShapingTest::clippingTwiceChangesNothing()
{
    for (const std::size_t size : {1'001U, 2'000U, 99'999U, 1'000'000U}) {
        const std::string once = clipped(std::string(size, 'x'), 1000);
        QVERIFY(characters(once) <= 1000);
        QCOMPARE(clipped(once, 1000), once);
    }
}

void ShapingTest::clipsTextPartsAndKeepsOthers()
{
    const std::string image = R"({"type":"input_image","image_url":"data:image/png;base64,)"
        + std::string(5000, 'A') + "\"}";
    const std::string part = R"({"type":"input_text","text":")" + std::string(900, 'x') + "\"}";
    TurnRequest asked = request(
        {call("c"), result("c", "[" + part + "," + image + "," + part + "," + part + "]")});
    shape(asked, {.toolOutputCap = 1200});
    const QJsonArray parts = wire::object(asked.input[1])[QLatin1String("output")].toArray();
    QCOMPARE(parts.size(), 4);
    QCOMPARE(parts[0].toObject(), wire::object(part)); // within the cap
    QCOMPARE(parts[1].toObject(), wire::object(image));
    QVERIFY(parts[2][QLatin1String("text")].toString().size() <= 300);
    for (const int cut : {2, 3})
        QVERIFY(
            parts[cut][QLatin1String("text")].toString().contains(QLatin1String("Headway cut")));
}

void ShapingTest::keepsTheIdOfAResult()
{
    TurnRequest asked
        = request({call("c", "browser__see"), result("c", inQuotes(std::string(9000, 'x'))),
                   call("d", "browser__see"), result("d", inQuotes(std::string(9000, 'x')))});
    shape(asked, {.toolOutputCap = 1000, .viewOutputCap = 1000, .elideViews = true});
    QCOMPARE(asked.input.size(), 4U);
    QCOMPARE(wire::object(asked.input[1])[QLatin1String("call_id")].toString(), QLatin1String("c"));
    QCOMPARE(wire::object(asked.input[3])[QLatin1String("call_id")].toString(), QLatin1String("d"));
}

void ShapingTest::viewsHaveACapOfTheirOwn()
{
    const std::string text = inQuotes(std::string(30'000, 'x'));
    TurnRequest asked = request({call("a"), result("a", text), call("b", "browser__see"),
                                 result("b", text), call("c", "look_at"), result("c", text)});
    shape(asked, {.viewOutputCap = 24'000});
    QCOMPARE(outputOf(asked, 1).size(), 30'000);
    QVERIFY(outputOf(asked, 3).size() <= 24'000);
    QCOMPARE(outputOf(asked, 5).size(), 30'000);
    TurnRequest other = request({call("c", "look_at"), result("c", text)});
    shape(other, {.viewOutputCap = 24'000, .viewTools = "look_"});
    QVERIFY(outputOf(other, 1).size() <= 24'000);
}

void ShapingTest::keepsAClippedPrefixStable()
{
    const ShapingRules rules{.toolOutputCap = 2000, .viewOutputCap = 3000};
    std::vector<std::string> items{user("hi")};
    std::vector<std::string> before;
    for (int turn = 0; turn < 6; ++turn) {
        const std::string id = "c" + std::to_string(turn);
        items.push_back(call(id, turn % 2 == 0 ? "Bash" : "browser__see"));
        items.push_back(
            result(id, inQuotes(std::string(static_cast<std::size_t>(1000 * (turn + 1)), 'x'))));
        TurnRequest asked = request(items);
        shape(asked, rules);
        QVERIFY(asked.input.size() > before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            QCOMPARE(std::string(asked.input[i]), before[i]);
        before.assign(asked.input.begin(), asked.input.end());
    }
}

void ShapingTest::leavesAllButTheLatestViewOut()
{
    TurnRequest asked = request({call("a", "browser__see"), result("a", inQuotes("old")), call("b"),
                                 result("b", inQuotes("kept")), call("c", "browser__see"),
                                 result("c", inQuotes("new"))});
    shape(asked, {.elideViews = true});
    QVERIFY(outputOf(asked, 1).contains(QLatin1String("Take a fresh one")));
    QVERIFY(!outputOf(asked, 1).contains(QLatin1Char('\n')));
    QCOMPARE(outputOf(asked, 3), QLatin1String("kept"));
    QCOMPARE(outputOf(asked, 5), QLatin1String("new"));
    QCOMPARE(asked.shaping,
             std::string("Shortened on request: 1 earlier view left out (elide_views)."));
}

void ShapingTest::leavesOldTurnsOut()
{
    const std::string base
        = R"({"type":"message","role":"developer","content":"the client's own instructions"})";
    std::vector<std::string> items{base};
    for (int turn = 0; turn < 30; ++turn) {
        items.push_back(user("question " + std::to_string(turn)));
        items.push_back(call("c" + std::to_string(turn)));
        items.push_back(result("c" + std::to_string(turn), inQuotes("r")));
    }
    TurnRequest asked = request(items);
    shape(asked, {.historyTurns = 24});
    QCOMPARE(std::string(asked.input[0]), base); // in front of all turns: stays
    QCOMPARE(wire::object(asked.input[1])[QLatin1String("role")].toString(),
             QLatin1String("developer"));
    QCOMPARE(std::string(asked.input[2]), user("question 6"));
    QCOMPARE(asked.input.size(), std::size_t{2 + 24 * 3});
    TurnRequest few = request({user("a"), user("b")});
    shape(few, {.historyTurns = 2});
    QCOMPARE(few.input.size(), 2U);
}

// Else each turn would lose the prefix of the one before.
void ShapingTest::cutsSeveralTurnsAtATime()
{
    std::vector<std::string> items;
    std::string first;
    int changes = 0;
    for (int turn = 0; turn < 64; ++turn) {
        items.push_back(user("question " + std::to_string(turn)));
        TurnRequest asked = request(items);
        shape(asked, {.historyTurns = 24});
        const std::size_t at = turn < 24 ? 0 : 1; // behind the note
        QVERIFY(asked.input.size() - at <= 24);
        QVERIFY(asked.input.size() - at >= std::min<std::size_t>(items.size(), 19));
        changes += std::string(asked.input[at]) == first ? 0 : 1;
        first = asked.input[at];
    }
    QCOMPARE(changes, 1 + 7); // the first turn, then 40 more in steps of 6
}

void ShapingTest::neverPartsACallFromItsResult()
{
    // The user spoke between a call and its result.
    TurnRequest asked
        = request({user("a"), call("c"), user("b"), result("c", inQuotes("r")), user("d")});
    shape(asked, {.historyTurns = 1});
    QStringList ids;
    for (const std::string_view item : asked.input)
        ids.append(wire::object(item)[QLatin1String("call_id")].toString());
    QCOMPARE(ids.count(QLatin1String("c")) % 2, 0);
    TurnRequest held = request({user("a"), call("c"), user("b"), result("c", inQuotes("r"))});
    shape(held, {.historyTurns = 1});
    QCOMPARE(held.input.size(), 4U);
}

void ShapingTest::remembersWhatTheClientSent()
{
    const std::vector<std::string> items{call("c"), result("c", inQuotes(std::string(9000, 'x')))};
    TurnRequest asked = request(items);
    shape(asked, {.toolOutputCap = 1000});
    const TurnRequest moved = std::move(asked); // views stay valid
    QCOMPARE(std::vector<std::string>(moved.unshaped.begin(), moved.unshaped.end()), items);
    QVERIFY(outputOf(moved, 1).size() <= 1000);
}

void ShapingTest::saysWhatIsOn()
{
    const auto texts = notices(
        {.toolOutputCap = 16'000, .viewOutputCap = 24'000, .elideViews = true, .historyTurns = 24});
    QCOMPARE(texts.size(), 4U);
    QVERIFY(texts[0].find("16000") != std::string::npos);
    QVERIFY(texts[1].find("browser__") != std::string::npos);
    QVERIFY(texts[2].find("cache") != std::string::npos); // what it costs
    QVERIFY(texts[3].find("24") != std::string::npos);
}

QTEST_APPLESS_MAIN(ShapingTest)
#include "tst_shaping.moc"
