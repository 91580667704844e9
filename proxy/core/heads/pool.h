// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/heads/itemprint.h"
#include "proxy/core/heads/partition.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headway::heads {

// A live place upstream that holds, or will hold, a finished conversation. One per connection until
// lanes arrive. Zero: none.
using HeadId = base::StrongType<std::uint64_t, struct HeadIdTag>;

struct PoolSettings
{
    std::size_t nurseryCap = 128;
    std::size_t establishedCap = 256;
    base::Seconds nurseryIdle{300};
    base::Seconds establishedIdle{1'800};
    base::Seconds rotateAfter{3'300}; // wall-clock age, less a random 0 – 5 min per head

    friend bool operator==(const PoolSettings &, const PoolSettings &) = default;
};

// Hashes of the prompt fields that ride along with every delta; a change is recorded, the chain
// goes on.
struct PromptPrints
{
    base::Fingerprint instructions;
    base::Fingerprint tools;
    base::Fingerprint effort;

    friend bool operator==(const PromptPrints &, const PromptPrints &) = default;
};

struct ScanRequest
{
    std::optional<PartitionKey> key;
    std::span<const ItemPrint> input;
    PromptPrints prompt;
    // The request's tools, from the printer that made `input`; none: arguments compare as plain
    // JSON.
    std::shared_ptr<const ToolSchemas> schemas = nullptr;
};

// Where the best candidate and the request part ways.
struct FirstDifference
{
    std::size_t index = 0;
    ItemKind kind = ItemKind::Other; // of the request's item
    base::Fingerprint expected;
    base::Fingerprint found;
};

struct ScanResult
{
    Decision decision = Decision::Unpartitioned;
    HeadId head; // Continuation: the head to continue
    base::ConnectionId connection; // of that head
    Generation generation = Generation::Nursery; // of that head; claim() promotes a nursery one
    std::string previousResponseId; // of that head
    std::size_t deltaFrom = 0; // first input item to send
    MatchMode mode = MatchMode::None;
    std::size_t candidates = 0;
    std::size_t idle = 0;
    std::size_t matching = 0;
    std::optional<FirstDifference> difference; // when candidates exist and none matches
    std::vector<std::string> promptChanges; // "instructions", "tools", "effort" against that head
    HeadId isolatedBy; // ParallelIsolated: the busy possible parent
};

struct Eviction
{
    HeadId head;
    base::ConnectionId connection;
    EvictionReason reason = EvictionReason::HardTtl;
};

// What a finished response leaves for the next turn.
struct Completion
{
    std::string responseId;
    std::vector<ItemPrint> echoed; // expectedAssistant, in the form the client will send back
};

struct HeadView
{
    HeadId head;
    base::ConnectionId connection;
    std::string partition;
    Generation generation = Generation::Nursery;
    bool inFlight = false;
    base::Nanoseconds age{0};
    base::Nanoseconds idle{0};
    std::size_t turns = 0;
    std::size_t items = 0;
};

// The heads of one proxy (spec/heads.md sections 1–5). Pure: no sockets; the caller closes the
// connections of every Eviction it is handed. Nothing may yield between scan() and claim()/open().
class HeadPool final
{
public:
    HeadPool(const PoolSettings &settings, std::uint64_t seed);
    ~HeadPool();
    HeadPool(const HeadPool &) = delete;
    HeadPool &operator=(const HeadPool &) = delete;

    // Section 4. Sweep first (the caller closes what sweep() returns). Changes nothing.
    [[nodiscard]] ScanResult scan(const ScanRequest &request, base::Now now) const;

    // Takes the matched idle head for a turn: promotes it, evicts for the established cap.
    [[nodiscard]] std::vector<Eviction> claim(HeadId head, const ScanRequest &request,
                                              base::Now now);

    struct Opened
    {
        HeadId head;
        std::vector<Eviction> evictions; // for the nursery cap
    };
    // Registers a head on a new connection, in flight at once. Isolated when the decision says so;
    // unregistered for others (never continued) when the request has no key.
    [[nodiscard]] Opened open(const ScanRequest &request, Decision decision,
                              base::ConnectionId connection, base::Now now);

    // Moves a turn in flight to another connection (recovery): the old head is gone.
    [[nodiscard]] Opened replace(HeadId head, const ScanRequest &request,
                                 base::ConnectionId connection, base::Now now);

    // The turn ended with response.completed. Returns the eviction of an isolated head that is not
    // kept (section 4, last paragraph), of a head past its rotation age, and of one without a
    // response id; otherwise the head is idle and can be continued. An isolated head that is kept
    // joins the nursery and may evict another for its cap.
    [[nodiscard]] std::vector<Eviction> complete(HeadId head, Completion completion, base::Now now);

    // The turn failed, was aborted, or the connection is gone.
    std::optional<Eviction> remove(HeadId head, EvictionReason reason);
    // All heads on a connection.
    std::vector<Eviction> removeConnection(base::ConnectionId connection, EvictionReason reason);

    // The response the head holds is gone upstream (previous_response_not_found), the connection
    // is well: the turn in flight goes on with full context.
    void forgetResponse(HeadId head);

    // Expiry by timer and before each scan: idle limits and wall-clock rotation.
    [[nodiscard]] std::vector<Eviction> sweep(base::Now now);
    // When sweep() would next find something, as things stand.
    [[nodiscard]] std::optional<base::SteadyTime> nextExpiry(base::Now now) const;

    // Sheds up to `count` idle heads, oldest first (descriptors ran out).
    [[nodiscard]] std::vector<Eviction> shed(std::size_t count);

    // Takes effect at once: idle heads beyond a lowered cap go with reason `settings`, those beyond
    // a lowered age or idle limit with that limit's reason.
    [[nodiscard]] std::vector<Eviction> applySettings(const PoolSettings &settings, base::Now now);

    // By registration.
    [[nodiscard]] std::vector<HeadView> views(base::Now now) const;
    [[nodiscard]] std::size_t size() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::heads
