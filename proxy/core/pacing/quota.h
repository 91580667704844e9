// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::pacing {

// One allowance of the account and how much of it is used.
struct QuotaWindow
{
    std::string meter; // whose: "codex", or another limit's id
    std::string name; // by its length: "5 h", "7 d"
    base::Seconds length{0};
    double usedPercent = 0;
    std::optional<base::WallTime> resetsAt;

    friend bool operator==(const QuotaWindow &, const QuotaWindow &) = default;
};

// The windows of the plan as the provider last told them, by headers (x-codex-primary-used-percent
// …, also of other meters) or by `codex.rate_limits` events (protocol notes 2.6). "Primary" and
// "secondary" are slots that either length may stand in: a window is known by its length.
class Quota final
{
public:
    using Headers = std::vector<std::pair<std::string, std::string>>; // names lower case

    // Each returns whether it held anything of a window. What makes no sense is passed over.
    bool readHeaders(const Headers &headers, base::WallTime now);
    bool readEvent(std::string_view frame, base::WallTime now);

    // Shortest first, of one meter after the other; those that have ended since are at 0 %.
    [[nodiscard]] std::vector<QuotaWindow> windows(base::WallTime now) const;

private:
    struct Reading
    {
        std::optional<double> usedPercent;
        std::optional<double> minutes;
        std::optional<double> resetAt; // unix time, seconds
        std::optional<double> resetAfter; // seconds
    };

    bool take(const std::string &meter, const Reading &reading, base::WallTime now);

    std::map<std::pair<std::string, base::Seconds>, QuotaWindow> m_windows;
};

// "5 h", "7 d", "90 min".
[[nodiscard]] std::string windowName(base::Seconds length);

} // namespace headway::pacing
