// SPDX-License-Identifier: GPL-3.0-or-later
// What is done when a turn goes wrong (spec/heads.md section 8); proxy/core/turn/recovery decides.
#include "proxy/core/base/overloaded.h"
#include "proxy/engine/turnrun.h"

#include <utility>

namespace headway::engine {

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
    facts.overHttps = m_log.place() == heads::Place::Https;
    facts.httpsWorks = m_services.transport.cause().has_value();
    facts.upgradesSwallowed = m_services.transport.isSwallowed();
    if (!facts.overHttps
        && (fault.kind == turn::FaultKind::Rejected || fault.kind == turn::FaultKind::DialFailed))
        m_services.transport.undecided(now);
    const turn::Circumstances around{.remaining = m_deadline.remaining(now.steady),
                                     .policy = m_services.policy,
                                     .schedule = m_services.throttles.schedule,
                                     .random = m_services.random,
                                     .now = now};
    m_log.waits(fault.kind == turn::FaultKind::Refused || fault.kind == turn::FaultKind::Rejected
                    ? TurnLog::WaitsFor::Opening
                    : TurnLog::WaitsFor::Remedy);
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
                       if (m_head == heads::HeadId{}) {
                           releaseCall();
                           callAgain(HttpsCalls::On::IdleConnection, now);
                           return;
                       }
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
                   [&](const turn::OtherLane &) { takeOtherLane(now); },
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
                   [&](const turn::UseHttps &https) { switchToHttps(https.cause, now); },
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
    if (m_log.place() == heads::Place::Https) {
        callAgain(HttpsCalls::On::NewConnection, now);
        return;
    }
    const base::ConnectionId old = m_connection;
    beginAnew(now);
    heads::ScanRequest request = scanRequest();
    request.waitBound = {};
    const heads::Placement placement = m_services.pool.place(request, now);
    const auto *const on = std::get_if<heads::OnSocket>(&placement);
    if (on && on->connection != old)
        joinInFull(*on, now);
    else
        dialAgain(now);
}

// The provider gives this connection no further names (protocol notes 1.6): one that it knows, the
// same connection's too, or another connection.
void TurnRun::takeOtherLane(base::Now now)
{
    if (m_lane.empty()) { // of none of ours
        replaceSocket(now);
        return;
    }
    m_services.pool.limitLanes(m_connection, m_lane);
    beginAnew(now);
    heads::ScanRequest request = scanRequest();
    request.waitBound = {};
    const heads::ScanResult scan = m_services.pool.scan(request, now);
    if (scan.decision == heads::Decision::Fork) { // its parent is still there
        forkFrom(scan, heads::RescanOutcome::NotRun, {}, now);
        return;
    }
    const heads::Placement placement = m_services.pool.place(request, now);
    if (const auto *const on = std::get_if<heads::OnSocket>(&placement))
        joinInFull(*on, now);
    else
        dialAgain(now);
}

void TurnRun::beginAnew(base::Now now)
{
    dropConnection(heads::EvictionReason::FailedTurn, now);
    m_clearAt.reset();
    m_continued = false;
    m_accepted = false;
    m_started = false;
    m_sawItem = false;
    m_log.attempt();
}

heads::Decision TurnRun::decisionElsewhere() const
{
    const bool apart = m_scan.decision == heads::Decision::ParallelIsolated
        || m_scan.decision == heads::Decision::Unpartitioned;
    return apart ? m_scan.decision : heads::Decision::NewPartitionHead;
}

void TurnRun::joinInFull(const heads::OnSocket &on, base::Now now)
{
    const auto evicted = openHead(on.connection, on.lane, decisionElsewhere(), now);
    m_services.closeEvicted(evicted, now);
    join(now);
}

// Outside the queue.
void TurnRun::dialAgain(base::Now now)
{
    m_services.pacer.debitRecovery(m_budget, now);
    m_services.pacerChanged();
    m_services.makeRoom(now);
    m_replacing = true;
    const std::string lane = m_services.pool.firstLane(m_services.endpointUrl);
    const auto connection
        = m_services.connections.dial({this, m_turn, 0, lane, m_request.model}, now);
    m_services.closeEvicted(openHead(connection, lane, decisionElsewhere(), now), now);
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
