// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolvalues.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::heads {

// The heads of one proxy and the connections they live on (spec/heads.md sections 1–7). Pure: no
// sockets; the caller closes the connection of every Eviction that says so. Nothing may yield
// between scan() and claim()/open().
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

    // Where a turn runs that is neither continued nor forked nor waits for a head. Changes nothing.
    [[nodiscard]] Placement place(const ScanRequest &request, base::Now now) const;

    struct Opened
    {
        HeadId head;
        std::vector<Eviction> evictions; // for the nursery cap
        std::optional<Eviction> replaced; // of replace(): the old head
    };
    // Registers a head, in flight at once, on a connection that may be new and still being dialled,
    // on the lane that place() or, for Decision::Fork, scan() named. Isolated when the decision
    // says so; unregistered for others (never continued) when the request has no key.
    [[nodiscard]] Opened open(const ScanRequest &request, Decision decision,
                              base::ConnectionId connection, base::Now now, std::string lane = {});

    // Section 4, `fork`: the same on a new lane beside `source`, which must not advance before
    // started() of the fork.
    [[nodiscard]] Opened fork(const ScanResult &scan, const ScanRequest &request, base::Now now);

    // Moves a turn in flight to another connection (recovery): the old head is gone.
    [[nodiscard]] Opened replace(HeadId head, const ScanRequest &request,
                                 base::ConnectionId connection, base::Now now,
                                 std::string lane = {});

    // response.in_progress, or any later event of the turn: a fork no longer needs its parent.
    void started(HeadId head);
    // Whether the turn that claimed the head may send its create now, or forks of it have not
    // started yet; then its id comes out of takeReleased() once they have, or have gone.
    [[nodiscard]] bool mayAdvance(HeadId head) const;
    [[nodiscard]] std::vector<HeadId> takeReleased();

    // The turn ended with response.completed. Returns the eviction of an isolated head that is not
    // kept (section 4, last paragraph), of a head past its rotation age or with a rejected
    // credential, and of one without a response id; otherwise the head is idle and can be
    // continued. An isolated head that is kept joins the nursery and may evict another for its cap.
    [[nodiscard]] std::vector<Eviction> complete(HeadId head, Completion completion, base::Now now);

    // The turn failed and upstream is done with it, or the head is to go.
    std::optional<Eviction> remove(HeadId head, EvictionReason reason);
    // The client left in the middle of the turn. The connection closes when nothing else lives on
    // it; else the lane is drained: the caller discards its events until drained().
    std::optional<Eviction> abandon(HeadId head);
    // The last event of an abandoned lane has come.
    void drained(base::ConnectionId connection, std::string_view lane);
    // It does not come: the lane's place is free again, its name is not used any more, since
    // upstream would queue the next turn behind the one that never ends.
    void drainFailed(base::ConnectionId connection, std::string_view lane);
    // The provider gives this connection no further lanes (websocket_stream_limit_reached for the
    // named one): new turns use the names given before it, or go elsewhere.
    void limitLanes(base::ConnectionId connection, std::string_view refused);
    // The connection is gone, with all heads on it.
    std::vector<Eviction> removeConnection(base::ConnectionId connection, EvictionReason reason);
    // It is lost, or too old for the provider: it takes nobody new, idle heads go at once, the
    // others when their turns are over.
    [[nodiscard]] std::vector<Eviction> retire(base::ConnectionId connection,
                                               EvictionReason reason);

    // The provider rejected this access token: what was opened with it is not continued any more;
    // turns in flight end in peace.
    [[nodiscard]] std::vector<Eviction> rejectCredential(const base::Fingerprint &credential);

    // The response the head holds is gone upstream (previous_response_not_found), the connection
    // is well: the turn in flight goes on with full context.
    void forgetResponse(HeadId head);

    // The first create with a stream_id on a connection was answered: response.created named the
    // lane, or did not (or was refused for it; then send again without one).
    void laneEchoed(base::ConnectionId connection);
    void laneRefused(base::ConnectionId connection);
    [[nodiscard]] LaneVerdict laneVerdict(std::string_view endpoint) const;
    // What the first turn of a new connection names; empty: nothing.
    [[nodiscard]] std::string firstLane(std::string_view endpoint) const;

    // Section 7: a connection opened ahead, counted from the dial on.
    [[nodiscard]] std::vector<Eviction> addSpare(base::ConnectionId connection, const Route &route,
                                                 base::Now now);
    [[nodiscard]] std::size_t spares(std::string_view endpoint) const;

    // Expiry by timer and before each scan: idle limits and wall-clock rotation.
    [[nodiscard]] std::vector<Eviction> sweep(base::Now now);
    // When sweep() would next find something, as things stand.
    [[nodiscard]] std::optional<base::SteadyTime> nextExpiry(base::Now now) const;

    // Sheds up to `count` idle connections, oldest first (descriptors ran out).
    [[nodiscard]] std::vector<Eviction> shed(std::size_t count);

    // A pinned head is spared by idle limits, caps and shedding; rotation and faults take it.
    void pin(HeadId head, bool pinned);
    void pinConnection(base::ConnectionId connection, bool pinned); // all heads on it

    // The user wants it gone (reason `user`): what is idle goes now, a turn in flight ends in peace
    // and leaves nothing to continue. `head` zero: all of the connection, which takes nobody new.
    [[nodiscard]] std::vector<Eviction> evict(base::ConnectionId connection, HeadId head = {});

    // Takes effect at once: idle heads beyond a lowered cap go with reason `settings`, those beyond
    // a lowered age or idle limit with that limit's reason.
    [[nodiscard]] std::vector<Eviction> applySettings(const PoolSettings &settings, base::Now now);

    // Spares, then heads by registration.
    [[nodiscard]] std::vector<HeadView> views(base::Now now) const;
    [[nodiscard]] std::size_t size() const; // heads
    [[nodiscard]] std::size_t connections() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::heads
