// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/dialects/turnerror.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/dialects/upstreamevent.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headway::dialects {

// A whole answer outside a stream.
struct Answer
{
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers; // without Content-Length
    std::string body;
};

// Ends each message that a writer for Door::ResponsesSocket appends (ASCII record separator; it
// cannot stand unescaped in JSON).
inline constexpr char messageEnd = '\x1e';

// Turns the upstream events of one turn into its client's bytes: SSE records, WebSocket text
// messages (each closed by messageEnd), or nothing until the end when the client asked for one JSON
// body. Fed incrementally; memory is bounded by the largest item. Terminal events included.
class ReplyWriter
{
public:
    ReplyWriter() = default;
    ReplyWriter(const ReplyWriter &) = delete;
    ReplyWriter &operator=(const ReplyWriter &) = delete;
    virtual ~ReplyWriter() = default;

    // Appends what the client gets for this event. created/in_progress/message_start are held until
    // the first output by the writer itself, so a client sees only the final attempt's ids.
    virtual void event(const UpstreamEvent &event, std::string &out) = 0;

    // A new attempt starts before any output: forget what was captured.
    virtual void restart() = 0;

    // Keep-alive for an open stream.
    virtual void ping(std::string &out) const = 0;

    // After the stream opened: the dialect's error event. The caller then cuts the connection.
    virtual void fail(const TurnError &error, std::string &out) = 0;

    // Not streaming: the one body, once the terminal event was seen.
    [[nodiscard]] virtual Answer answer() const = 0;

    // expectedAssistant: the output items as the client will echo them, in upstream terms (JSON).
    // Made by the same functions as what the client saw.
    [[nodiscard]] virtual std::vector<std::string> echoedItems() const = 0;

    [[nodiscard]] virtual std::string
    stopReason() const = 0; // in the dialect's words, for the ledger
};

[[nodiscard]] std::unique_ptr<ReplyWriter> makeReplyWriter(const TurnRequest &request,
                                                           base::TurnId turn);

// An error before the stream opened, as a real status in the client's dialect, with Retry-After,
// the dialect's fields and "retry after Ns" in the text where spec/turns.md asks for it. Every
// answer carries request-id. For Door::ResponsesSocket the body is an error frame with `status`.
[[nodiscard]] Answer errorAnswer(Door door, const TurnError &error, base::TurnId turn);

// Headers of an opened event stream (text/event-stream, request-id …).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> streamHeaders(Door door,
                                                                             base::TurnId turn);

[[nodiscard]] std::string requestId(base::TurnId turn); // "req_…"

// POST …/messages/count_tokens.
[[nodiscard]] tl::expected<std::uint64_t, TurnError> countTokens(std::string_view body);
[[nodiscard]] Answer countAnswer(std::uint64_t tokens, base::TurnId turn);
// GET …/models; Anthropic's shape when the client speaks it (anthropic-version), else OpenAI's.
[[nodiscard]] Answer modelsAnswer(const std::vector<std::string> &models,
                                  const ClientHeaders &headers, base::TurnId turn);
// GET …/models/ID for a model that exists.
[[nodiscard]] Answer modelAnswer(const std::string &model, const ClientHeaders &headers,
                                 base::TurnId turn);

} // namespace headway::dialects
