// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/heads/itemprint.h"
#include "proxy/core/heads/partition.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headway::heads {

// A live place upstream that holds, or will hold, a finished conversation: a connection, or one
// lane of it. Zero: none.
using HeadId = base::StrongType<std::uint64_t, struct HeadIdTag>;

// Hashes of the prompt fields that ride along with every delta; a change is recorded, the chain
// goes on.
struct PromptPrints
{
    base::Fingerprint instructions;
    base::Fingerprint tools;
    base::Fingerprint effort;

    friend bool operator==(const PromptPrints &, const PromptPrints &) = default;
};

// What a connection is opened with: connections are shared by turns that agree in the first two.
struct Route
{
    std::string_view endpoint;
    std::string_view account;
    base::Fingerprint credential = {}; // of the access token
};

struct ScanRequest
{
    std::optional<PartitionKey> key;
    std::span<const ItemPrint> input;
    PromptPrints prompt;
    // The request's tools, from the printer that made `input`; none: arguments compare as plain
    // JSON.
    std::shared_ptr<const ToolSchemas> schemas = nullptr;
    Route route = {};
    std::string_view model = {};
    std::uint64_t promptTokens = 0; // estimated, of the whole input
    // What is left of this attempt's wait bound: how long it may wait for a head or a probe. Zero:
    // it does not wait (any more).
    base::Nanoseconds waitBound{0};
};

// Where the best candidate and the request part ways.
struct FirstDifference
{
    std::size_t index = 0;
    ItemKind kind = ItemKind::Other; // of the request's item
    base::Fingerprint expected;
    base::Fingerprint found;
    std::uint64_t tokens = 0; // that candidate's conversation
    std::vector<std::string> promptChanges = {}; // against that candidate
};

// A comparison that should have come out equal: a fault of ours (section 9).
struct Canary
{
    ItemKind kind = ItemKind::Reasoning; // Reasoning: the same blob; FunctionCall: the same call
    std::size_t index = 0; // of the request's item
    HeadId head; // whose item it was compared with

    friend bool operator==(const Canary &, const Canary &) = default;
};

// A head that this request would have continued, had it not been dropped.
struct LostHead
{
    EvictionReason reason = EvictionReason::IdleTtl;
    std::size_t items = 0;
    std::uint64_t tokens = 0;
};

struct ScanResult
{
    Decision decision = Decision::Unpartitioned;
    HeadId head; // Continuation: to continue; ExpectedHead: to wait for; Fork: to fork from
    base::ConnectionId connection; // of that head
    std::string lane; // Continuation: of that head; Fork: the new one. Empty: the default lane
    Generation generation = Generation::Nursery; // of that head; claim() promotes a nursery one
    std::string previousResponseId; // of that head
    std::size_t deltaFrom = 0; // first input item to send
    MatchMode mode = MatchMode::None;
    std::size_t candidates = 0;
    std::size_t idle = 0;
    std::size_t matching = 0;
    std::optional<FirstDifference> difference; // when candidates exist and none is continued
    std::vector<std::string> promptChanges; // "instructions", "tools", "effort" against that head
    HeadId isolatedBy; // ParallelIsolated: the busy possible parent
    base::Nanoseconds expectedWait{0}; // ExpectedHead: for how long
    std::uint64_t expectedTokens = 0; // what continuing that head saves, or would have
    std::vector<Canary> canaries; // of all candidates, when none is continued
    std::optional<LostHead> lost; // when none is continued
};

} // namespace headway::heads
