// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "tests/core/dialects/wire.h"

#include <string>
#include <vector>

// Replies that a model could give, made at random, and the ways in which their events may arrive.
// Knows nothing of the code under test.
namespace randomreply {

using namespace headway;

class Dice
{
public:
    explicit Dice(std::uint64_t seed)
        : m_random(seed)
    {
    }
    int below(int count)
    {
        return static_cast<int>(m_random.next() % static_cast<unsigned>(count));
    }
    bool once(int in) { return below(in) == 0; }

private:
    base::Random m_random;
};

// UTF-16, as models write it: what is not plain is escaped, so that any unit may end a piece.
inline std::string literal(std::u16string_view text)
{
    std::string out = "\"";
    for (const char16_t unit : text) {
        if (unit >= u' ' && unit < 0x7F && unit != u'"' && unit != u'\\') {
            out += static_cast<char>(unit);
            continue;
        }
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit));
        out += escape;
    }
    return out + '"';
}

inline std::u16string words(Dice &dice, int most)
{
    static const std::vector<std::u16string> atoms{
        u"a",  u"Zz", u" ",           u"\n",  u"\t",     u"\"",     u"\\",     u"/",
        u"é",  u"漢", u"😀",           u"\\u", u"\u2028", u"\u0001", u"{",      u"]",
        u"\\", u"0",  u"👩‍🚀", u"-1",  u"\r\n",   u"ﬀ",      u"\u007f", u"null"};
    std::u16string text;
    for (int i = dice.below(most) + 1; i > 0; --i)
        text += atoms[static_cast<std::size_t>(dice.below(static_cast<int>(atoms.size())))];
    return text;
}

inline std::u16string widened(std::string_view ascii)
{
    return {ascii.begin(), ascii.end()};
}

inline std::string value(Dice &dice, int depth)
{
    switch (dice.below(depth > 0 ? 9 : 7)) {
    case 0:
        return "123456789012345678901234567890";
    case 1:
        return "-0.0";
    case 2:
        return "1.50e+2";
    case 3:
        return std::to_string(dice.below(100000)) + ".000000000000000000001";
    case 4:
        return dice.once(2) ? "true" : "null";
    case 5:
        return "9007199254740993";
    case 6:
        return literal(words(dice, 6));
    case 7:
        return "[" + value(dice, depth - 1) + " , " + value(dice, depth - 1) + "]";
    default:
        return "{" + literal(words(dice, 2)) + ":" + value(dice, depth - 1) + "}";
    }
}

// Arguments of a call of the tool below: some filler, some members nobody declared.
inline std::u16string arguments(Dice &dice)
{
    std::string json = "{\"path\":" + literal(words(dice, 4));
    if (dice.once(2))
        json += std::string(",\"pages\":") + (dice.once(2) ? "\"\"" : literal(words(dice, 3)));
    if (dice.once(2))
        json += ", \"limit\" : " + (dice.once(2) ? std::string("null") : value(dice, 0));
    if (dice.once(3))
        json += std::string(",\"tags\":") + (dice.once(2) ? "[]" : "[\"x\", 1]");
    if (dice.once(2))
        json += ",\"deep\":" + value(dice, 2);
    return widened(json + "}");
}

inline const char *const schema
    = R"({"type":"object","properties":{"path":{"type":"string"},"pages":{"type":"string"},"limit":{},"tags":{"type":"array"},"deep":{}},"required":["path"]})";

// Names that go up as they are, that hold what upstream refuses, and that are too long for it.
inline const std::vector<std::string> toolNames{
    "Read", "server.tool", "mcp__a-server-with-a-long-name__" + std::string(60, 't')};

struct Item
{
    enum class Kind { Reasoning, Message, Call };
    Kind kind = Kind::Message;
    std::string id;
    std::string name; // Call
    std::vector<std::u16string> texts; // summary parts, content parts; arguments of a call
    std::vector<bool> refused = {}; // Message: which of the parts are refusals
    bool raw = false; // Reasoning: its own words, as open models give them, and no summary
};

using Reply = std::vector<Item>;

inline Reply reply(Dice &dice, int turn)
{
    Reply items;
    const auto id = [&](const char *prefix) {
        return prefix + std::to_string(turn) + "_" + std::to_string(items.size());
    };
    if (dice.once(2)) {
        Item reasoning{Item::Kind::Reasoning, id("rs_"), {}, {}};
        for (int i = dice.below(4); i > 0; --i)
            reasoning.texts.push_back(words(dice, 8));
        reasoning.raw = dice.once(4);
        items.push_back(reasoning);
    }
    for (int i = dice.below(3); i > 0; --i) {
        Item message{Item::Kind::Message, id("msg_"), {}, {}};
        for (int part = dice.below(3); part > 0; --part) {
            message.texts.push_back(words(dice, 12));
            message.refused.push_back(dice.once(8));
        }
        items.push_back(message);
    }
    for (int i = dice.below(4); i > 0; --i)
        items.push_back({Item::Kind::Call,
                         id("call_"),
                         toolNames[static_cast<std::size_t>(dice.below(3))],
                         {arguments(dice)}});
    return items;
}

// What kind of part a text of the item is: the name of its deltas and of the member that holds it.
struct PartNames
{
    std::string type;
    std::string delta;
    std::string member = "text";
    std::string index = "content_index";
};

inline PartNames namesOf(const Item &item, std::size_t part)
{
    if (item.kind == Item::Kind::Call)
        return {{}, "function_call_arguments", {}, {}};
    if (item.kind == Item::Kind::Message)
        return item.refused[part] ? PartNames{"refusal", "refusal", "refusal"}
                                  : PartNames{"output_text", "output_text"};
    return item.raw ? PartNames{"reasoning_text", "reasoning_text"}
                    : PartNames{"summary_text", "reasoning_summary_text", "text", "summary_index"};
}

// The item's JSON; `whole`: with its texts.
inline std::string json(const Item &item, const std::string &upstreamName, bool whole)
{
    if (item.kind == Item::Kind::Call)
        return R"({"type":"function_call","id":"fc_)" + item.id + R"(","call_id":")" + item.id
            + R"(","name":")" + upstreamName + R"(","arguments":)"
            + (whole ? literal(item.texts[0]) : "\"\"") + "}";
    std::string parts;
    for (std::size_t part = 0; whole && part < item.texts.size(); ++part) {
        const PartNames names = namesOf(item, part);
        parts += parts.empty() ? "" : ",";
        parts += R"({"type":")" + names.type + R"(",")" + names.member
            + "\":" + literal(item.texts[part]) + "}";
    }
    if (item.kind == Item::Kind::Message)
        return R"({"type":"message","id":")" + item.id + R"(","role":"assistant","content":[)"
            + parts + "]}";
    return R"({"type":"reasoning","id":")" + item.id + R"(",)"
        + (item.raw ? R"("summary":[],"content":[)" : R"("summary":[)") + parts
        + R"(],"encrypted_content":"gAAA)" + item.id + R"(=="})";
}

enum class Arrival { AtOnce, ByUnits, InPieces, Interleaved };

// The frames of one item in their order.
inline std::vector<std::string> frames(Dice &dice, const Item &item, const std::string &name,
                                       int index, Arrival arrival)
{
    if (arrival == Arrival::AtOnce)
        return {wire::done(index, json(item, name, true))};
    std::vector<std::string> list{wire::added(index, json(item, name, false))};
    for (std::size_t part = 0; part < item.texts.size(); ++part) {
        const PartNames names = namesOf(item, part);
        const std::string where = names.index.empty()
            ? std::string()
            : ",\"" + names.index + "\":" + std::to_string(part);
        const std::u16string_view text = item.texts[part];
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length
                = arrival == Arrival::ByUnits ? 1 : static_cast<std::size_t>(dice.below(9) + 1);
            list.push_back(
                wire::delta(names.delta, index, literal(text.substr(at, length)), where));
            at += length;
        }
    }
    list.push_back(wire::done(index, json(item, name, true)));
    return list;
}

// All frames of a reply. Items begin in the order of their indices; what follows may interleave.
template <typename NameOf>
std::vector<std::string> frames(Dice &dice, const Reply &reply, NameOf nameOf, Arrival arrival)
{
    std::vector<std::vector<std::string>> waiting;
    for (std::size_t i = 0; i < reply.size(); ++i)
        waiting.push_back(
            frames(dice, reply[i], nameOf(reply[i].name), static_cast<int>(i), arrival));
    std::vector<std::string> all{wire::created()};
    std::vector<std::size_t> next(waiting.size(), 0);
    std::size_t begun = 0;
    while (true) {
        std::vector<std::size_t> possible;
        for (std::size_t i = 0; i < std::min(begun + 1, waiting.size()); ++i) {
            if (next[i] < waiting[i].size())
                possible.push_back(i);
        }
        if (possible.empty())
            break;
        const std::size_t pick = arrival == Arrival::Interleaved
            ? possible[static_cast<std::size_t>(dice.below(static_cast<int>(possible.size())))]
            : possible.front();
        all.push_back(waiting[pick][next[pick]++]);
        begun = std::max(begun, pick + 1);
    }
    all.push_back(wire::completed());
    return all;
}

} // namespace randomreply
