// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace headway::lab {

// Who and what one line of a trace is about.
struct TraceEvent
{
    std::string_view event; // requested, queued, admitted, refused, dialled, opened, rejected …
    std::size_t agent = 0; // over all sessions
    std::size_t turn = 0; // of that agent
    base::Nanoseconds delay{0}; // until it goes on, where that is known
};

// What happened in a run, one JSON object a line:
// {"policy":"auto","seed":1,"t_ms":0,"event":"queued","agent":0,"turn":0,"delay_ms":0}
class Trace final
{
public:
    using Sink = std::function<void(std::string_view line)>;

    Trace(Sink sink, std::string_view policy, std::uint64_t seed);
    void add(const TraceEvent &event, base::SteadyTime now);

private:
    Sink m_sink;
    std::string m_prefix;
    std::string m_line;
};

} // namespace headway::lab
