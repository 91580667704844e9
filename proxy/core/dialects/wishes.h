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
    // Results that are one plain text, in order: offsets of the string's first quote, up to the
    // brace that ends the item. A mark needs a part to stand in, so where marks are sent all of
    // them go up as the one part that they are, marked or not: the prompt must not change with the
    // mark.
    std::vector<std::size_t> plainResults;
    bool cachesLong = false; // for an hour and not the usual minutes
    std::string user; // whom it serves: an HMAC of identity.user, made by the caller; may be empty
    std::uint64_t compactAt = 0; // tokens from which on the context is to be compacted; 0: never
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
//   ids of items         over HTTPS to Azure, of what a client of another dialect echoes (see
//                        itemids.h)
//   cache breakpoints    GPT-5.6 and later on the public API: the latest three of a request, beside
//                        the one that the provider sets itself at the end (protocol notes 1.9);
//                        an hour becomes its only longer time, 12 h. What the assistant said, and
//                        its calls, have no place for one there: the mark goes to the last part in
//                        front of them. Instructions and tools have none either, and nothing in
//                        front of them: what a client marks there is cached with the first mark
//                        behind it
//   safety_identifier    by the public API: the user whom the client named, as a hash (table 5.1)
//   compaction           by the public API, which keeps the compacted context to itself: a chain
//                        goes on with it, a request in full begins anew. It knows neither a pause
//                        after it nor instructions for it
//   effort               Messages only, whose words are another provider's: what the model does
//                        not know becomes the nearest that it does. Elsewhere the client spoke to
//                        this provider in its own words
void grantWishes(TurnRequest &request, UpstreamKind kind);

} // namespace headway::dialects
