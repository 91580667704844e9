// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/faultschedule.h"

#include <utility>

namespace headway::simulator {

namespace {

bool hitsOpenSockets(const Fault &fault)
{
    return fault.concernsSockets() && fault.at && !fault.length && !fault.count;
}

} // namespace

FaultSchedule::FaultSchedule(std::vector<Fault> faults, base::SteadyTime start)
    : m_faults(std::move(faults))
    , m_start(start)
{
}

void FaultSchedule::add(Fault fault)
{
    m_faults.push_back(std::move(fault));
}

std::optional<Fault> FaultSchedule::onUpgrade(base::SteadyTime now)
{
    return take(now, true);
}

std::optional<Fault> FaultSchedule::onTurn(base::SteadyTime now)
{
    return take(now, false);
}

std::optional<Fault> FaultSchedule::take(base::SteadyTime now, bool upgrade)
{
    for (Fault &fault : m_faults) {
        const base::SteadyTime begin = m_start + fault.at.value_or(base::Milliseconds{0});
        if (fault.concernsUpgrades() != upgrade || hitsOpenSockets(fault) || now < begin)
            continue;
        if ((fault.length && now >= begin + *fault.length) || (fault.count && *fault.count <= 0))
            continue;
        if (fault.count)
            --*fault.count;
        return fault;
    }
    return std::nullopt;
}

std::vector<Fault> FaultSchedule::instants() const
{
    std::vector<Fault> found;
    for (const Fault &fault : m_faults) {
        if (hitsOpenSockets(fault))
            found.push_back(fault);
    }
    return found;
}

} // namespace headway::simulator
