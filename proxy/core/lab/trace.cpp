// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/trace.h"

#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/numbers.h"

#include <utility>

namespace headway::lab {

Trace::Trace(Sink sink, std::string_view policy, std::uint64_t seed)
    : m_sink(std::move(sink))
    , m_prefix("{\"policy\":\"" + std::string(policy) + "\",\"seed\":" + std::to_string(seed)
               + ",\"t_ms\":")
{
}

void Trace::add(const TraceEvent &event, base::SteadyTime now)
{
    m_line = m_prefix;
    appendMilliseconds(m_line, now - startOfRun);
    m_line += ",\"event\":\"";
    m_line += event.event;
    m_line += "\",\"agent\":" + std::to_string(event.agent);
    m_line += ",\"turn\":" + std::to_string(event.turn) + ",\"delay_ms\":";
    appendMilliseconds(m_line, event.delay);
    m_line += "}\n";
    m_sink(m_line);
}

} // namespace headway::lab
