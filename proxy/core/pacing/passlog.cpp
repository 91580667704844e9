// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/passlog.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace headway::pacing {

void PassLog::add(base::SteadyTime answered)
{
    m_answers.push_back(m_answers.empty() ? answered : std::max(answered, m_answers.back()));
}

void PassLog::forget(base::SteadyTime now)
{
    while (!m_answers.empty() && m_answers.front() + longest <= now)
        m_answers.pop_front();
}

std::size_t PassLog::count(base::SteadyTime now, base::Nanoseconds length) const
{
    const auto isOld = [=](base::SteadyTime answered) { return answered + length <= now; };
    const auto first = std::partition_point(m_answers.begin(), m_answers.end(), isOld);
    return static_cast<std::size_t>(std::distance(first, m_answers.end()));
}

std::optional<base::SteadyTime> PassLog::downTo(std::size_t most, base::Nanoseconds length) const
{
    if (m_answers.size() <= most)
        return std::nullopt;
    return m_answers[m_answers.size() - most - 1] + length;
}

} // namespace headway::pacing
