// SPDX-License-Identifier: GPL-3.0-or-later
// What goes up for one turn, and what comes back.
#include "proxy/core/dialects/tokenestimate.h"
#include "proxy/engine/statedwait.h"
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
    answer.retryAfter = statedWait(reply, now);
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

// Policy `auto` waits out a throttle however long it lasts. What may be a gateway that lets no
// WebSocket through goes the ladder, at whose end stands HTTPS.
bool TurnRun::isNoThrottle(const turn::Fault &rejected) const
{
    return rejected.mayBeBlocked && m_services.policy == pacing::Policy::Auto;
}

void TurnRun::connectionRejected(const net::UpgradeReply &reply)
{
    const base::Now now = net::readClock();
    forgetConnection();
    const turn::Fault rejected = turn::classifyUpgrade(describe(reply, now.wall));
    const bool rides = !m_dialling && !m_replacing; // somebody else's opening, and rejection
    if (rejected.kind == turn::FaultKind::Rejected && rides)
        lookElsewhere(now);
    else if (rejected.kind != turn::FaultKind::Rejected || isNoThrottle(rejected)
             || !takenBack({reply.status, rejected.stated}, now))
        fault(rejected, now);
}

void TurnRun::connectionFailed(const QString &reason, net::DialStage stage)
{
    turn::Fault failed;
    failed.kind = stage == net::DialStage::Unanswered ? turn::FaultKind::UpgradeUnanswered
                                                      : turn::FaultKind::DialFailed;
    failed.wasConnected = stage == net::DialStage::Answering;
    failed.error.kind = dialects::ErrorKind::Unreachable;
    failed.error.message = "No connection to the provider: " + reason.toStdString();
    forgetConnection();
    fault(failed, net::readClock());
}

void TurnRun::connectionWithoutCredential(const QString &reason)
{
    forgetConnection();
    withoutCredential(reason, net::readClock());
}

void TurnRun::withoutCredential(const QString &reason, base::Now now)
{
    turn::Fault failed;
    failed.kind = turn::FaultKind::UpgradeFailed;
    failed.error.kind = dialects::ErrorKind::Authentication;
    failed.error.message = reason.toStdString();
    fault(failed, now);
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

// An answer to an earlier turn comes once more: from here on every answer would be taken for that
// of the turn before it, so nothing is read from this place any more.
void TurnRun::answeredAgain(base::Now now)
{
    warn("upstream.answer.repeated",
         "The provider sent the answer to an earlier turn again; the place it came from is given "
         "up.",
         now);
    m_running = false; // whatever still comes cannot be told from the answer
    turn::Fault lost;
    lost.kind = turn::FaultKind::SocketLost;
    lost.error.kind = dialects::ErrorKind::Unreachable;
    lost.error.message = "The provider's answers on this connection are out of step.";
    fault(lost, now);
}

void TurnRun::takeFailure(const dialects::UpstreamEvent &event, base::Now now)
{
    turn::Fault failed;
    failed.kind = turn::FaultKind::ErrorEvent;
    if (event.error)
        failed.error = *event.error;
    if (event.typeName == "response.cancelled")
        failed.error.message = "The provider cancelled the response.";
    failed.stated = failed.error.retryAfter;
    if (failed.error.kind == dialects::ErrorKind::Authentication) {
        if (m_call)
            m_services.https.refuseCredential(m_call);
        else
            m_services.connections.refuseCredential(m_connection);
    }
    fault(failed, now);
}

void TurnRun::event(const dialects::UpstreamEvent &event, base::Now now)
{
    using dialects::EventType;
    if (event.type == EventType::RateLimits)
        (void)m_services.throttles.quota.readEvent(event.raw, now.wall);
    if (m_services.connections.isAnswered(m_connection, m_lane, event.responseId)) {
        answeredAgain(now);
        return;
    }
    const bool cancelled = event.typeName == "response.cancelled"; // as terminal as the others
    if (event.isTerminal() || cancelled) {
        m_running = false;
        m_services.connections.noteAnswer(m_connection, m_lane, event.responseId);
    }
    if (event.isModelEvent())
        accept(event, now);
    if (event.type == EventType::Error || event.type == EventType::Failed || cancelled) {
        takeFailure(event, now);
        return;
    }
    if (!event.responseId.empty())
        m_responseId = event.responseId;
    // Deltas without an item cannot be put together again; only an item is output.
    const bool isWhole = event.items > 0 && !m_sawItem; // told at the end only
    m_sawItem = m_sawItem || isWhole || !event.item.empty();
    if (event.type == EventType::Completed && !m_sawItem && !m_outputOut && m_request.generate) {
        completedEmpty(event, now);
        return;
    }
    if (event.isOutput() || isWhole)
        countOutput(event.delta, now);
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

// A provider sends about a token a delta, so that what is cut between two of them hardly counts.
void TurnRun::countOutput(std::string_view delta, base::Now now)
{
    ++m_outputEvents;
    if (delta.size() > 2)
        m_outputTokens += dialects::estimateTokens(delta.substr(1, delta.size() - 2));
    if (m_log.phase() == live::Phase::Streaming)
        return;
    enter(live::Phase::Streaming, now);
    m_log.firstOutput(now.steady);
    m_services.pacer.firstOutput(now.steady - m_sentAt);
    m_deadline.output();
}

void TurnRun::completedEmpty(const dialects::UpstreamEvent &event, base::Now now)
{
    turn::Fault empty;
    empty.kind = turn::FaultKind::EmptyCompleted;
    empty.error.kind = dialects::ErrorKind::UpstreamFailed;
    empty.error.message = "The provider completed the turn without any output.";
    if (m_remedies.emptyAgain)
        keepHead(event, now); // told to the client, but the conversation can go on
    fault(empty, now);
}

void TurnRun::completed(const dialects::UpstreamEvent &event, base::Now now)
{
    if (event.type == dialects::EventType::Completed) {
        keepHead(event, now);
    } else {
        // An incomplete response is no place to continue from.
        if (event.usage)
            m_log.used(*event.usage);
        releaseCall();
        dropConnection(heads::EvictionReason::FailedTurn, now);
    }
    if (m_sink->isOpened() || m_request.stream || m_request.door == dialects::Door::ResponsesSocket)
    {
        m_sink->finish();
    } else {
        dialects::Answer answer = m_writer->answer();
        tellQuota(answer.headers, false, now);
        m_sink->answer(answer);
    }
    finish("completed", {}, {}, now);
}

// The response is complete upstream: its head is idle from now on.
void TurnRun::keepHead(const dialects::UpstreamEvent &event, base::Now now)
{
    const bool canContinue = m_head != heads::HeadId{};
    std::vector<std::string> echoed;
    if (canContinue || m_request.phases)
        echoed = m_writer->echoedItems();
    if (m_request.phases) {
        for (const std::string &item : echoed)
            m_request.phases->remember(m_request.identity, item);
    }
    if (!canContinue) { // over HTTPS, or answered here: nothing to continue from
        if (event.usage)
            m_log.used(*event.usage);
        releaseCall();
        return;
    }
    heads::Completion completion;
    completion.responseId = m_responseId;
    for (const std::string &item : echoed) {
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

} // namespace headway::engine
