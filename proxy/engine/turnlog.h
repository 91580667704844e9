// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/heads/pool.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/live/snapshot.h"
#include "proxy/core/turn/redaction.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace headway::engine {

// The figures of one turn: how long each phase took, what was decided, what it cost; and the plain
// words a person reads.
class TurnLog final
{
public:
    TurnLog(const dialects::TurnRequest &request, const turn::Redactor &redact,
            std::uint64_t bytesIn, base::SteadyTime start);

    void enter(live::Phase phase, base::SteadyTime now);
    [[nodiscard]] live::Phase phase() const { return m_phase; }
    [[nodiscard]] base::SteadyTime phaseSince() const { return m_phaseSince; }
    [[nodiscard]] base::SteadyTime start() const { return m_start; }

    [[nodiscard]] std::array<base::Milliseconds, live::phaseCount>
    spent(base::SteadyTime now) const;
    // What it waits for in the phase that it enters next, Queued or Backoff.
    enum class WaitsFor : std::uint8_t { Opening, Head, Probe, Release, Remedy };
    void waits(WaitsFor what) { m_waitsFor = what; }
    // Whether it is a new connection that it lacks now, and how long it did so far, all attempts
    // together: in the pacer's queue, or sent back by the pacer or by the provider's rejection.
    [[nodiscard]] bool lacksOpening() const { return m_lacksOpening; }
    [[nodiscard]] base::Nanoseconds lackedOpening(base::SteadyTime now) const
    {
        return m_lackedOpening + (m_lacksOpening ? now - m_phaseSince : base::Nanoseconds::zero());
    }

    void attempt() { ++m_record.attempts; }
    [[nodiscard]] std::uint32_t attempts() const { return m_record.attempts; }
    void refused() { ++m_record.refusals; }
    void admitted(bool queued);
    void placed(const heads::ScanResult &scan, heads::Place place, base::ConnectionId connection,
                std::size_t inputItems);
    void sent(base::SteadyTime now) { m_sentAt = now; }
    void firstEvent(base::SteadyTime now);
    void firstOutput(base::SteadyTime now);
    void expected(std::uint64_t cachedTokens) { m_record.expectedCachedTokens = cachedTokens; }
    void used(const dialects::Usage &usage);
    void retried(std::string_view cause) { m_lastFault = cause; }

    [[nodiscard]] const std::optional<heads::Decision> &decision() const { return m_decision; }
    [[nodiscard]] const std::optional<heads::Place> &place() const { return m_place; }

    // One sentence on what is going on, or how it went.
    [[nodiscard]] std::string why(base::SteadyTime now) const;

    [[nodiscard]] ledger::TurnStarted started() const;
    [[nodiscard]] ledger::TurnEnded ended(std::string end, std::string errorType,
                                          std::string stopReason, std::string_view errorText,
                                          std::uint64_t bytesOut, base::SteadyTime now);

private:
    [[nodiscard]] std::string whyPlaced() const;
    [[nodiscard]] std::string waitWords() const;
    [[nodiscard]] std::string placeWords() const;

    ledger::TurnEnded m_record;
    std::array<base::Nanoseconds, live::phaseCount> m_spent{};
    live::Phase m_phase = live::Phase::Dialling;
    base::SteadyTime m_start;
    base::SteadyTime m_phaseSince;
    base::SteadyTime m_sentAt;
    std::optional<base::SteadyTime> m_firstOutputAt;
    std::optional<heads::Decision> m_decision;
    std::optional<heads::Place> m_place;
    std::size_t m_inputItems = 0;
    std::size_t m_deltaItems = 0;
    std::string m_lastFault;
    WaitsFor m_waitsFor = WaitsFor::Opening;
    bool m_lacksOpening = false;
    base::Nanoseconds m_lackedOpening{0}; // in phases that are over
};

} // namespace headway::engine
