// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/engine/recorder.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace headway::engine {

// Whose tickets of policy `auto` are out, so that the ledger can tell which of them passed unused
// (spec/ledger.md, `admission`). The proxy's thread only.
class TicketBook final
{
public:
    struct Holder
    {
        base::TurnId turn; // the one that was refused
        std::string session;
        std::string agent;
        ledger::Admission issued;
    };
    // A second one takes the place of the first, which is recorded as expired.
    void issued(std::uint64_t key, Holder holder, Recorder &recorder, base::Now now);
    void used(std::uint64_t key) { m_holders.erase(key); }
    void recordLapsed(pacing::Pacer &pacer, Recorder &recorder, base::Now now);

private:
    static void recordExpired(Holder holder, Recorder &recorder, base::Now now);

    std::unordered_map<std::uint64_t, Holder> m_holders; // by ticket key
};

} // namespace headway::engine
