// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/cachewatch.h"

#include <algorithm>
#include <utility>

namespace headway::heads {

namespace {

using namespace std::chrono_literals;

constexpr base::Seconds hour = 1h;

std::string tokensInWords(std::uint64_t tokens)
{
    return tokens == 0
        ? std::string{}
        : " About " + std::to_string(tokens) + " tokens were expected from the cache.";
}

std::string promptInWords(const std::vector<std::string> &changes)
{
    if (changes.empty())
        return {};
    std::string text = " Changed as well:";
    for (const std::string &field : changes)
        text += (&field == &changes.front() ? " " : ", ") + field;
    return text + '.';
}

std::string itemInWords(const FirstDifference &difference)
{
    if (difference.found == base::Fingerprint{})
        return "the request ends at item " + std::to_string(difference.index)
            + ", before the conversation that was kept";
    return "item " + std::to_string(difference.index) + " (" + std::string(name(difference.kind))
        + ") is not the one that was kept";
}

} // namespace

std::string_view name(ItemKind value)
{
    switch (value) {
    case ItemKind::UserMessage:
        return "user_message";
    case ItemKind::AssistantMessage:
    case ItemKind::TextlessMessage:
        return "assistant_message";
    case ItemKind::SystemMessage:
        return "system_message";
    case ItemKind::FunctionCall:
        return "function_call";
    case ItemKind::FunctionCallOutput:
        return "function_call_output";
    case ItemKind::CustomToolCall:
        return "custom_tool_call";
    case ItemKind::CustomToolCallOutput:
        return "custom_tool_call_output";
    case ItemKind::Reasoning:
        return "reasoning";
    case ItemKind::HostedCall:
        return "hosted_call";
    case ItemKind::Other:
        return "other";
    }
    return {};
}

std::vector<CacheWatch::Pending> CacheWatch::describe(const ScanResult &scan,
                                                      std::span<const std::string> tools)
{
    std::vector<Pending> found;
    const std::uint64_t expected = scan.difference ? scan.difference->tokens : 0;
    for (std::size_t i = 0; i < scan.canaries.size(); ++i) {
        if (scan.canaries[i].kind == ItemKind::Reasoning) {
            found.push_back({"canary.reasoning",
                             {"cache.canary.reasoning",
                              "A reasoning item came back with the same content and still did not "
                              "compare equal: please report this, it is a fault of Headway.",
                              expected}});
            continue;
        }
        const std::string tool = i < tools.size() ? tools[i] : std::string{};
        found.push_back({"canary.arguments:" + tool,
                         {"cache.canary.arguments",
                          "A call" + (tool.empty() ? std::string{} : " of " + tool)
                              + " came back as clients rewrite it and still did not compare equal: "
                                "please report this, it is a fault of Headway.",
                          expected}});
    }
    if (auto loss = describeLoss(scan))
        found.push_back(std::move(*loss));
    return found;
}

// A request that has nothing in common with any kept conversation is a new one: nothing is lost.
std::optional<CacheWatch::Pending> CacheWatch::describeLoss(const ScanResult &scan)
{
    const std::string decision(name(scan.decision));
    const std::string again = "The whole conversation was sent again";
    if (scan.lost) {
        const std::string reason(name(scan.lost->reason));
        return Pending{"lost." + reason,
                       {"cache.lost",
                        again + ": its connection had gone (" + reason + ")."
                            + tokensInWords(scan.lost->tokens),
                        scan.lost->tokens}};
    }
    if (scan.difference && scan.difference->index > 0) {
        const FirstDifference &difference = *scan.difference;
        return Pending{"lost." + decision + ':' + std::string(name(difference.kind)),
                       {"cache.lost",
                        again + ": " + itemInWords(difference) + '.'
                            + promptInWords(difference.promptChanges)
                            + tokensInWords(difference.tokens),
                        difference.tokens}};
    }
    if (scan.decision == Decision::ParallelIsolated)
        return Pending{"lost." + decision,
                       {"cache.lost",
                        again + " beside a turn of the same conversation that is still running.",
                        scan.expectedTokens}};
    return std::nullopt;
}

std::vector<CacheWarning> CacheWatch::decided(base::TurnId turn, const ScanResult &scan, bool waits,
                                              base::SteadyTime now,
                                              std::span<const std::string> tools)
{
    std::vector<Pending> found;
    if (scan.decision != Decision::Continuation && scan.decision != Decision::Fork)
        found = describe(scan, tools);
    if (!waits)
        return raise(std::move(found), now);
    if (!found.empty())
        m_deferred[turn] = std::move(found);
    return {};
}

std::size_t CacheWatch::continued(base::TurnId turn)
{
    const auto deferred = m_deferred.extract(turn);
    return deferred.empty() ? 0 : deferred.mapped().size();
}

std::vector<CacheWarning> CacheWatch::settled(base::TurnId turn, base::SteadyTime now)
{
    auto deferred = m_deferred.extract(turn);
    if (deferred.empty())
        return {};
    return raise(std::move(deferred.mapped()), now);
}

std::vector<CacheWarning> CacheWatch::raise(std::vector<Pending> pending, base::SteadyTime now)
{
    std::vector<CacheWarning> warnings;
    for (Pending &one : pending) {
        if (spend(one.signature, now))
            warnings.push_back(std::move(one.warning));
        else
            ++m_overBudget;
    }
    return warnings;
}

bool CacheWatch::spend(const std::string &signature, base::SteadyTime now)
{
    if (m_raised.size() >= mostSignatures && !m_raised.contains(signature)) {
        std::erase_if(m_raised, [now](const auto &row) { return now - row.second.back() >= hour; });
        if (m_raised.size() >= mostSignatures)
            return false;
    }
    std::deque<base::SteadyTime> &raised = m_raised[signature];
    while (!raised.empty() && now - raised.front() >= hour)
        raised.pop_front();
    if (raised.size() >= perHour)
        return false;
    raised.push_back(now);
    return true;
}

} // namespace headway::heads
