// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headway::pacing {

// Policy `auto`: how often this account is rejected for no reason, and so how many rejections in a
// row are none.
//
//   p = (0.5 + noise) / (20 + openings)     both halved whenever openings reach 400
//   k = the least of 2 ... 6 with p^k < 0.002
class NoiseLevel final
{
public:
    void opened();
    void rejectedForNothing(int times) { m_noise += times; }

    [[nodiscard]] int rejectionsToConfirm() const;

private:
    double m_openings = 0;
    double m_noise = 0;
};

} // namespace headway::pacing
