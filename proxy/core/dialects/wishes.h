// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

struct TurnRequest;

// What a client of another dialect asked for that only some upstreams take; where one does not, it
// is left out, since it would refuse the turn.
struct Wishes
{
    std::string temperature; // JSON numbers as the client wrote them; empty: not asked for
    std::string topP;
    // Where a cache breakpoint may stand: offsets in the request's text, each in front of the brace
    // that ends an input part. They are no part of the items, which stay the same when the mark of
    // a client moves on with the conversation.
    std::vector<std::size_t> cacheMarks;
    bool cachesLong = false; // for an hour and not the usual minutes
};

// Whom a turn goes to, as far as it matters for what may be asked for.
enum class UpstreamKind : std::uint8_t {
    OpenAi, // the public API
    Plan, // takes the fields that Codex sends (planfields.h)
    Azure, // its model names are names of deployments, and say nothing
    Other,
};

// `host` of the endpoint's URL, lower case.
[[nodiscard]] UpstreamKind upstreamKindOf(std::string_view host, bool plan);

// Adds to the request what of its wishes this upstream takes, by its model (set before):
//   temperature, top_p   not by reasoning models unless their effort is none (GPT-5.1 and later),
//                        not by the plan, and not where the name of the model says nothing
//   cache breakpoints    GPT-5.6 and later on the public API: the latest three of a request, beside
//                        the one that the provider sets itself at the end (protocol notes 1.9);
//                        an hour becomes its only longer time, 12 h
void grantWishes(TurnRequest &request, UpstreamKind kind);

} // namespace headway::dialects
