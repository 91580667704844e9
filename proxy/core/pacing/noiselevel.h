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
    // p < 0.08: a single rejection means something.
    [[nodiscard]] bool isQuiet() const;

private:
    [[nodiscard]] double share() const; // p

    double m_openings = 0;
    double m_noise = 0;
};

} // namespace headway::pacing
