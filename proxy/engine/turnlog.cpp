// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/turnlog.h"

#include "proxy/core/dialects/door.h"

#include <chrono>
#include <cstdio>

namespace headway::engine {

namespace {

double ms(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::string seconds(double milliseconds)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f s", milliseconds / 1000.0);
    return text.data();
}

} // namespace

TurnLog::TurnLog(const dialects::TurnRequest &request, const turn::Redactor &redact,
                 std::uint64_t bytesIn, base::SteadyTime start)
    : m_start(start)
    , m_phaseSince(start)
    , m_sentAt(start)
{
    m_record.dialect = std::string(name(request.door));
    m_record.modelAsked = redact(request.modelAsked);
    m_record.model = redact(request.model);
    m_record.effort = redact(request.effort);
    m_record.bytesIn = bytesIn;
    m_record.admission = "none";
}

std::array<base::Milliseconds, live::phaseCount> TurnLog::spent(base::SteadyTime now) const
{
    std::array<base::Milliseconds, live::phaseCount> whole{};
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool isGoingOn = i == static_cast<std::size_t>(m_phase);
        const base::Nanoseconds more = isGoingOn ? now - m_phaseSince : base::Nanoseconds::zero();
        whole[i] = std::chrono::duration_cast<base::Milliseconds>(m_spent[i] + more);
    }
    return whole;
}

void TurnLog::enter(live::Phase phase, base::SteadyTime now)
{
    const double spent = ms(now - m_phaseSince);
    m_spent[static_cast<std::size_t>(m_phase)] += now - m_phaseSince;
    switch (m_phase) {
    case live::Phase::Gate:
        m_record.gateMs += spent;
        break;
    case live::Phase::Queued:
    case live::Phase::Backoff:
        m_record.queuedMs += spent;
        break;
    case live::Phase::Dialling:
        m_record.dialledMs += spent;
        break;
    case live::Phase::FirstByte:
    case live::Phase::Streaming:
        break;
    }
    m_lackedOpening = lackedOpening(now);
    m_lacksOpening = (phase == live::Phase::Queued || phase == live::Phase::Backoff)
        && m_waitsFor == WaitsFor::Opening;
    m_phase = phase;
    m_phaseSince = now;
}

void TurnLog::admitted(bool queued)
{
    m_record.admission = queued ? "queued" : "at_once";
}

void TurnLog::placed(const heads::ScanResult &scan, heads::Place place,
                     base::ConnectionId connection, std::size_t inputItems)
{
    m_decision = scan.decision;
    m_place = place;
    m_inputItems = inputItems;
    m_deltaItems = inputItems - scan.deltaFrom;
    m_record.decision = std::string(name(scan.decision));
    m_record.place = std::string(name(place));
    m_record.connection = connection.value();
    m_record.generation = place == heads::Place::Https       ? ""
        : scan.decision == heads::Decision::Continuation     ? "established"
        : scan.decision == heads::Decision::ParallelIsolated ? "isolated"
        : scan.decision == heads::Decision::Unpartitioned    ? ""
                                                             : "nursery";
}

void TurnLog::firstEvent(base::SteadyTime now)
{
    if (!m_record.firstByteMs)
        m_record.firstByteMs = ms(now - m_sentAt);
}

void TurnLog::firstOutput(base::SteadyTime now)
{
    if (!m_firstOutputAt)
        m_firstOutputAt = now;
}

void TurnLog::used(const dialects::Usage &usage)
{
    m_record.inputTokens = usage.inputTokens;
    m_record.cachedTokens = usage.cachedTokens;
    m_record.cacheWriteTokens = usage.cacheWriteTokens;
    m_record.outputTokens = usage.outputTokens;
    m_record.reasoningTokens = usage.reasoningTokens;
}

std::string TurnLog::waitWords() const
{
    if (m_waitsFor == WaitsFor::Head)
        return "Waiting for the turn whose reply it goes on from; it will soon be over.";
    if (m_waitsFor == WaitsFor::Probe)
        return "Waiting to learn whether the provider lets turns share a connection.";
    return "Waiting for its place: connections are being opened at the set rate.";
}

std::string TurnLog::placeWords() const
{
    if (m_place == heads::Place::Lane)
        return "a lane of an open connection";
    if (m_place == heads::Place::Spare)
        return "a connection opened ahead";
    return "a new connection";
}

std::string TurnLog::whyPlaced() const
{
    if (!m_decision)
        return {};
    const std::string items = std::to_string(m_inputItems);
    if (m_place == heads::Place::Https)
        return "Sent over HTTPS, all " + items + " items of it: there nothing is continued.";
    switch (*m_decision) {
    case heads::Decision::Continuation:
        return "Continued its conversation on the open connection: " + std::to_string(m_deltaItems)
            + " of " + items + " items went up, the rest was already there.";
    case heads::Decision::ExpectedHead:
        return "Waited for the connection that holds its conversation.";
    case heads::Decision::Fork:
        return "Branched off a conversation on its own lane.";
    case heads::Decision::ParallelIsolated:
        return "A turn of the same conversation was still running, so this one got " + placeWords()
            + " of its own.";
    case heads::Decision::HistoryMismatchNewHead:
        return "Its history differs from every open conversation of this agent, so all " + items
            + " items went up on " + placeWords() + ".";
    case heads::Decision::NewPartitionHead:
        return "First turn of this agent: " + placeWords() + ".";
    case heads::Decision::Unpartitioned:
        return "No session was named, so it got " + placeWords() + " of its own.";
    }
    return {};
}

std::string TurnLog::why(base::SteadyTime now) const
{
    const double inPhase = ms(now - m_phaseSince);
    switch (m_phase) {
    case live::Phase::Queued:
        return waitWords();
    case live::Phase::Backoff:
        return "Will try again: " + m_lastFault;
    case live::Phase::Dialling:
        return "Opening a connection (" + seconds(inPhase) + ").";
    case live::Phase::Gate:
        return "Waiting before the call: the provider's token budget is used up, or it asked "
               "everybody to slow down.";
    case live::Phase::FirstByte:
    case live::Phase::Streaming:
        break;
    }
    std::string text = whyPlaced();
    if (m_record.queuedMs >= 1)
        text = "Waited " + seconds(m_record.queuedMs) + ". " + text;
    if (!m_lastFault.empty())
        text += " Recovered from: " + m_lastFault;
    return text;
}

ledger::TurnStarted TurnLog::started() const
{
    return {m_record.dialect, m_record.modelAsked, m_record.model, m_record.effort,
            m_record.bytesIn};
}

ledger::TurnEnded TurnLog::ended(std::string end, std::string errorType, std::string stopReason,
                                 std::string_view errorText, std::uint64_t bytesOut,
                                 base::SteadyTime now)
{
    enter(live::Phase::Streaming, now);
    m_record.totalMs = ms(now - m_start);
    if (m_firstOutputAt)
        m_record.streamedMs = ms(now - *m_firstOutputAt);
    m_record.bytesOut = bytesOut;
    m_record.reason = why(now);
    if (end == "failed" || end == "refused") {
        m_record.reason = std::string(errorText);
        if (end == "refused")
            m_record.admission = "refused";
    }
    m_record.end = std::move(end);
    m_record.errorType = std::move(errorType);
    m_record.stopReason = std::move(stopReason);
    return m_record;
}

} // namespace headway::engine
