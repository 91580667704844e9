// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/ceilingkeeper.h"

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

constexpr std::chrono::minutes keepEvery{1};

} // namespace

CeilingKeeper::CeilingKeeper(const QString &path, std::string account)
    : m_file(path)
    , m_account(std::move(account))
{
}

void CeilingKeeper::recall(pacing::Pacer &pacer, base::Now now) const
{
    if (const auto estimate = m_file.of(m_account))
        pacer.recall(*estimate, now);
}

void CeilingKeeper::keep(const pacing::Pacer &pacer, base::Now now, bool last)
{
    if (!last && m_keptAt && now.steady - *m_keptAt < keepEvery)
        return;
    m_keptAt = now.steady;
    const pacing::CeilingEstimate estimate = pacer.estimate(now);
    if (estimate.shape != pacing::CeilingShape::Unknown)
        (void)m_file.keep(m_account, estimate); // else it is learned again: nothing is lost
}

} // namespace headway::engine
