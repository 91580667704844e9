// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

namespace headway::pacing {

// Policy `adaptive`, the law (spec/pacing.md section 4): the distance s between two starts.
//
//   at rest            s = floor                             (spacing_floor_ms, 0 to 60 s)
//   first rejection    s = max(floor, 1 s)
//   each further one   s = max(floor, min(2 s, 8 s))
//   20 successful upgrades in a row   s = s / 2, and the count starts again;
//                      s < 125 ms, or not above the floor: at rest
//
// Any rejection zeroes the count. Only rejections widen: the caller reports neither a 401, nor a
// region block, nor a 426. The floor is a setting and is never relaxed away.
class AdaptiveSpacing final
{
public:
    void setFloor(base::Milliseconds floor);
    void succeeded();
    void rejected();

    [[nodiscard]] base::Nanoseconds spacing() const;

private:
    base::Nanoseconds m_floor{0};
    base::Nanoseconds m_widened{0}; // 0: at rest
    int m_successes = 0;
};

} // namespace headway::pacing
