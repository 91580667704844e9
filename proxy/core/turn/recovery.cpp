// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/turn/recovery.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/pacing/backoff.h"

#include <algorithm>
#include <chrono>

namespace headway::turn {

namespace {

using dialects::ErrorKind;
using namespace std::chrono_literals;

constexpr base::Milliseconds longestStatedDelay = 120s;
constexpr base::Milliseconds marginAfterStatedDelay = 1s;

constexpr std::string_view connectionLimitReached = "websocket_connection_limit_reached";
constexpr std::string_view laneLimitReached = "websocket_stream_limit_reached";

// RFC 6455 section 7.4 and the providers' own codes (protocol notes 1.1, 1.11).
constexpr std::uint16_t closePolicyViolation = 1008;
constexpr std::uint16_t closeTooBig = 1009;
constexpr std::uint16_t closeOutOfCredits = 4402;

constexpr int unauthorized = 401;
constexpr int attemptsBeforeHttps = 2; // further ones

Action nextRung(const Fault &fault, Remedies &remedies, const pacing::RequestBudget &budget,
                const Circumstances &around)
{
    if (remedies.retries >= budget.retries)
        return GiveUp{fault.error};
    const bool stated = fault.stated.has_value();
    const base::Milliseconds delay
        = stated ? *fault.stated : pacing::retryDelay(remedies.retries + 1, around.random);
    const base::Milliseconds needed = delay + budget.bound + marginAfterStatedDelay;
    if (delay > longestStatedDelay || (stated && needed > around.remaining)
        || delay >= around.remaining)
        return GiveUp{fault.error};
    ++remedies.retries;
    return RetryLater{delay};
}

// Victims of one burst come back one after the other, and an event cools everybody down.
Action throttled(pacing::Throttled::By by, const Fault &fault, Remedies &remedies,
                 const pacing::RequestBudget &budget, const Circumstances &around)
{
    const pacing::Throttled turn{.by = by,
                                 .policy = around.policy,
                                 .retriesUsed = remedies.retries,
                                 .rejections = remedies.rejections,
                                 .stated = fault.stated,
                                 .remaining = around.remaining};
    if (by == pacing::Throttled::By::Upgrade)
        ++remedies.rejections;
    const auto answer = around.schedule.next(turn, budget, around.now);
    if (const auto *retry = std::get_if<pacing::RetryIn>(&answer)) {
        ++remedies.retries;
        return RetryLater{std::chrono::ceil<base::Milliseconds>(retry->delay)};
    }
    dialects::TurnError error = fault.error;
    error.retryAfter = std::get<pacing::PassOn>(answer).retryAfter;
    return GiveUp{error};
}

bool isDeltaFault(const dialects::TurnError &error)
{
    return error.code == "previous_response_not_found"
        || error.message.find("No tool call found for") != std::string::npos
        || error.message.find("Duplicate item found with id") != std::string::npos;
}

std::optional<Action> recoverSpecially(const Fault &fault, const AttemptFacts &facts,
                                       Remedies &remedies)
{
    const dialects::TurnError &error = fault.error;
    if (facts.continued && isDeltaFault(error) && !remedies.fullContextOnSameSocket) {
        remedies.fullContextOnSameSocket = true;
        return SendAgain{};
    }
    if (error.code == connectionLimitReached && !remedies.newSocketForAge) {
        remedies.newSocketForAge = true;
        return ReplaceSocket{};
    }
    if (error.code == laneLimitReached && !remedies.otherLane) {
        remedies.otherLane = true;
        return OtherLane{};
    }
    if (error.code == "invalid_encrypted_content" && !remedies.reasoningDropped) {
        remedies.reasoningDropped = true;
        return DropReasoning{};
    }
    // Over HTTPS, and on a socket that is open already, the answer to the request is where a token
    // is refused.
    if (error.kind == ErrorKind::Authentication && !remedies.credentialRefreshed) {
        remedies.credentialRefreshed = true;
        return RefreshCredential{};
    }
    return std::nullopt;
}

Action recoverFromEvent(const Fault &fault, const AttemptFacts &facts, Remedies &remedies,
                        const pacing::RequestBudget &budget, const Circumstances &around)
{
    if (const auto special = recoverSpecially(fault, facts, remedies))
        return *special;
    if (fault.error.code == connectionLimitReached || fault.error.code == laneLimitReached)
        return nextRung(fault, remedies, budget, around);
    switch (fault.error.kind) {
    case ErrorKind::Throttled:
        return throttled(pacing::Throttled::By::Event, fault, remedies, budget, around);
    case ErrorKind::UpstreamFailed:
    case ErrorKind::Overloaded:
    case ErrorKind::Unavailable:
    case ErrorKind::Timeout:
        if (remedies.serverError)
            return GiveUp{fault.error};
        remedies.serverError = true;
        return nextRung(fault, remedies, budget, around);
    default:
        return GiveUp{fault.error};
    }
}

Action byHttps(HttpsCause cause, const Fault &fault, Remedies &remedies)
{
    if (remedies.https)
        return GiveUp{fault.error};
    remedies.https = cause;
    return UseHttps{cause};
}

// An answer to the upgrade that is neither a rejection nor a switch of protocols.
Action recoverFromUpgrade(const Fault &fault, Remedies &remedies)
{
    switch (fault.error.upstreamStatus.value_or(0)) {
    case unauthorized:
        if (!remedies.credentialRefreshed) {
            remedies.credentialRefreshed = true;
            return RefreshCredential{};
        }
        return byHttps(HttpsCause::Unauthorized, fault, remedies);
    case 404:
    case 405:
        return byHttps(HttpsCause::NoSuchRoute, fault, remedies);
    case 426:
        return byHttps(HttpsCause::UpgradeRequired, fault, remedies);
    default:
        // If HTTPS refuses the request too, its answer is the one that the client can act on.
        if (fault.mayBeBlocked)
            return byHttps(HttpsCause::Blocked, fault, remedies);
        return GiveUp{fault.error};
    }
}

// WebSocket alone may be refused: what does not pass in a few attempts is tried by HTTPS once.
Action recoverFromFailedDial(const Fault &fault, const AttemptFacts &facts, Remedies &remedies,
                             const pacing::RequestBudget &budget, const Circumstances &around)
{
    // "Socket error … new socket, once": a connection that stood says nothing of the next one,
    // while one that could not be made will hardly be made a moment later.
    if (fault.wasConnected && !remedies.newSocket) {
        remedies.newSocket = true;
        return ReplaceSocket{};
    }
    const bool mayHelp = fault.mayBeBlocked && !facts.overHttps && !remedies.https;
    if (mayHelp && (facts.httpsWorks || remedies.retries >= attemptsBeforeHttps))
        return byHttps(HttpsCause::Blocked, fault, remedies);
    Action action = fault.kind == FaultKind::Rejected
        ? throttled(pacing::Throttled::By::Upgrade, fault, remedies, budget, around)
        : nextRung(fault, remedies, budget, around);
    if (mayHelp && std::holds_alternative<GiveUp>(action))
        return byHttps(HttpsCause::Blocked, fault, remedies);
    return action;
}

Action recoverFromLostSocket(const Fault &fault, Remedies &remedies,
                             const pacing::RequestBudget &budget, const Circumstances &around)
{
    const std::uint16_t code = fault.closeCode.value_or(0);
    if (code == closeTooBig)
        return byHttps(HttpsCause::TooLarge, fault, remedies);
    if (code == closePolicyViolation || code == closeOutOfCredits)
        return GiveUp{fault.error};
    if (!remedies.newSocket) {
        remedies.newSocket = true;
        return ReplaceSocket{};
    }
    return nextRung(fault, remedies, budget, around);
}

} // namespace

Action recover(const Fault &fault, const AttemptFacts &facts, Remedies &remedies,
               const pacing::RequestBudget &budget, const Circumstances &around)
{
    if (facts.outputReachedClient)
        return GiveUp{fault.error};
    switch (fault.kind) {
    case FaultKind::Rejected:
    case FaultKind::DialFailed:
        return recoverFromFailedDial(fault, facts, remedies, budget, around);
    case FaultKind::Refused:
        return nextRung(fault, remedies, budget, around);
    case FaultKind::UpgradeUnanswered:
        if (facts.upgradesSwallowed && !remedies.https)
            return byHttps(HttpsCause::Unanswered, fault, remedies);
        return nextRung(fault, remedies, budget, around);
    case FaultKind::UpgradeFailed:
        return recoverFromUpgrade(fault, remedies);
    case FaultKind::DeadlineExpired:
        return GiveUp{fault.error};
    case FaultKind::SocketLost:
        return recoverFromLostSocket(fault, remedies, budget, around);
    case FaultKind::ErrorEvent:
        return recoverFromEvent(fault, facts, remedies, budget, around);
    case FaultKind::EmptyCompleted:
        if (remedies.emptyAgain)
            return GiveUp{fault.error};
        remedies.emptyAgain = true;
        return SendAgain{};
    }
    return GiveUp{fault.error};
}

std::string_view name(FaultKind kind)
{
    switch (kind) {
    case FaultKind::Refused:
        return "refused";
    case FaultKind::Rejected:
        return "rejected";
    case FaultKind::UpgradeFailed:
        return "upgrade_failed";
    case FaultKind::DialFailed:
        return "dial_failed";
    case FaultKind::UpgradeUnanswered:
        return "upgrade_unanswered";
    case FaultKind::SocketLost:
        return "socket_lost";
    case FaultKind::ErrorEvent:
        return "error_event";
    case FaultKind::EmptyCompleted:
        return "empty_completed";
    case FaultKind::DeadlineExpired:
        return "deadline_expired";
    }
    return "";
}

std::string_view name(const Action &action)
{
    return std::visit(
        base::Overloaded{
            [](const SendAgain &) { return std::string_view("same_socket_full"); },
            [](const ReplaceSocket &) { return std::string_view("new_socket_full"); },
            [](const OtherLane &) { return std::string_view("other_lane_full"); },
            [](const DropReasoning &) { return std::string_view("drop_reasoning"); },
            [](const RefreshCredential &) { return std::string_view("refresh_credential"); },
            [](const UseHttps &) { return std::string_view("https"); },
            [](const RetryLater &) { return std::string_view("backoff"); },
            [](const GiveUp &) { return std::string_view("give_up"); },
        },
        action);
}

} // namespace headway::turn
