// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/shaping.h"

#include "proxy/core/dialects/translate/textclip.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::string_view elidedView = "\"[An earlier view was left out by Headway (elide_views). "
                                        "Take a fresh one if you need it.]\"";
constexpr std::size_t strides = 4; // of a history's turns, cut off together

enum class Role { Other, User, Call, ToolOutput, ViewOutput };

struct Entry
{
    Role role = Role::Other;
    std::string callId;
};

bool isMessageOf(const Value &item, std::string_view role)
{
    const Value type = item["type"];
    return item["role"].is(role) && (!type.exists() || type.is("message"));
}

class Shaper final
{
public:
    Shaper(TurnRequest &request, const ShapingRules &rules)
        : m_request(request)
        , m_rules(rules)
        , m_text(std::make_shared<std::vector<std::string>>())
    {
    }

    void run()
    {
        describe();
        std::vector<std::string_view> input = shortened(cutFrom());
        if (m_said.empty())
            return;
        m_request.unshaped = std::exchange(m_request.input, std::move(input));
        m_request.shaping = "Shortened on request: " + m_said + '.';
        m_request.shapedTexts = m_text;
    }

private:
    void describe()
    {
        std::unordered_map<std::string, bool> isView; // by call id
        json::Document document;
        for (const std::string_view text : m_request.input) {
            Entry entry;
            if (!document.read(text)) {
                const Value item = document.root();
                const Value type = item["type"];
                if (isMessageOf(item, "user")) {
                    entry.role = Role::User;
                } else if (item["call_id"].isString()) {
                    entry.callId = item["call_id"].text();
                    const bool isOutput = type.body().ends_with("_output");
                    if (!isOutput)
                        isView[entry.callId] = item["name"].text().starts_with(m_rules.viewTools);
                    entry.role = !isOutput     ? Role::Call
                        : isView[entry.callId] ? Role::ViewOutput
                                               : Role::ToolOutput;
                }
            }
            m_entries.push_back(std::move(entry));
        }
    }

    // The items [first user message, this one) are left out; nothing when all stay.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cutFrom()
    {
        std::vector<std::size_t> turns;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            if (m_entries[i].role == Role::User)
                turns.push_back(i);
        }
        if (m_rules.historyTurns == 0 || turns.size() <= m_rules.historyTurns)
            return std::nullopt;
        const std::size_t stride = std::max<std::size_t>(1, m_rules.historyTurns / strides);
        const std::size_t over = turns.size() - m_rules.historyTurns;
        std::size_t drop = std::min((over + stride - 1) / stride * stride, turns.size() - 1);
        while (drop > 0 && splitsCall(turns[drop]))
            --drop;
        if (drop == 0)
            return std::nullopt;
        say(drop, "earlier turn", " left out (history_turns)");
        return std::pair(turns.front(), turns[drop]);
    }

    // A result from there on whose call stands before.
    [[nodiscard]] bool splitsCall(std::size_t from) const
    {
        std::unordered_map<std::string_view, bool> before;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const Entry &entry = m_entries[i];
            if (entry.role == Role::Call)
                before[entry.callId] = i < from;
            else if (i >= from && !entry.callId.empty() && before[entry.callId])
                return true;
        }
        return false;
    }

    std::vector<std::string_view>
    shortened(const std::optional<std::pair<std::size_t, std::size_t>> &cut)
    {
        // Never grows again: the views point into it.
        m_text->reserve(m_request.input.size() + 1);
        std::size_t lastView = m_entries.size();
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            lastView = m_entries[i].role == Role::ViewOutput ? i : lastView;
        std::vector<std::string_view> input;
        std::size_t elided = 0;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            if (cut && i == cut->first)
                input.push_back(keep(cutNote()));
            if (cut && i >= cut->first && i < cut->second)
                continue;
            const Role role = m_entries[i].role;
            std::string_view item = m_request.input[i];
            if (m_rules.elideViews && role == Role::ViewOutput && i != lastView) {
                item = withOutput(item, elidedView);
                ++elided;
            } else if (role == Role::ToolOutput || role == Role::ViewOutput) {
                item = capped(
                    item, role == Role::ViewOutput ? m_rules.viewOutputCap : m_rules.toolOutputCap);
            }
            input.push_back(item);
        }
        if (m_capped > 0)
            say(m_capped, "tool result",
                " clipped by " + std::to_string(m_cutCharacters) + " characters in all");
        if (elided > 0)
            say(elided, "earlier view", " left out (elide_views)");
        return input;
    }

    [[nodiscard]] std::string cutNote() const
    {
        return R"({"type":"message","role":"developer","content":[{"type":"input_text","text":)"
               R"("[Earlier turns of this conversation were left out by Headway (history_turns).]"}]})";
    }

    std::string_view keep(std::string text)
    {
        m_text->push_back(std::move(text));
        return m_text->back();
    }

    std::string_view withOutput(std::string_view item, std::string_view output)
    {
        json::Document document;
        if (document.read(item))
            return item;
        const Value old = document.root()["output"];
        if (!old.exists())
            return item;
        std::string text(item);
        text.replace(old.offset(), old.raw().size(), output);
        return keep(std::move(text));
    }

    std::string_view capped(std::string_view item, std::size_t cap)
    {
        // Bytes are never fewer than characters: most results need no second look.
        if (cap == 0 || item.size() <= std::max(cap, leastCap))
            return item;
        json::Document document;
        if (document.read(item))
            return item;
        const auto clipped = clippedOutput(document.root()["output"], std::max(cap, leastCap));
        if (!clipped)
            return item;
        ++m_capped;
        m_cutCharacters += clipped->cut;
        return withOutput(item, clipped->output);
    }

    void say(std::size_t count, const char *what, const std::string &how)
    {
        m_said += m_said.empty() ? "" : ", ";
        m_said += std::to_string(count) + ' ' + what + (count == 1 ? "" : "s") + how;
    }

    TurnRequest &m_request;
    const ShapingRules &m_rules;
    std::shared_ptr<std::vector<std::string>> m_text;
    std::vector<Entry> m_entries;
    std::size_t m_capped = 0;
    std::size_t m_cutCharacters = 0;
    std::string m_said;
};

} // namespace

void shape(TurnRequest &request, const ShapingRules &rules)
{
    if (!rules.isOff())
        Shaper(request, rules).run();
}

std::vector<std::string> notices(const ShapingRules &rules)
{
    std::vector<std::string> texts;
    const auto cap = [](std::size_t characters) {
        return std::to_string(std::max(characters, leastCap)) + " characters each.";
    };
    if (rules.toolOutputCap > 0)
        texts.push_back("tool_output_cap is on: results of tools are clipped to "
                        + cap(rules.toolOutputCap));
    if (rules.viewOutputCap > 0)
        texts.push_back("view_output_cap is on: results of tools whose name begins with "
                        + rules.viewTools + " are clipped to " + cap(rules.viewOutputCap));
    if (rules.elideViews)
        texts.push_back("elide_views is on: of the results of tools whose name begins with "
                        + rules.viewTools
                        + " only the latest goes up. Each new view changes what was sent before, "
                          "so the provider's cache of it is lost.");
    if (rules.historyTurns > 0)
        texts.push_back("history_turns is on: at most the last "
                        + std::to_string(rules.historyTurns)
                        + " turns of a conversation go up. When earlier ones are cut off, the "
                          "provider's cache of them is lost.");
    return texts;
}

} // namespace headway::dialects
