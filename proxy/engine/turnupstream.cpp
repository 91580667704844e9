// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back from upstream for one turn, and what is done when it goes wrong.
#include "proxy/core/base/overloaded.h"
#include "proxy/core/pacing/backoff.h"
#include "proxy/engine/turnrun.h"
#include "proxy/net/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

constexpr std::uint64_t mostFrameWarnings = 1;

turn::UpgradeAnswer describe(const net::UpgradeReply &reply, base::WallTime now)
{
    turn::UpgradeAnswer answer;
    answer.status = reply.status;
    answer.contentType = reply.header("content-type");
    answer.mitigated = !reply.header("cf-mitigated").empty();
    answer.body = reply.body;
    answer.retryAfter = pacing::parseRetryAfterMs(reply.header("retry-after-ms"));
    if (!answer.retryAfter)
        answer.retryAfter = pacing::parseRetryAfter(reply.header("retry-after"), now);
    return answer;
}

turn::Fault lostSocket(std::uint16_t code, const QString &reason)
{
    turn::Fault lost;
    lost.kind = turn::FaultKind::SocketLost;
    lost.closeCode = code;
    lost.error.kind
        = code == 1009 ? dialects::ErrorKind::TooLarge : dialects::ErrorKind::UpstreamFailed;
    lost.error.message = code == 1009
        ? "The provider closed the connection: the request is too large for it (close code 1009)."
        : "The connection to the provider was lost before the reply was complete (close code "
            + std::to_string(code)
            + (reason.isEmpty() ? std::string() : ", " + reason.toStdString()) + ").";
    return lost;
}

} // namespace

// Another turn may have used up the budget since this one passed the gate.
void TurnRun::send(std::size_t deltaFrom, std::string_view previousResponseId, base::Now now)
{
    if (passesGate(now))
        plainSend(deltaFrom, previousResponseId, now);
    else
        m_gated = GatedCall{deltaFrom, std::string(previousResponseId)};
}

void TurnRun::plainSend(std::size_t deltaFrom, std::string_view previousResponseId, base::Now now)
{
    enter(live::Phase::FirstByte, now);
    if (!m_services.pool.mayAdvance(m_head)) { // a fork still needs what this lane holds
        m_held = GatedCall{deltaFrom, std::string(previousResponseId)};
        return;
    }
    const std::string_view previous = previousResponseId.empty()
        ? std::string_view(m_request.previousResponseId)
        : previousResponseId;
    m_log.sent(now.steady);
    m_sentAt = now.steady;
    m_deadline.sent(now.steady, m_services.firstEvent);
    m_services.throttles.tokens.sent(m_request.estimatedInputTokens);
    m_running = true;
    m_services.connections.send(m_connection, m_lane,
                                createFrame(m_request, deltaFrom, previous, m_lane));
    scheduleWake();
}

void TurnRun::connectionOpened()
{
    if (m_over)
        return;
    const base::Now now = net::readClock();
    if (m_dialling)
        m_services.pacer.opened(*std::exchange(m_dialling, {}), now);
    else if (std::exchange(m_replacing, false))
        m_services.pacer.recoveryOpened(now);
    m_services.pacerChanged();
    send(0, {}, now);
}

void TurnRun::connectionRejected(const net::UpgradeReply &reply)
{
    const base::Now now = net::readClock();
    forgetConnection();
    const turn::Fault rejected = turn::classifyUpgrade(describe(reply, now.wall));
    const bool rides = !m_dialling && !m_replacing; // somebody else's opening, and rejection
    if (rejected.kind == turn::FaultKind::Rejected && rides)
        lookElsewhere(now);
    else if (rejected.kind != turn::FaultKind::Rejected
             || !takenBack({reply.status, rejected.stated}, now))
        fault(rejected, now);
}

void TurnRun::connectionFailed(const QString &reason)
{
    turn::Fault failed;
    failed.kind = turn::FaultKind::DialFailed;
    failed.error.kind = dialects::ErrorKind::Unreachable;
    failed.error.message = "No connection to the provider: " + reason.toStdString();
    forgetConnection();
    fault(failed, net::readClock());
}

void TurnRun::connectionWithoutCredential(const QString &reason)
{
    turn::Fault failed;
    failed.kind = turn::FaultKind::UpgradeFailed;
    failed.error.kind = dialects::ErrorKind::Authentication;
    failed.error.message = reason.toStdString();
    forgetConnection();
    fault(failed, net::readClock());
}

void TurnRun::connectionClosed(std::uint16_t code, const QString &reason)
{
    forgetConnection();
    fault(lostSocket(code, reason), net::readClock());
}

void TurnRun::forgetConnection()
{
    m_connection = {};
    m_running = false;
}

void TurnRun::connectionReceived(std::string_view message, std::size_t capacity)
{
    if (m_over)
        return;
    const base::Now now = net::readClock();
    const auto read = m_services.reader.read(message, capacity, now.wall);
    if (!read) {
        if (m_warnedFrames++ < mostFrameWarnings)
            warn("upstream.frame.unreadable",
                 "The provider sent a frame that is not a JSON event; it was ignored.", now);
        return;
    }
    event(*read, now);
}

void TurnRun::connectionEvent(const dialects::UpstreamEvent &read)
{
    if (!m_over)
        event(read, net::readClock());
}

// The first sign of the response, and the one that sets a fork's parent free.
void TurnRun::accept(const dialects::UpstreamEvent &event, base::Now now)
{
    using dialects::EventType;
    m_deadline.modelEvent(now.steady);
    m_log.firstEvent(now.steady);
    if (!m_accepted) {
        m_accepted = true;
        m_acceptedAt = now.steady;
    }
    if (m_started || event.type == EventType::Created || event.type == EventType::Queued
        || event.type == EventType::Error)
        return;
    m_started = true;
    m_services.pool.started(m_head);
    m_services.forkStarted();
}

void TurnRun::event(const dialects::UpstreamEvent &event, base::Now now)
{
    using dialects::EventType;
    if (event.type == EventType::RateLimits)
        (void)m_services.throttles.quota.readEvent(event.raw, now.wall);
    const bool cancelled = event.typeName == "response.cancelled"; // as terminal as the others
    if (event.isTerminal() || cancelled)
        m_running = false;
    if (event.isModelEvent())
        accept(event, now);
    if (event.type == EventType::Error || event.type == EventType::Failed || cancelled) {
        turn::Fault failed;
        failed.kind = turn::FaultKind::ErrorEvent;
        if (event.error)
            failed.error = *event.error;
        if (cancelled)
            failed.error.message = "The provider cancelled the response.";
        failed.stated = failed.error.retryAfter;
        fault(failed, now);
        return;
    }
    if (!event.responseId.empty())
        m_responseId = event.responseId;
    // Deltas without an item cannot be put together again; only an item is output.
    if (!event.item.empty())
        m_sawItem = true;
    if (event.type == EventType::Completed && !m_sawItem && !m_outputOut && m_request.generate) {
        turn::Fault empty;
        empty.kind = turn::FaultKind::EmptyCompleted;
        empty.error.kind = dialects::ErrorKind::UpstreamFailed;
        empty.error.message = "The provider completed the turn without any output.";
        if (m_remedies.emptyAgain)
            keepHead(event, now); // told to the client, but the conversation can go on
        fault(empty, now);
        return;
    }
    if (event.isOutput()) {
        ++m_outputEvents;
        if (m_log.phase() != live::Phase::Streaming) {
            enter(live::Phase::Streaming, now);
            m_log.firstOutput(now.steady);
            m_services.pacer.firstOutput(now.steady - m_sentAt);
            m_deadline.output();
        }
    }
    m_writer->event(event, m_out);
    if (!m_out.empty()) {
        m_outputOut
            = m_outputOut || m_request.stream || m_request.door == dialects::Door::ResponsesSocket;
        flush(now);
    }
    if (event.type == EventType::Completed || event.type == EventType::Incomplete) {
        m_services.throttles.plan.passed();
        completed(event, now);
    }
}

void TurnRun::completed(const dialects::UpstreamEvent &event, base::Now now)
{
    if (event.type == dialects::EventType::Completed) {
        keepHead(event, now);
    } else {
        // An incomplete response is no place to continue from.
        if (event.usage)
            m_log.used(*event.usage);
        dropConnection(heads::EvictionReason::FailedTurn, now);
    }
    if (m_sink->isOpened() || m_request.stream || m_request.door == dialects::Door::ResponsesSocket)
        m_sink->finish();
    else
        m_sink->answer(m_writer->answer());
    finish("completed", {}, {}, now);
}

// The response is complete upstream: its head is idle from now on.
void TurnRun::keepHead(const dialects::UpstreamEvent &event, base::Now now)
{
    heads::Completion completion;
    completion.responseId = m_responseId;
    for (const std::string &item : m_writer->echoedItems()) {
        if (m_services.printer.isExpected(item))
            completion.echoed.push_back(m_services.printer.print(item));
    }
    if (event.usage) {
        m_log.used(*event.usage);
        completion.contextTokens = event.usage->inputTokens + event.usage->outputTokens;
        if (m_continued)
            m_services.headFacts[m_head].tokensSaved += event.usage->cachedTokens;
    }
    m_services.connections.release(m_connection, m_lane);
    m_services.closeEvicted(m_services.pool.complete(m_head, std::move(completion), now), now);
    m_services.headFreed(std::exchange(m_head, {}));
    m_connection = {};
    m_lane.clear();
}

void TurnRun::fault(const turn::Fault &fault, base::Now now)
{
    if (m_over || sendsUnnamed(fault, now))
        return;
    m_deadline.answered();
    if (fault.error.kind == dialects::ErrorKind::PlanLimit)
        m_services.throttles.plan.reached(fault.error.resetsAt, true, now.wall);
    leaveGate(now);
    m_gated.reset();
    turn::AttemptFacts facts;
    facts.outputReachedClient = m_outputOut;
    facts.continued = m_continued;
    const turn::Circumstances around{.remaining = m_deadline.remaining(now.steady),
                                     .policy = m_services.policy,
                                     .schedule = m_services.throttles.schedule,
                                     .random = m_services.random,
                                     .now = now};
    const turn::Action action = turn::recover(fault, facts, m_remedies, m_budget, around);
    if (!std::holds_alternative<turn::GiveUp>(action)) {
        ledger::Retry retry;
        retry.attempt = m_log.attempts();
        retry.cause = std::string(name(fault.kind));
        if (const std::string_view code = turn::recordable(fault.error.code); !code.empty())
            retry.cause += ":" + std::string(code);
        retry.action = std::string(name(action));
        if (const auto *later = std::get_if<turn::RetryLater>(&action))
            retry.delayMs = static_cast<double>(later->delay.count());
        record(std::move(retry), now);
        m_log.retried(recordedCause(fault));
        m_writer->restart();
        m_out.clear();
    }
    m_retryCause = fault.error;
    m_recordedCause = recordedCause(fault);
    perform(action, now);
    if (!m_over)
        scheduleWake();
}

std::string TurnRun::recordedCause(const turn::Fault &fault) const
{
    if (fault.kind != turn::FaultKind::ErrorEvent)
        return m_services.redact(fault.error.message);
    std::string_view word = turn::recordable(fault.error.code);
    if (word.empty())
        word = turn::recordable(fault.error.type);
    std::string text = "The provider reported ";
    text += word.empty() ? name(fault.error.kind) : word;
    if (fault.error.upstreamStatus)
        text += " (status " + std::to_string(*fault.error.upstreamStatus) + ")";
    return m_services.redact(text + ".");
}

void TurnRun::perform(const turn::Action &action, base::Now now)
{
    std::visit(base::Overloaded{
                   [&](const turn::SendAgain &) {
                       m_clearAt.reset();
                       m_services.pool.forgetResponse(m_head);
                       m_services.pool.started(m_head); // a fork that needs no parent
                       m_services.forkStarted();
                       m_continued = false;
                       m_accepted = false;
                       m_started = false;
                       m_log.attempt();
                       send(0, {}, now);
                   },
                   [&](const turn::ReplaceSocket &) { replaceSocket(now); },
                   [&](const turn::DropReasoning &) {
                       dropConnection(heads::EvictionReason::FailedTurn, now);
                       dropReasoning();
                       warn("upstream.reasoning.dropped",
                            "The provider could not read its own encrypted reasoning; the turn was "
                            "sent again without it.",
                            now);
                       replaceSocket(now);
                   },
                   [&](const turn::RefreshCredential &) { replaceSocket(now); },
                   [&](const turn::RetryLater &later) {
                       dropConnection(heads::EvictionReason::FailedTurn, now);
                       enter(live::Phase::Backoff, now);
                       m_retryAt = now.steady + later.delay;
                   },
                   [&](const turn::GiveUp &up) { fail(up.error, now); },
               },
               action);
}

// Full context elsewhere at once: on a free lane, or on a new socket outside the queue
// (spec/pacing.md section 9).
void TurnRun::replaceSocket(base::Now now)
{
    const base::ConnectionId old = m_connection;
    dropConnection(heads::EvictionReason::FailedTurn, now);
    m_clearAt.reset();
    m_continued = false;
    m_accepted = false;
    m_started = false;
    m_sawItem = false;
    m_log.attempt();
    const bool apart = m_scan.decision == heads::Decision::ParallelIsolated
        || m_scan.decision == heads::Decision::Unpartitioned;
    const auto decision = apart ? m_scan.decision : heads::Decision::NewPartitionHead;
    heads::ScanRequest request = scanRequest();
    request.waitBound = {};
    const heads::Placement placement = m_services.pool.place(request, now);
    const auto *const on = std::get_if<heads::OnSocket>(&placement);
    if (on && on->connection != old) {
        const auto evicted = openHead(on->connection, on->lane, decision, now);
        m_services.closeEvicted(evicted, now);
        join(now);
        return;
    }
    m_services.pacer.debitRecovery(m_budget, now);
    m_services.pacerChanged();
    m_replacing = true;
    const std::string lane = m_services.pool.firstLane(m_services.endpointUrl);
    const auto connection
        = m_services.connections.dial({this, m_turn, 0, lane, m_request.model}, now);
    m_services.closeEvicted(openHead(connection, lane, decision, now), now);
    enter(live::Phase::Dialling, now);
}

void TurnRun::dropReasoning()
{
    std::vector<std::string_view> input;
    std::vector<heads::ItemPrint> prints;
    for (std::size_t i = 0; i < m_prints.size(); ++i) {
        if (m_prints[i].kind == heads::ItemKind::Reasoning)
            continue;
        input.push_back(m_request.input[i]);
        prints.push_back(m_prints[i]);
    }
    m_request.input = std::move(input);
    m_prints = std::move(prints);
}

} // namespace headway::engine
