// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/turnchain.h"

#include <utility>

namespace headway::engine {

bool TurnChain::expand(dialects::TurnRequest &request) const
{
    if (request.previousResponseId.empty())
        return true;
    if (m_responseId.empty() || request.previousResponseId != m_responseId)
        return false;
    std::vector<std::string_view> input = m_conversation.items;
    input.insert(input.end(), request.input.begin(), request.input.end());
    // One owner for all texts, so that the request stays a value of its own.
    struct Holder
    {
        std::vector<std::shared_ptr<const std::string>> texts;
        std::shared_ptr<const std::string> own;
    };
    auto holder = std::make_shared<Holder>(Holder{m_conversation.texts, request.text});
    request.text = std::shared_ptr<const std::string>(holder, holder->own.get());
    request.input = std::move(input);
    request.previousResponseId.clear();
    return true;
}

void TurnChain::remember(std::string responseId, const dialects::TurnRequest &request,
                         const std::vector<std::string> &echoed)
{
    Conversation next;
    // The request's text owns (or holds alive) everything its items point into.
    next.texts.push_back(request.text);
    // What the client sent, not what was shortened of it: it is shortened anew each time.
    next.items = request.unshaped.empty() ? request.input : request.unshaped;
    for (const std::string &item : echoed) {
        auto text = std::make_shared<const std::string>(item);
        next.items.emplace_back(*text);
        next.texts.push_back(std::move(text));
    }
    m_responseId = std::move(responseId);
    m_conversation = std::move(next);
}

dialects::TurnError TurnChain::notFound(const std::string &responseId)
{
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::InvalidRequest;
    error.code = "previous_response_not_found";
    error.type = "invalid_request_error";
    error.param = "previous_response_id";
    error.message = "Previous response with id '" + responseId + "' not found on this connection.";
    return error;
}

} // namespace headway::engine
