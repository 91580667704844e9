// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/dialects/turnerror.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/rejectionschedule.h"
#include "proxy/core/turn/transport.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headway::turn {

// What stopped an attempt.
enum class FaultKind : std::uint8_t {
    Refused, // our pacer gave no admission
    Rejected, // the provider answered the upgrade with 403 (no block form), 429 or 503
    UpgradeFailed, // any other answer to the upgrade
    DialFailed, // no connection: name, TCP, TLS, timeout
    UpgradeUnanswered, // the connection stood, and nothing came back to the upgrade
    SocketLost, // closed, reset or silent after the upgrade
    ErrorEvent, // an error event or response.failed
    EmptyCompleted, // completed without any output item
    DeadlineExpired, // idle or total
};

struct Fault
{
    FaultKind kind = FaultKind::SocketLost;
    dialects::TurnError error; // what the client is told if nothing helps
    std::optional<base::Milliseconds> stated; // hint, Retry-After; replaces the rung
    std::optional<std::uint16_t> closeCode;
    bool mayBeBlocked = false; // the answer to an upgrade that HTTPS might not get
    bool wasConnected = false; // DialFailed: the connection stood, and was lost during the upgrade
};

// What was already tried for this turn; each special remedy is used once.
struct Remedies
{
    int retries = 0; // inner ladder steps taken
    int rejections = 0; // upgrades that the provider rejected
    bool fullContextOnSameSocket = false;
    bool newSocket = false;
    bool newSocketForAge = false;
    bool otherLane = false;
    bool serverError = false;
    bool emptyAgain = false;
    bool reasoningDropped = false;
    bool credentialRefreshed = false;
    std::optional<HttpsCause> https; // the turn goes by HTTPS now
};

// The attempt at fault.
struct AttemptFacts
{
    bool outputReachedClient = false;
    bool continued = false; // it sent a delta on a head
    bool overHttps = false;
    bool httpsWorks = false; // known of the endpoint, which is called so for now
    bool upgradesSwallowed = false; // TransportMemory::isSwallowed()
};

struct SendAgain // full context on the same socket, which is well
{
    friend bool operator==(const SendAgain &, const SendAgain &) = default;
};
struct ReplaceSocket // at once, full context, outside the queue (spec/pacing.md section 9)
{
    friend bool operator==(const ReplaceSocket &, const ReplaceSocket &) = default;
};
struct OtherLane // at once, full context: one that its connection knows, or another connection
{
    friend bool operator==(const OtherLane &, const OtherLane &) = default;
};
struct DropReasoning // full context on a new attempt without the reasoning items
{
    friend bool operator==(const DropReasoning &, const DropReasoning &) = default;
};
struct RefreshCredential // then one more upgrade at once, outside the queue
{
    friend bool operator==(const RefreshCredential &, const RefreshCredential &) = default;
};
struct UseHttps // at once, full context, outside the queue: WebSocket cannot carry this turn
{
    HttpsCause cause = HttpsCause::UpgradeRequired;
    friend bool operator==(const UseHttps &, const UseHttps &) = default;
};
struct RetryLater // one step of the inner ladder, then from the scan on
{
    base::Milliseconds delay{0};
    friend bool operator==(const RetryLater &, const RetryLater &) = default;
};
struct GiveUp
{
    dialects::TurnError error;
    friend bool operator==(const GiveUp &, const GiveUp &) = default;
};

using Action = std::variant<SendAgain, ReplaceSocket, OtherLane, DropReasoning, RefreshCredential,
                            UseHttps, RetryLater, GiveUp>;

// What a recovery depends on beside the fault and its turn.
struct Circumstances
{
    base::Nanoseconds remaining{0}; // what the deadline leaves
    pacing::Policy policy = pacing::Policy::Bucket;
    pacing::RejectionSchedule &schedule; // of the endpoint and account: who is throttled, and when
    base::Random &random;
    base::Now now;
};

// The table of spec/heads.md section 8 and that of spec/pacing.md section 6, for what the pacer did
// not take back; websocket_stream_limit_reached as the protocol notes 1.6 want it ("reuse lane or
// open a new socket"). `remedies` is updated. Nothing is retried once output has reached the
// client. A stated delay is honoured up to 120 s, unless it leaves less than the wait bound plus 1
// s of the deadline: then the client gets it at once. A turn that runs over HTTPS recovers by the
// same rows: "socket" is its connection, an error status counts as the event of that kind.
[[nodiscard]] Action recover(const Fault &fault, const AttemptFacts &facts, Remedies &remedies,
                             const pacing::RequestBudget &budget, const Circumstances &around);

[[nodiscard]] std::string_view name(FaultKind kind);
[[nodiscard]] std::string_view name(const Action &action);

// An answer to the upgrade, told apart: a rejection (throttle), a block (region, bot wall), a
// credential problem, or a server that does not speak WebSocket. `contentType`, `mitigated` are
// header values.
struct UpgradeAnswer
{
    int status = 0;
    std::string_view contentType;
    bool mitigated = false; // header cf-mitigated present
    std::string_view body;
    std::optional<base::Milliseconds> retryAfter;
};
[[nodiscard]] Fault classifyUpgrade(const UpgradeAnswer &answer);

// An answer to a POST that is not a stream of events, as the error event that it would have been
// over WebSocket: the provider's own error where the body holds one. A 403 with an empty body is
// the edge's throttle there too. `headers` have any case; `now` serves times that are stated as
// wall time.
[[nodiscard]] Fault
classifyHttpAnswer(int status, const std::vector<std::pair<std::string, std::string>> &headers,
                   std::string_view body, base::WallTime now);

} // namespace headway::turn
