// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/turnrun.h"

#include "proxy/core/dialects/modeltable.h"
#include "proxy/core/dialects/quotaheaders.h"
#include "proxy/net/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

// spec/safety.md: a stalled client is bounded.
constexpr std::size_t mostBuffered = std::size_t{1} << 20U;
constexpr base::Nanoseconds longestStall = 60s;
// spec/turns.md: pings at least every 15 s once the stream is open; checked once a second.
constexpr base::Nanoseconds pingAfter = 10s;

base::Milliseconds toMs(base::Nanoseconds duration)
{
    return std::chrono::duration_cast<base::Milliseconds>(duration);
}

base::Fingerprint promptPrint(std::string_view text)
{
    constexpr std::uint64_t seed = 0x48656164776179ULL;
    return base::fingerprint(text, seed);
}

heads::PartitionInput partitionInput(const Services &services, const dialects::TurnRequest &request,
                                     std::string &systemAndTools)
{
    heads::PartitionInput input;
    input.endpoint = services.endpointUrl;
    input.provider = services.connections.endpoint().name;
    input.account = services.account;
    input.model = request.model;
    input.session = request.identity.session;
    input.agent = request.identity.agent;
    input.cacheKey = request.identity.cacheKey;
    input.chain = request.previousResponseId;
    if (input.session.empty() && input.cacheKey.empty() && !request.instructions.empty()) {
        systemAndTools = std::string(request.instructions) + '\x1f' + std::string(request.tools);
        input.systemAndTools = systemAndTools;
    }
    return input;
}

} // namespace

TurnRun::TurnRun(Services &services, Start start, QObject *parent)
    : QObject(parent)
    , m_services(services)
    , m_turn(start.turn)
    , m_request(std::move(start.request))
    , m_sink(std::move(start.sink))
    , m_budget(std::move(start.budget))
    , m_deadline(m_budget, net::readClock().steady)
    , m_log(m_request, services.redact, start.bytesIn, net::readClock().steady)
    , m_writer(dialects::makeReplyWriter(m_request, m_turn))
{
    m_prints = m_services.printer.prints(m_request.input);
    m_schemas = m_services.printer.schemas(m_request.tools);
    m_prompt = {promptPrint(m_request.instructions), promptPrint(m_request.tools),
                promptPrint(m_request.effort)};
    std::string systemAndTools;
    m_partition = heads::partitionKey(partitionInput(m_services, m_request, systemAndTools));
    if (m_partition)
        m_partitionTag = m_services.installKey.tag(m_partition->value());
    if (!m_request.identity.session.empty())
        m_session = m_services.installKey.tag(m_request.identity.session);
    if (!m_request.identity.agent.empty())
        m_agent = m_services.installKey.tag(m_request.identity.agent);
    connect(m_sink.get(), &ClientSink::gone, this, &TurnRun::clientGone);
    connect(m_sink.get(), &ClientSink::drained, this, [this] {
        m_stalledSince.reset();
        pauseReading(false);
    });
}

TurnRun::~TurnRun() = default;

void TurnRun::begin(base::Now now)
{
    record(m_log.started(), now);
    if (!m_request.shaping.empty())
        warn("turn.shaped", m_request.shaping, now);
    m_lastWrite = now.steady;
    if (m_services.throttles.plan.ask(now.wall) == pacing::PlanLimit::Answer::Local)
        failForPlan(now);
    else
        attempt(now);
    if (!m_over)
        scheduleWake();
}

void TurnRun::wake(base::Now now)
{
    m_nextWake = base::SteadyTime::max();
    if (m_over)
        return;
    if (m_gateUntil && now.steady >= *m_gateUntil) {
        if (const auto call = std::exchange(m_gated, {}))
            send(call->deltaFrom, call->previousResponseId, now);
        else
            find(now);
    } else if (m_retryAt && now.steady >= *m_retryAt) {
        m_retryAt.reset();
        attempt(now);
    } else if (const auto expiry = m_deadline.expired(now.steady)) {
        turn::Fault expired;
        expired.kind = *expiry == turn::Expiry::FirstEvent ? turn::FaultKind::SocketLost
                                                           : turn::FaultKind::DeadlineExpired;
        expired.error.kind = dialects::ErrorKind::Timeout;
        expired.error.message = *expiry == turn::Expiry::FirstEvent
            ? "The provider accepted the turn but sent nothing in time."
            : "The provider sent no model event before the turn's deadline.";
        if (isHeld())
            expired.error.message = "Headway held this turn back, as its user asked, until its "
                                    "deadline passed. Nothing was sent to the provider.";
        // A deadline that fires during a backoff tells what caused the retry.
        if (m_retryAt && m_retryCause)
            expired.error = *m_retryCause;
        fault(expired, now);
    }
    if (!m_over)
        scheduleWake();
}

void TurnRun::scheduleWake()
{
    base::SteadyTime next = m_deadline.next();
    if (m_retryAt)
        next = std::min(next, *m_retryAt);
    if (m_gateUntil)
        next = std::min(next, *m_gateUntil);
    if (next >= m_nextWake)
        return;
    m_nextWake = next;
    m_services.wakeAt(m_turn, next);
}

void TurnRun::tick(base::Now now)
{
    if (m_over)
        return;
    if (m_stalledSince && now.steady - *m_stalledSince >= longestStall) {
        finish("client_gone", "stalled", "The client stopped reading for 60 s.", now);
        return;
    }
    if (needsPing(now.steady)) {
        if (!m_sink->isOpened())
            openStream(now);
        std::string ping;
        m_writer->ping(ping);
        m_sink->write(ping);
        m_lastWrite = now.steady;
    }
}

// Status and headers wait for the first output, so that an error before it is a real status; a
// stream that would stay silent for too long is opened early (spec/turns.md, "What the client is
// told").
bool TurnRun::needsPing(base::SteadyTime now) const
{
    const bool socket = m_request.door == dialects::Door::ResponsesSocket;
    if (!m_request.stream && !socket)
        return false;
    if (m_sink->isOpened() || socket)
        return now - m_lastWrite >= pingAfter;
    return now - m_log.start() >= m_services.openStreamAfter
        || (m_accepted && now - m_acceptedAt >= pingAfter);
}

void TurnRun::abandon(const dialects::TurnError &error, base::Now now)
{
    if (!m_over)
        fail(error, now);
}

void TurnRun::clientGone()
{
    if (m_over)
        return;
    finish("client_gone", {}, {}, net::readClock());
}

void TurnRun::openStream(base::Now now)
{
    auto headers = dialects::streamHeaders(m_request.door, m_turn);
    tellQuota(headers, false, now);
    m_sink->open(headers);
}

// How much of the plan is used, with every reply: that is where its clients look.
void TurnRun::tellQuota(std::vector<std::pair<std::string, std::string>> &headers, bool rejected,
                        base::Now now) const
{
    for (auto &header : dialects::quotaHeaders(
             m_request.door, m_services.throttles.quota.windows(now.wall), rejected))
        headers.push_back(std::move(header));
}

void TurnRun::flush(base::Now now)
{
    if (m_out.empty())
        return;
    if (!m_sink->isOpened())
        openStream(now);
    m_sink->write(m_out);
    m_out.clear();
    m_lastWrite = now.steady;
    if (!m_stalledSince && m_sink->buffered() > mostBuffered) {
        m_stalledSince = now.steady;
        pauseReading(true);
    }
}

void TurnRun::pauseReading(bool paused)
{
    if (m_call)
        m_call->setReadingPaused(paused);
    else
        m_services.connections.setPaused(m_connection, m_lane, paused);
}

void TurnRun::fail(const dialects::TurnError &error, base::Now now)
{
    const bool refused = error.kind == dialects::ErrorKind::RefusedByUs;
    dialects::TurnError told = error; // a provider may quote the credential it was given
    completeOverflow(told, m_request.estimatedInputTokens, m_request.modelAsked);
    told.message = m_services.redact(error.message);
    told.code = m_services.redact(error.code);
    told.param = m_services.redact(error.param);
    if (m_sink->isOpened()) {
        std::string last;
        m_writer->fail(told, last);
        m_sink->fail(last);
    } else {
        dialects::Answer answer = dialects::errorAnswer(m_request.door, told, m_turn);
        tellQuota(answer.headers, told.kind == dialects::ErrorKind::PlanLimit, now);
        m_sink->answer(answer);
    }
    // What is recorded never holds the provider's own words: they may quote a prompt.
    finish(refused ? "refused" : "failed", std::string(name(error.kind)),
           m_recordedCause.empty() ? told.message : m_recordedCause, now);
}

// The plan is used up: asking again would change nothing but what everybody has to wait.
void TurnRun::failForPlan(base::Now now)
{
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::PlanLimit;
    error.code = "usage_limit_reached";
    error.resetsAt = m_services.throttles.plan.resetsAt();
    if (error.resetsAt)
        error.retryAfter = std::max(base::Milliseconds{0}, *error.resetsAt - now.wall);
    error.message = "The provider said that the plan's usage limit is reached; answered by Headway "
                    "without asking again.";
    fail(error, now);
}

void TurnRun::finish(std::string end, std::string errorType, std::string_view errorText,
                     base::Now now)
{
    if (m_over)
        return;
    m_over = true;
    const bool wellDone = end == "completed";
    leaveQueue(now);
    settleWarnings(now);
    if (!wellDone)
        dropConnection(heads::EvictionReason::FailedTurn, now);
    m_sink->disconnect(this);
    record(m_log.ended(std::move(end), std::move(errorType), m_writer->stopReason(), errorText,
                       m_sink->bytesOut(), now.steady),
           now);
    Q_EMIT ended(wellDone);
}

void TurnRun::record(ledger::Body body, base::Now now)
{
    m_services.recorder.add(m_turn, m_session, m_agent, std::move(body), now.wall);
}

void TurnRun::warn(std::string key, std::string text, base::Now now)
{
    record(ledger::Warning{std::move(key), std::move(text)}, now);
}

void TurnRun::enter(live::Phase phase, base::Now now)
{
    m_log.enter(phase, now.steady);
}

void TurnRun::setPlace(const pacing::Pacer::Place &place)
{
    m_queuePlace = place.place;
    m_queuedUntil = place.departsAt;
    m_refusedThen = place.isRefusal;
}

live::TurnRow TurnRun::row(base::Now now) const
{
    live::TurnRow row;
    row.turn = m_turn;
    row.session = m_session;
    row.agent = m_agent;
    row.model = m_request.model;
    row.dialect = std::string(name(m_request.door));
    row.phase = m_log.phase();
    row.decision = m_log.decision();
    row.place = m_log.place();
    row.age = toMs(now.steady - m_log.start());
    row.inPhase = toMs(now.steady - m_log.phaseSince());
    if (m_log.phase() == live::Phase::Queued)
        row.remaining = toMs(std::max(m_queuedUntil - now.steady, base::Nanoseconds::zero()));
    if (m_retryAt)
        row.remaining = toMs(std::max(*m_retryAt - now.steady, base::Nanoseconds::zero()));
    if (m_gateUntil)
        row.remaining = toMs(std::max(*m_gateUntil - now.steady, base::Nanoseconds::zero()));
    row.lacksOpening = m_log.lacksOpening();
    row.lackedOpening = toMs(m_log.lackedOpening(now.steady));
    row.held = isHeld();
    row.refusedThen = m_waiter && m_refusedThen;
    row.queuePlace = m_waiter ? m_queuePlace : m_services.holds.placeOf(m_turn);
    row.spent = m_log.spent(now.steady);
    row.attempt = m_log.attempts();
    row.outputEvents = m_outputEvents;
    row.outputTokens = static_cast<std::uint64_t>(m_outputTokens);
    row.bytesOut = m_sink->bytesOut();
    row.why = m_log.why(now.steady);
    return row;
}

} // namespace headway::engine
