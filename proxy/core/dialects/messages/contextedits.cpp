// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/contextedits.h"

#include "proxy/core/dialects/tokenestimate.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::string_view clearToolUses = "clear_tool_uses_";
constexpr std::string_view compact = "compact_";
constexpr std::uint64_t usualCompaction = 150'000; // tokens
constexpr std::uint64_t usualTrigger = 100'000; // tokens
constexpr std::uint64_t usualKeep = 3;

struct Rule
{
    std::uint64_t trigger = usualTrigger;
    bool triggersByUses = false; // else by tokens
    std::uint64_t keep = usualKeep;
    std::uint64_t atLeast = 0;
    std::unordered_set<std::string> excluded; // tools
    bool allInputs = false;
    std::unordered_set<std::string> inputsOf; // tools

    [[nodiscard]] bool clearsInputOf(const std::string &tool) const
    {
        return allInputs || inputsOf.contains(tool);
    }
};

// The first of that kind.
std::optional<Value> editOf(const Value &request, std::string_view kind)
{
    for (const Value &edit : request["context_management"]["edits"]) {
        if (edit["type"].body().starts_with(kind))
            return edit;
    }
    return std::nullopt;
}

bool isGiven(const Value &value)
{
    return value.exists() && !value.isNull();
}

// {"type": …, "value": N}
void readAmount(const Value &edit, std::string_view name, std::uint64_t &amount,
                Complaint &complaint)
{
    const Value given = edit[name];
    if (!isGiven(given))
        return;
    const auto value = given["value"].integer();
    if (value && *value >= 0)
        amount = static_cast<std::uint64_t>(*value);
    else
        complaint.add("context_management.edits." + std::string(name) + ".value",
                      "expected a whole number of 0 or more");
}

void readNames(const Value &names, std::unordered_set<std::string> &out)
{
    for (const Value &name : names)
        out.insert(name.text());
}

Rule readRule(const Value &edit, Complaint &complaint)
{
    Rule rule;
    readAmount(edit, "trigger", rule.trigger, complaint);
    rule.triggersByUses = edit["trigger"]["type"].is("tool_uses");
    readAmount(edit, "keep", rule.keep, complaint);
    readAmount(edit, "clear_at_least", rule.atLeast, complaint);
    readNames(edit["exclude_tools"], rule.excluded);
    rule.allInputs = edit["clear_tool_inputs"].boolean().value_or(false);
    readNames(edit["clear_tool_inputs"], rule.inputsOf);
    return rule;
}

class Clearing final
{
public:
    Clearing(Rule rule, ContextEdits begun)
        : edits(std::move(begun))
        , m_rule(std::move(rule))
    {
    }

    void run(const Value &request)
    {
        m_tokens = estimateContent(request["system"]) + estimateContent(request["tools"]);
        std::size_t index = 0;
        for (const Value &message : request["messages"]) {
            if (index < edits.firstMessage) {
                ++index;
                continue;
            }
            m_tokens += estimateContent(message["content"]);
            std::size_t place = 0;
            for (const Value &block : message["content"]) {
                if (!edits.isLeftOut(index, place++))
                    note(block);
            }
            ++index;
            if (message["role"].is("user") && isOver())
                clear();
        }
    }

    ContextEdits edits;

private:
    struct Use
    {
        std::string id;
        std::string tool;
        std::uint64_t input = 0; // tokens
        std::uint64_t result = 0;
    };

    void note(const Value &block)
    {
        if (block["type"].is("tool_use")) {
            m_calls[block["id"].text()]
                = {block["id"].text(), block["name"].text(), estimateContent(block["input"]), 0};
            return;
        }
        if (!block["type"].is("tool_result"))
            return;
        const auto call = m_calls.find(block["tool_use_id"].text());
        if (call == m_calls.end())
            return;
        Use use = call->second;
        use.result = estimateContent(block["content"]);
        m_uses.push_back(std::move(use));
        ++m_live;
    }

    [[nodiscard]] bool isOver() const
    {
        return (m_rule.triggersByUses ? m_live : m_tokens) > m_rule.trigger;
    }

    [[nodiscard]] std::uint64_t gain(const Use &use) const
    {
        return use.result + (m_rule.clearsInputOf(use.tool) ? use.input : 0);
    }

    // Those that are not among the latest any more; each is looked at once, however long the
    // conversation is over its trigger.
    void age()
    {
        for (; m_aged < m_uses.size() && m_uses.size() - m_aged > m_rule.keep; ++m_aged) {
            if (m_rule.excluded.contains(m_uses[m_aged].tool))
                continue;
            m_old.push_back(m_aged);
            m_gain += gain(m_uses[m_aged]);
        }
    }

    void clear()
    {
        age();
        if (m_old.empty() || m_gain < m_rule.atLeast)
            return;
        for (const std::size_t index : m_old) {
            const Use &use = m_uses[index];
            edits.results.insert(use.id);
            if (m_rule.clearsInputOf(use.tool))
                edits.inputs.insert(use.id);
        }
        m_live -= m_old.size();
        m_tokens -= std::min(m_tokens, m_gain);
        edits.tokens += std::exchange(m_gain, 0);
        m_old.clear();
    }

    Rule m_rule;
    std::unordered_map<std::string, Use> m_calls;
    std::vector<Use> m_uses; // answered, in order
    std::size_t m_aged = 0; // of those, older than the latest
    std::vector<std::size_t> m_old; // may be cleared, and are not yet
    std::uint64_t m_gain = 0; // tokens of those
    std::uint64_t m_live = 0; // of those, not cleared
    std::uint64_t m_tokens = 0;
};

bool isSummary(const Value &block)
{
    return block["type"].is("compaction") && block["content"].isString()
        && !block["content"].body().empty();
}

void findBeginning(const Value &request, ContextEdits &edits)
{
    std::size_t index = 0;
    for (const Value &message : request["messages"]) {
        std::size_t place = 0;
        for (const Value &block : message["content"]) {
            if (message["role"].is("assistant") && isSummary(block)) {
                edits.firstMessage = index;
                edits.firstBlock = place;
            }
            ++place;
        }
        ++index;
    }
    index = 0;
    for (const Value &message : request["messages"]) {
        if (index > edits.firstMessage)
            return;
        std::size_t place = 0;
        for (const Value &block : message["content"]) {
            if (edits.isLeftOut(index, place++))
                edits.leftOut += estimateContent(block);
        }
        if (index < edits.firstMessage && message["content"].isString())
            edits.leftOut += estimateContent(message["content"]);
        ++index;
    }
}

std::uint64_t compactionOf(const Value &request, Complaint &complaint)
{
    const auto edit = editOf(request, compact);
    std::uint64_t trigger = edit ? usualCompaction : 0;
    if (edit)
        readAmount(*edit, "trigger", trigger, complaint);
    return trigger;
}

} // namespace

std::string ContextEdits::applied() const
{
    if (results.empty())
        return {};
    return R"({"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":)"
        + std::to_string(results.size()) + ",\"cleared_input_tokens\":" + std::to_string(tokens)
        + "}]}";
}

ContextEdits readContextEdits(json::Value request, Complaint &complaint)
{
    ContextEdits edits;
    findBeginning(request, edits);
    edits.compactAt = compactionOf(request, complaint);
    const auto edit = editOf(request, clearToolUses);
    if (!edit)
        return edits;
    Clearing clearing(readRule(*edit, complaint), std::move(edits));
    clearing.run(request);
    return std::move(clearing.edits);
}

} // namespace headway::dialects
