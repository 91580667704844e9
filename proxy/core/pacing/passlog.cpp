// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/passlog.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace headway::pacing {

std::span<const base::SteadyTime> PassLog::kept() const
{
    return std::span(m_answers).subspan(m_forgotten);
}

void PassLog::add(base::SteadyTime answered)
{
    m_answers.push_back(m_answers.empty() ? answered : std::max(answered, m_answers.back()));
}

void PassLog::forget(base::SteadyTime now)
{
    while (m_forgotten < m_answers.size() && m_answers[m_forgotten] + longest <= now)
        ++m_forgotten;
    if (2 * m_forgotten <= m_answers.size())
        return;
    const auto last = std::next(m_answers.begin(), static_cast<std::ptrdiff_t>(m_forgotten));
    m_answers.erase(m_answers.begin(), last);
    m_forgotten = 0;
}

std::size_t PassLog::count(base::SteadyTime now, base::Nanoseconds length) const
{
    const auto answers = kept();
    const auto isOld = [=](base::SteadyTime answered) { return answered + length <= now; };
    const auto first = std::partition_point(answers.begin(), answers.end(), isOld);
    return static_cast<std::size_t>(std::distance(first, answers.end()));
}

std::optional<base::SteadyTime> PassLog::downTo(std::size_t most, base::Nanoseconds length) const
{
    const auto answers = kept();
    if (answers.size() <= most)
        return std::nullopt;
    return answers[answers.size() - most - 1] + length;
}

} // namespace headway::pacing
