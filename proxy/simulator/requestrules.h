// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/chaincontext.h"

#include <tl/expected.hpp>

namespace headway::simulator {

struct RequestRules
{
    bool overWebSocket = true; // else POST
    bool lanes = false; // stream_id is known
    bool planEndpoint = false; // the ChatGPT plan's: its own list of refusals
};

// A create that the provider takes on.
struct AcceptedTurn
{
    QJsonObject request;
    ChainContext context; // parent and new input
    QJsonArray tools; // of the request, then of additional_tools items
    qsizetype inputTokens = 0;
    qsizetype cachedTokens = 0;
    bool generate = true;
};

// The fields of a create, apart from its input: unknown or unsupported ones, types, values. Source:
// protocols.md 1.2, 3.3.
[[nodiscard]] std::optional<ApiError> checkFields(const QJsonObject &request,
                                                  const RequestRules &rules);

// Judges the whole create. `parent`: the context of previous_response_id, null without one.
// `parentCached`: the parent was made on this connection, so its tokens are cached.
[[nodiscard]] tl::expected<AcceptedTurn, ApiError> acceptTurn(const QJsonObject &request,
                                                              const ChainContext *parent,
                                                              bool parentCached, const Mint &mint);

} // namespace headway::simulator
