// SPDX-License-Identifier: GPL-3.0-or-later
// A turn over HTTPS: when WebSocket cannot carry it (spec/heads.md section 8) or it is too large.
// The whole conversation goes up, and no head remains.
//
// A request that opens a connection takes an admission like any other new connection
// (spec/pacing.md section 2, "permission to open one new connection"); one on a kept-alive
// connection takes none. How it ends tells the pacer nothing: its limits are about upgrades.
#include "proxy/core/json/quote.h"
#include "proxy/engine/httpscalls.h"
#include "proxy/engine/turnrun.h"
#include "proxy/net/clock.h"

#include <utility>

namespace headway::engine {

namespace {

bool continuesOnASocket(heads::Decision decision)
{
    return decision == heads::Decision::Continuation || decision == heads::Decision::ExpectedHead
        || decision == heads::Decision::Fork;
}

std::size_t bytesFrom(const dialects::TurnRequest &request, std::size_t item)
{
    std::size_t bytes = request.fields.size();
    for (; item < request.input.size(); ++item)
        bytes += request.input[item].size() + 1;
    return bytes;
}

} // namespace

std::size_t TurnRun::bytesToSend(const heads::ScanResult &scan) const
{
    return bytesFrom(m_request, continuesOnASocket(scan.decision) ? scan.deltaFrom : 0);
}

bool TurnRun::wantsHttps(const heads::ScanResult &scan, base::Now now) const
{
    const turn::TransportMemory &memory = m_services.transport;
    if (m_remedies.https || memory.isTooLarge(bytesToSend(scan)))
        return true;
    return !continuesOnASocket(scan.decision)
        && memory.expected(bytesToSend(scan), now) == turn::Transport::Https;
}

// What needs no new connection goes at once. False: it needs an admission.
bool TurnRun::goesWithoutDial(const heads::ScanResult &scan, base::Now now)
{
    if (!wantsHttps(scan, now))
        return false;
    if (!m_request.generate) {
        answerWarmUp(now);
        return true;
    }
    if (!m_services.https.hasIdle())
        return false;
    if (!passesGate(now))
        return true; // and comes back
    m_scan = scan;
    watchCache(false, now);
    call(scan, {.turn = m_turn}, HttpsCalls::On::IdleConnection, now);
    recordDecision(m_scan, heads::Place::Https, heads::RescanOutcome::NotRun, {}, false, now);
    return true;
}

// An admitted turn is about to open a connection. True: it went by HTTPS.
bool TurnRun::dialsHttps(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                         base::Nanoseconds waited, base::Now now)
{
    const bool https = m_remedies.https
        || m_services.transport.choose(bytesToSend(scan), now) == turn::Transport::Https;
    if (!https)
        return false;
    settleWarnings(now);
    if (!m_request.generate || !passesGate(now)) { // a turn in the gate holds no admission
        giveBackAdmission(waited, now);
        if (!m_request.generate)
            answerWarmUp(now);
        return true;
    }
    if (m_services.https.hasIdle()) { // one became free meanwhile
        giveBackAdmission(waited, now);
        call(scan, {.turn = m_turn}, HttpsCalls::On::IdleConnection, now);
    } else {
        m_services.pacer.settle(m_waiterId);
        m_dialling = m_waiterId;
        call(scan, {.turn = m_turn, .request = m_admission}, HttpsCalls::On::NewConnection, now);
    }
    recordDecision(m_scan, heads::Place::Https, outcome, waited, false, now);
    return true;
}

void TurnRun::call(const heads::ScanResult &scan, const HttpsCalls::Opening &opening,
                   HttpsCalls::On on, base::Now now)
{
    using net::EventStreamCall;
    m_scan = scan;
    if (continuesOnASocket(scan.decision)) // not this time, and not because its history differs
        m_scan.decision = heads::Decision::NewPartitionHead;
    m_scan.deltaFrom = 0;
    m_continued = false;
    m_accepted = false;
    m_sawItem = false;
    HttpsCalls::Opening asked = opening;
    asked.model = m_request.model;
    asked.withoutCredential
        = [this](const CredentialError &error) { callWithoutCredential(error); };
    m_call = m_services.https.start(asked, postBody(m_request), on, now);
    const base::ConnectionId connection = m_services.https.idOf(m_call);
    m_log.placed(m_scan, heads::Place::Https, connection, m_prints.size());
    enter(m_services.https.isOnNewConnection(m_call) ? live::Phase::Dialling
                                                     : live::Phase::FirstByte,
          now);
    connect(m_call, &EventStreamCall::connected, this, &TurnRun::callConnected);
    connect(m_call, &EventStreamCall::sent, this, [this] {
        m_deadline.sent(net::readClock().steady, m_services.firstEvent);
        scheduleWake();
    });
    connect(m_call, &EventStreamCall::accepted, this, &TurnRun::callAccepted);
    connect(m_call, &EventStreamCall::received, this, &TurnRun::connectionReceived);
    connect(m_call, &EventStreamCall::refused, this, &TurnRun::callRefused);
    connect(m_call, &EventStreamCall::ended, this,
            [this] { callLost(QStringLiteral("the stream ended without a final event")); });
    connect(m_call, &EventStreamCall::failed, this, &TurnRun::callFailed);
}

void TurnRun::callConnected()
{
    const base::Now now = net::readClock();
    endDial(now);
    enter(live::Phase::FirstByte, now);
    m_log.sent(now.steady);
    m_sentAt = now.steady;
    m_services.throttles.tokens.sent(m_request.estimatedInputTokens);
}

// Nobody knows what an upgrade would have met.
void TurnRun::endDial(base::Now now)
{
    if (!m_dialling)
        return;
    m_services.pacer.dialFailed(*std::exchange(m_dialling, {}), now);
    m_services.pacerChanged();
}

void TurnRun::callAccepted()
{
    const base::Now now = net::readClock();
    if (m_remedies.https && m_services.transport.proved(*m_remedies.https, now))
        m_services.transportChanged();
}

void TurnRun::callRefused(const net::UpgradeReply &reply)
{
    const base::Now now = net::readClock();
    m_call = nullptr;
    fault(turn::classifyHttpAnswer(reply.status, reply.headers, reply.body, now.wall), now);
}

void TurnRun::callFailed(net::HttpsExchange::Stage stage, const QString &reason)
{
    if (stage != net::HttpsExchange::Stage::Connecting) {
        callLost(reason);
        return;
    }
    const base::Now now = net::readClock();
    m_call = nullptr;
    endDial(now);
    turn::Fault failed;
    failed.kind = turn::FaultKind::DialFailed;
    failed.error.kind = dialects::ErrorKind::Unreachable;
    failed.error.message = "No connection to the provider: " + reason.toStdString();
    fault(failed, now);
}

void TurnRun::callWithoutCredential(const CredentialError &error)
{
    if (error.passing) {
        callFailed(net::HttpsExchange::Stage::Connecting, error.text);
        return;
    }
    const base::Now now = net::readClock();
    m_call = nullptr;
    endDial(now);
    withoutCredential(error.text, now);
}

void TurnRun::callLost(const QString &reason)
{
    m_call = nullptr;
    turn::Fault lost;
    lost.kind = turn::FaultKind::SocketLost;
    lost.error.kind = dialects::ErrorKind::UpstreamFailed;
    lost.error.message = "The connection to the provider was lost before the reply was complete ("
        + reason.toStdString() + ").";
    fault(lost, net::readClock());
}

// At once, outside the queue (spec/pacing.md section 9).
void TurnRun::callAgain(HttpsCalls::On on, base::Now now)
{
    dropConnection(heads::EvictionReason::FailedTurn, now);
    m_clearAt.reset();
    m_log.attempt();
    if (!m_request.generate) {
        answerWarmUp(now);
        return;
    }
    if (!passesGate(now))
        return; // and begins anew, by HTTPS
    if (on == HttpsCalls::On::NewConnection || !m_services.https.hasIdle()) {
        m_services.pacer.debitRecovery(m_budget, now);
        m_services.pacerChanged();
    }
    call(m_scan, {.turn = m_turn}, on, now);
}

void TurnRun::switchToHttps(turn::HttpsCause cause, base::Now now)
{
    if (m_services.transport.refused(cause, now))
        m_services.transportChanged();
    callAgain(HttpsCalls::On::IdleConnection, now);
}

// The reply is complete: the connection may carry the next one.
void TurnRun::releaseCall()
{
    if (!m_call)
        return;
    m_call->disconnect(this);
    m_call->setReadingPaused(false);
    m_services.https.release(std::exchange(m_call, nullptr));
}

void TurnRun::dropCall(heads::EvictionReason reason, base::Now now)
{
    if (!m_call)
        return;
    m_call->disconnect(this);
    m_services.https.drop(std::exchange(m_call, nullptr), name(reason), now);
}

// A warm-up (`generate: false`) prepares a connection's memory, and HTTPS has none: the client gets
// the empty reply it waits for, and what it chains to it is sent in full (spec/turns.md).
void TurnRun::answerWarmUp(base::Now now)
{
    const std::string id = "resp_warm_" + std::to_string(m_turn.value());
    for (const auto &[type, status] : {std::pair("response.created", "in_progress"),
                                       std::pair("response.completed", "completed")})
    {
        std::string text = R"({"type":")" + std::string(type) + R"(","sequence_number":)"
            + (status == std::string_view("completed") ? "1" : "0") + R"(,"response":{"id":")" + id
            + R"(","object":"response","status":")" + status
            + R"(","error":null,"incomplete_details":null,"output":[],"model":)";
        json::appendQuoted(text, m_request.model);
        text += R"(,"usage":{"input_tokens":0,"input_tokens_details":{"cached_tokens":0},)"
                R"("output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},)"
                R"("total_tokens":0}}})";
        const std::size_t size = text.size();
        text.append(dialects::EventStreamReader::padding, '\0');
        const auto read
            = m_services.reader.read(std::string_view(text).substr(0, size), text.size(), now.wall);
        if (read)
            event(*read, now);
    }
}

} // namespace headway::engine
