// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnrequest.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headway::engine {

// What a client's WebSocket remembers between turns: the conversation behind the last response id,
// so that a delta with previous_response_id becomes a whole request again. The proxy may then run
// it on any connection (spec/turns.md, door GET …/responses).
class TurnChain final
{
public:
    // Puts the remembered conversation before the request's items. False: the id is not the last
    // one of this socket (answer previous_response_not_found).
    [[nodiscard]] bool expand(dialects::TurnRequest &request) const;

    // A turn completed: its whole input and what it produced.
    void remember(std::string responseId, const dialects::TurnRequest &request,
                  const std::vector<std::string> &echoed);
    [[nodiscard]] static dialects::TurnError notFound(const std::string &responseId);

private:
    struct Conversation
    {
        std::vector<std::shared_ptr<const std::string>> texts; // what the items point into
        std::vector<std::string_view> items;
    };

    std::string m_responseId;
    Conversation m_conversation;
};

} // namespace headway::engine
