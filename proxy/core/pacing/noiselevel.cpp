// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/noiselevel.h"

#include <algorithm>
#include <cmath>

namespace headway::pacing {

void NoiseLevel::opened()
{
    m_openings += 1;
    if (m_openings >= 400) {
        m_openings /= 2;
        m_noise /= 2;
    }
}

int NoiseLevel::rejectionsToConfirm() const
{
    const double p = std::min(0.9, (0.5 + m_noise) / (20 + m_openings));
    int k = 2;
    while (k < 6 && std::pow(p, k) >= 0.002)
        ++k;
    return k;
}

} // namespace headway::pacing
