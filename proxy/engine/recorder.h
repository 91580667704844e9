// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/live/secondcounter.h"
#include "proxy/core/live/snapshot.h"
#include "proxy/core/live/waithistogram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headway::engine {

// Collects every record once: for the ledger's writer, for the window, for the totals and the
// charts' seconds. Records are plain values that are moved on in batches.
class Recorder final
{
public:
    void add(base::TurnId turn, std::string session, std::string agent, ledger::Body body,
             base::WallTime at);

    // For the window: only kept while somebody watches, newest first to go when nobody asks.
    void setWatched(bool watched);

    [[nodiscard]] std::vector<ledger::Record> takeForLedger();
    [[nodiscard]] std::vector<ledger::Record> takeForWindow();
    [[nodiscard]] bool hasForLedger() const { return !m_forLedger.empty(); }
    [[nodiscard]] std::vector<live::ChangeMark> takeChanges();

    [[nodiscard]] live::SecondCounter &seconds() { return m_seconds; }
    [[nodiscard]] const live::Totals &totals() const { return m_totals; }
    [[nodiscard]] const live::WaitHistogram &waits() const { return m_waits; }
    [[nodiscard]] std::uint64_t admissionsRefused() const { return m_admissionsRefused; }

private:
    void count(const ledger::Body &body, base::WallTime at);
    void countAdmission(const ledger::Admission &admission, base::WallTime at);
    void countTurn(const ledger::TurnEnded &turn, base::WallTime at);

    std::vector<ledger::Record> m_forLedger;
    std::vector<ledger::Record> m_forWindow;
    std::vector<live::ChangeMark> m_changes;
    live::SecondCounter m_seconds;
    live::Totals m_totals;
    live::WaitHistogram m_waits;
    std::uint64_t m_admissionsRefused = 0;
    bool m_watched = false;
};

} // namespace headway::engine
