// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chatwriter.h"
#include "proxy/core/dialects/messages/messageswriter.h"
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/responses/responseswriter.h"

namespace headway::dialects {

std::unique_ptr<ReplyWriter> makeReplyWriter(const TurnRequest &request, base::TurnId turn)
{
    if (request.door == Door::Messages)
        return std::make_unique<MessagesWriter>(request, turn);
    if (request.door == Door::ChatCompletions)
        return std::make_unique<ChatWriter>(request, turn);
    return std::make_unique<ResponsesWriter>(request, turn);
}

} // namespace headway::dialects
