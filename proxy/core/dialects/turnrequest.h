// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/door.h"
#include "proxy/core/dialects/turnerror.h"
#include "proxy/core/dialects/wishes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::dialects {

// Header fields of the client's request that say who speaks (names lower case).
struct ClientHeaders
{
    std::vector<std::pair<std::string, std::string>> fields;

    [[nodiscard]] std::string_view value(std::string_view name) const; // first one; empty if none
};

struct Identity
{
    std::string session; // empty: none
    std::string agent; // empty: the main agent
    std::string parentAgent;
    std::string cacheKey; // prompt_cache_key or user of the body, when the client set one
    std::string user; // Messages: metadata.user_id without its session
};

class AssistantPhases;

// Everything that turning a Messages reply back into the client's terms needs from its request.
struct ReplyContext;

// One client request in upstream terms. Items and fields are JSON text; what the client sent is
// passed on byte for byte wherever the dialect allows it.
struct TurnRequest
{
    Door door = Door::Messages;
    bool stream = true;
    bool generate = true; // false: warm-up, no output wanted
    std::string modelAsked; // what the client named; the reply names it too
    std::string model; // upstream
    std::string effort;
    Identity identity;
    bool interactive = false; // main agent whose last item is a user text

    // Members of the response.create frame other than type, input and previous_response_id, joined
    // by commas, without braces: `"model":"m","instructions":"…",…`.
    std::string fields;
    // Input items in order, views into `text`.
    std::vector<std::string_view> input;
    // What the views point into; shared so that a request can be kept while it is retried.
    std::shared_ptr<const std::string> text;
    // A chain the client itself names (Codex over WebSocket).
    std::string previousResponseId;

    // For change notes and the last resort of the partition key; views into `fields` or `text`.
    std::string_view instructions;
    std::string_view tools;

    // When the input was shortened on request (shaping.h): what the client sent, what was done in
    // plain words, and what the shortened items point into.
    std::vector<std::string_view> unshaped;
    std::string shaping;
    std::shared_ptr<const std::vector<std::string>> shapedTexts;

    // Of a client of another dialect; grantWishes() sees to them.
    Wishes wishes;
    bool sendsCacheMarks = false;
    std::shared_ptr<AssistantPhases> phases; // what its assistant's texts lack when they go up
    bool postsItemIds = false; // over HTTPS, items of the assistant have ids (itemids.h)

    std::uint64_t estimatedInputTokens = 0;
    std::shared_ptr<const ReplyContext> reply;
};

// How a door's request is read. `body` must stay alive in `text`; it is checked as UTF-8 and JSON,
// depth 512 at most; an error names the byte. `mapModel` is applied by the caller afterwards
// through setModel() so that routing stays out of the dialects.
[[nodiscard]] tl::expected<TurnRequest, TurnError>
readMessages(std::shared_ptr<const std::string> body, const ClientHeaders &headers);
[[nodiscard]] tl::expected<TurnRequest, TurnError>
readResponses(std::shared_ptr<const std::string> body, const ClientHeaders &headers, Door door);
[[nodiscard]] tl::expected<TurnRequest, TurnError>
readChatCompletions(std::shared_ptr<const std::string> body, const ClientHeaders &headers);

// Replaces the model member of `fields`.
void setModel(TurnRequest &request, std::string_view upstreamModel);
// Replaces the effort that `fields` asks for, where they ask for one.
void setEffort(TurnRequest &request, std::string_view effort);
// Sets prompt_cache_key when the client gave none (an HMAC of the session, made by the caller).
void setCacheKey(TurnRequest &request, std::string_view key);

// The whole frame: {"type":"response.create",<fields>[,"stream_id":…][,"previous_response_id":…],
// "input":[…]} with the items from `deltaFrom` on. `lane` empty: no stream_id.
[[nodiscard]] std::string createFrame(const TurnRequest &request, std::size_t deltaFrom,
                                      std::string_view previousResponseId,
                                      std::string_view lane = {});

// The same as the body of a POST over HTTPS: the whole input, `"stream":true`, no chain but the
// client's own. Not for a warm-up (generate false), which HTTPS does not know.
[[nodiscard]] std::string postBody(const TurnRequest &request);

} // namespace headway::dialects
