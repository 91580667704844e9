// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/noiselevel.h"

#include <algorithm>

namespace headway::pacing {

void NoiseLevel::opened()
{
    m_openings += 1;
    if (m_openings >= 400) {
        m_openings /= 2;
        m_noise /= 2;
    }
}

double NoiseLevel::share() const
{
    return std::min(0.9, (0.5 + m_noise) / (20 + m_openings));
}

bool NoiseLevel::isQuiet() const
{
    return share() < 0.08;
}

int NoiseLevel::rejectionsToConfirm() const
{
    const double p = share();
    int k = 2;
    for (double chance = p * p; k < 6 && chance >= 0.002; chance *= p)
        ++k;
    return k;
}

} // namespace headway::pacing
