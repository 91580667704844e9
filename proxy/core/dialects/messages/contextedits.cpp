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

std::optional<Value> ruleOf(const Value &request)
{
    for (const Value &edit : request["context_management"]["edits"]) {
        if (edit["type"].body().starts_with(clearToolUses))
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
    explicit Clearing(Rule rule)
        : m_rule(std::move(rule))
    {
    }

    void run(const Value &request)
    {
        m_tokens = estimateContent(request["system"]) + estimateContent(request["tools"]);
        for (const Value &message : request["messages"]) {
            m_tokens += estimateContent(message["content"]);
            for (const Value &block : message["content"])
                note(block);
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
    const auto edit = ruleOf(request);
    if (!edit)
        return {};
    Clearing clearing(readRule(*edit, complaint));
    clearing.run(request);
    return std::move(clearing.edits);
}

} // namespace headway::dialects
