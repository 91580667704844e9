// SPDX-License-Identifier: GPL-3.0-or-later
// Where a turn runs: scan, admission, re-scan, claim or dial. Nothing yields between a scan and the
// claim or dial that follows it.
#include "proxy/core/base/overloaded.h"
#include "proxy/engine/turnrun.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

namespace headway::engine {

namespace {

double ms(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::string bytesOf(const base::Fingerprint &print)
{
    std::array<char, 33> text{};
    std::snprintf(text.data(), text.size(), "%016llx%016llx",
                  static_cast<unsigned long long>(print.high),
                  static_cast<unsigned long long>(print.low));
    return text.data();
}

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) {
        if (!text.empty())
            text += ',';
        text += word;
    }
    return text;
}

} // namespace

heads::ScanRequest TurnRun::scanRequest() const
{
    heads::ScanRequest request{m_partition, m_prints, m_prompt};
    if (m_services.passThrough)
        request.key.reset();
    request.schemas = m_schemas;
    request.route = {m_services.endpointUrl, {}, m_services.credential};
    request.model = m_request.model;
    request.promptTokens = m_request.estimatedInputTokens;
    request.waitBound = std::max(m_budget.bound - m_waitedForHead, base::Nanoseconds::zero());
    return request;
}

void TurnRun::attempt(base::Now now)
{
    m_log.attempt();
    m_accepted = false;
    m_sawItem = false;
    m_started = false;
    m_clearAt.reset();
    m_gated = {};
    m_held = {};
    m_waitedForHead = {};
    m_probeAwaited = false;
    find(now);
}

void TurnRun::find(base::Now now)
{
    if (!passesGate(now))
        return; // and comes back
    m_services.closeEvicted(m_services.pool.sweep(now), now);
    const heads::ScanResult scan = m_services.pool.scan(scanRequest(), now);
    if (wantsHttps(scan, now))
        askAdmission(scan, now);
    else if (scan.decision == heads::Decision::Continuation)
        continueOn(scan, heads::RescanOutcome::NotRun, {}, now);
    else if (scan.decision == heads::Decision::ExpectedHead)
        awaitHead(scan, now);
    else if (scan.decision == heads::Decision::Fork)
        forkFrom(scan, heads::RescanOutcome::NotRun, {}, now);
    else
        placeNew(scan, now);
}

// It continues nothing: a free lane, a spare, or a connection of its own, in this order.
void TurnRun::placeNew(const heads::ScanResult &scan, base::Now now)
{
    m_scan = scan;
    if (m_services.passThrough) { // as without Headway: a connection for each turn
        askAdmission(scan, now);
        return;
    }
    const heads::Placement placement = place(now);
    if (const auto *probe = std::get_if<heads::AwaitProbe>(&placement)) {
        awaitProbe(*probe, now);
    } else if (const auto *on = std::get_if<heads::OnSocket>(&placement)) {
        watchCache(false, now);
        runOn(*on, scan, heads::RescanOutcome::NotRun, m_waitedForHead, now);
    } else {
        askAdmission(scan, now);
    }
}

// The parent will be idle soon: waiting for it costs no admission and saves the whole prompt.
void TurnRun::awaitHead(const heads::ScanResult &scan, base::Now now)
{
    m_scan = scan;
    m_queuedUntil = now.steady + scan.expectedWait;
    m_log.waits(TurnLog::WaitsFor::Head);
    enter(live::Phase::Queued, now);
    m_services.waits.forHead(m_turn, scan.head, scan.expectedWait, now.steady);
    m_services.pacerChanged();
}

void TurnRun::lookedFor(base::Nanoseconds waited, base::Now now)
{
    if (m_over)
        return;
    m_waitedForHead += waited;
    const bool forHead = !std::exchange(m_awaitsProbe, false);
    m_probeAwaited = m_probeAwaited || !forHead;
    m_services.closeEvicted(m_services.pool.sweep(now), now);
    heads::ScanResult scan = m_services.pool.scan(scanRequest(), now);
    if (wantsHttps(scan, now)) {
        askAdmission(scan, now);
    } else if (scan.decision == heads::Decision::Continuation) {
        if (forHead)
            scan.decision = heads::Decision::ExpectedHead; // why it waited, and that it paid
        continueOn(scan,
                   forHead ? heads::RescanOutcome::Continuation : heads::RescanOutcome::NotRun,
                   waited, now);
    } else if (scan.decision == heads::Decision::ExpectedHead) {
        awaitHead(scan, now); // another one took it and will be done soon
    } else if (scan.decision == heads::Decision::Fork) {
        forkFrom(scan, heads::RescanOutcome::NotRun, waited, now);
    } else {
        placeNew(scan, now);
    }
    if (!m_over)
        scheduleWake();
}

// Warnings that a waiting turn deferred: it was placed otherwise, refused, or is gone.
void TurnRun::settleWarnings(base::Now now)
{
    raise(m_services.cacheWatch.settled(m_turn, now.steady), now);
}

// What the scan of this attempt cost. A turn that has warned already lost nothing more.
void TurnRun::watchCache(bool waits, base::Now now)
{
    if (!m_warnedOfLoss)
        raise(m_services.cacheWatch.decided(m_turn, m_scan, waits, now.steady), now);
}

void TurnRun::raise(const std::vector<heads::CacheWarning> &warnings, base::Now now)
{
    m_warnedOfLoss = m_warnedOfLoss || !warnings.empty();
    for (const heads::CacheWarning &warning : warnings)
        warn(warning.key, warning.text, now);
}

// A turn that really waited looks again (spec/heads.md section 5).
void TurnRun::lookAgain(const pacing::Admitted &admitted, base::Now now)
{
    const auto outcome = placeAgain(
        admitted.waited, [&] { giveBackAdmission(admitted.waited, now); }, now);
    if (!outcome)
        return;
    shed(admitted, now);
    dial(m_scan, *outcome, admitted.waited, now);
}

// After a wait: whether it needs a connection of its own. If not, `giveBack` is called and it runs;
// else m_scan says why, and the outcome of this second scan is returned.
std::optional<heads::RescanOutcome>
TurnRun::placeAgain(base::Nanoseconds waited, const std::function<void()> &giveBack, base::Now now)
{
    m_services.closeEvicted(m_services.pool.sweep(now), now);
    heads::ScanRequest request = scanRequest();
    request.waitBound = {}; // it has waited
    const heads::ScanResult again = m_services.pool.scan(request, now);
    const heads::RescanOutcome outcome = rescanOutcome(m_scan.decision, again.decision);
    if (wantsHttps(again, now)) {
        m_scan = again;
        return outcome;
    }
    if (outcome == heads::RescanOutcome::Continuation) {
        m_suppressedWarnings = m_services.cacheWatch.continued(m_turn); // nothing was degraded
        giveBack();
        if (again.decision == heads::Decision::Fork)
            forkFrom(again, outcome, waited, now);
        else
            continueOn(again, outcome, waited, now);
        return std::nullopt;
    }
    const heads::Placement placement = m_services.pool.place(request, now);
    const auto *const on = std::get_if<heads::OnSocket>(&placement);
    if (on && !m_services.passThrough) {
        settleWarnings(now);
        giveBack();
        runOn(*on, again, outcome, waited, now);
        return std::nullopt;
    }
    m_scan = again;
    return outcome;
}

// Idle heads make room where the provider counts open sockets (spec/pacing.md section 7).
void TurnRun::shed(const pacing::Admitted &admitted, base::Now now)
{
    const std::size_t open = m_services.connections.level().open;
    if (admitted.shedTo && open > *admitted.shedTo)
        m_services.closeEvicted(m_services.pool.shed(open - *admitted.shedTo), now);
}

void TurnRun::continueOn(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                         base::Nanoseconds waited, base::Now now)
{
    const auto evicted = m_services.pool.claim(scan.head, scanRequest(), now);
    m_scan = scan;
    m_head = scan.head;
    m_connection = scan.connection;
    m_lane = scan.lane;
    m_continued = true;
    m_services.connections.attach(m_connection, m_lane, this, m_turn);
    m_log.placed(scan, heads::Place::Same, m_connection, m_prints.size());
    HeadFacts &facts = m_services.headFacts[m_head];
    m_log.expected(scan.expectedTokens);
    for (std::size_t i = 0; i < scan.deltaFrom; ++i)
        facts.bytesSaved += m_request.input[i].size();
    recordDecision(scan, heads::Place::Same, outcome, waited,
                   scan.generation == heads::Generation::Nursery, now);
    m_services.closeEvicted(evicted, now);
    send(scan.deltaFrom, scan.previousResponseId, now);
}

void TurnRun::dial(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                   base::Nanoseconds waited, base::Now now)
{
    if (dialsHttps(scan, outcome, waited, now))
        return;
    m_scan = scan;
    m_continued = false;
    settleWarnings(now);
    m_services.pacer.settle(m_waiterId);
    m_dialling = m_waiterId;
    m_services.makeRoom(now);
    const std::string lane = m_services.pool.firstLane(m_services.endpointUrl);
    const auto connection
        = m_services.connections.dial({this, m_turn, m_admission, lane, m_request.model}, now);
    const auto evicted = openHead(connection, lane, scan.decision, now);
    m_log.placed(scan, heads::Place::Dialled, m_connection, m_prints.size());
    recordDecision(scan, heads::Place::Dialled, outcome, waited, false, now);
    m_services.closeEvicted(evicted, now);
    enter(live::Phase::Dialling, now);
    if (!m_lane.empty())
        m_services.roomMade();
}

void TurnRun::recordDecision(const heads::ScanResult &scan, heads::Place place,
                             heads::RescanOutcome outcome, base::Nanoseconds waited, bool promoted,
                             base::Now now)
{
    ledger::HeadDecided decided;
    decided.decision = std::string(name(scan.decision));
    decided.place = std::string(name(place));
    decided.partition = m_partitionTag;
    decided.connection = (m_call ? m_services.https.idOf(m_call) : m_connection).value();
    decided.candidates = scan.candidates;
    decided.idle = scan.idle;
    decided.matching = scan.matching;
    decided.matchMode = std::string(name(scan.mode));
    decided.inputItems = m_prints.size();
    decided.deltaItems = m_prints.size() - scan.deltaFrom;
    decided.promoted = promoted;
    decided.createdConnection
        = place == heads::Place::Dialled || (m_call && m_services.https.isOnNewConnection(m_call));
    if (scan.difference) {
        decided.diffIndex = scan.difference->index;
        decided.diffKind = std::string(name(scan.difference->kind));
        decided.expectedHash = m_services.installKey.hash(bytesOf(scan.difference->expected));
        decided.foundHash = m_services.installKey.hash(bytesOf(scan.difference->found));
    }
    decided.promptChanges = joined(scan.promptChanges);
    decided.rescanOutcome = std::string(name(outcome));
    decided.waitedMs = ms(waited);
    decided.isolatedBy = scan.isolatedBy.value();
    decided.lane = m_lane;
    decided.expectedTokens = scan.expectedTokens;
    if (scan.lost) {
        decided.lostReason = std::string(name(scan.lost->reason));
        decided.lostTokens = scan.lost->tokens;
    }
    decided.suppressedWarnings = std::exchange(m_suppressedWarnings, 0);
    record(std::move(decided), now);
}

void TurnRun::dropConnection(heads::EvictionReason reason, base::Now now)
{
    dropCall(reason, now);
    if (m_dialling)
        m_services.pacer.dialFailed(*std::exchange(m_dialling, {}), now); // nobody knows any more
    m_replacing = false;
    leaveConnection(reason, now);
}

} // namespace headway::engine
