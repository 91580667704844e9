// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headway::dialects {

// Tool calls of a conversation and the results that answer them. Upstream refuses a call without a
// result and a result without a call, and wants ids that are unique and short; the repair must
// stand at the same place in every later turn. So the history is gone through twice: first
// noteCall and noteResult for all of it, then call and result in the same order.
class CallPairs final
{
public:
    void noteCall(std::string clientId);
    void noteResult(const std::string &clientId);

    struct Call
    {
        std::string upstreamId;
        bool isCustom = false; // its result is a custom_tool_call_output
        bool open = false; // no result yet
    };

    // The next call of the history.
    [[nodiscard]] Call call(const std::string &clientId, bool isCustom = false);
    // The call that a result answers, once; nothing: the result is an orphan.
    [[nodiscard]] std::optional<Call> result(const std::string &clientId);

private:
    [[nodiscard]] std::string newCallId(const std::string &clientId);

    std::unordered_map<std::string, std::size_t> m_latest; // place of the latest call by its id
    std::unordered_set<std::size_t> m_answered; // calls with a result, by their place among calls
    std::unordered_map<std::string, Call> m_calls; // by the client's id
    std::unordered_map<std::string, int> m_uses; // of an upstream id
    std::size_t m_noted = 0;
    std::size_t m_read = 0;
};

// The item of a result; `output` is a JSON string or array.
[[nodiscard]] std::string outputItem(const CallPairs::Call &call, std::string_view output);

// The item that stands for the result of a call that was never answered.
[[nodiscard]] std::string interruptedItem(const CallPairs::Call &call);

// Says of which call the parts that follow are the result; for an orphan, told as user text.
[[nodiscard]] std::string orphanHeading(std::string_view idBody);

} // namespace headway::dialects
