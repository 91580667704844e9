// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/callpairs.h"

#include "proxy/core/dialects/translate/toolnames.h"
#include "proxy/core/json/quote.h"

#include <utility>

namespace headway::dialects {

void CallPairs::noteCall(std::string clientId)
{
    m_latest[std::move(clientId)] = m_noted++;
}

void CallPairs::noteResult(const std::string &clientId)
{
    const auto call = m_latest.find(clientId);
    if (call != m_latest.end())
        m_answered.insert(call->second);
}

CallPairs::Call CallPairs::call(const std::string &clientId, bool isCustom)
{
    Call call{.upstreamId = newCallId(clientId),
              .isCustom = isCustom,
              .open = m_answered.contains(m_read++)};
    m_calls[clientId] = call;
    return call;
}

std::optional<CallPairs::Call> CallPairs::result(const std::string &clientId)
{
    const auto call = m_calls.find(clientId);
    if (call == m_calls.end() || !call->second.open)
        return std::nullopt;
    call->second.open = false;
    return call->second;
}

std::string CallPairs::newCallId(const std::string &clientId)
{
    std::string id = aliased(clientId);
    const int earlier = m_uses[id]++;
    if (earlier == 0)
        return id;
    return aliased(id + '_' + std::to_string(earlier + 1));
}

std::string outputItem(const CallPairs::Call &call, std::string_view output)
{
    std::string item = call.isCustom ? R"({"type":"custom_tool_call_output","call_id":)"
                                     : R"({"type":"function_call_output","call_id":)";
    json::appendQuoted(item, call.upstreamId);
    item += R"(,"output":)";
    item += output;
    item += '}';
    return item;
}

std::string interruptedItem(const CallPairs::Call &call)
{
    return outputItem(call, "\"[interrupted: the tool call was not answered]\"");
}

std::string orphanHeading(std::string_view idBody)
{
    std::string heading = "[result of an earlier tool call ";
    heading += idBody;
    heading += ']';
    return heading;
}

} // namespace headway::dialects
