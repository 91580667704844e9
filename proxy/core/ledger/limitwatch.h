// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/ceiling.h"
#include "proxy/core/pacing/quota.h"
#include "proxy/core/pacing/tokenbudget.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::ledger {

// How the limits stand at one instant.
struct Limits
{
    std::string_view policy;
    base::Nanoseconds spacing; // between two openings; 0: not spaced
    const pacing::CeilingEstimate &estimate;
    const pacing::TokenBudget &tokens;
    const pacing::Quota &quota;
};

// Makes the records spacing_changed, ceiling_changed, token_budget and quota_window out of looks at
// the limits: only what changed since it was last told, and no thing more than once a second. What
// changes again sooner is told by a later look, with its newest value. A ceiling's confidence fades
// all the time, so that alone is no change; nor is a reset that moved by the seconds its reading
// took. What is left of a token budget moves with every call: it is told when calls begin or cease
// to wait for it, when its limit changes, and otherwise once a minute.
class LimitWatch final
{
public:
    [[nodiscard]] std::vector<Body> look(const Limits &limits, base::Now now);

private:
    // Lets one thing be told again.
    class Pace
    {
    public:
        [[nodiscard]] bool allows(base::SteadyTime now, base::Nanoseconds every) const;
        void told(base::SteadyTime now) { m_at = now; }

    private:
        std::optional<base::SteadyTime> m_at;
    };
    struct ToldBudget
    {
        pacing::TokenBudget::Level level;
        Pace pace;
    };
    struct ToldQuota
    {
        pacing::QuotaWindow window;
        Pace pace;
    };

    void lookAtSpacing(const Limits &limits, base::SteadyTime now, std::vector<Body> &told);
    void lookAtCeiling(const Limits &limits, base::SteadyTime now, std::vector<Body> &told);
    void lookAtTokens(const Limits &limits, base::SteadyTime now, std::vector<Body> &told);
    void lookAtQuota(const Limits &limits, base::Now now, std::vector<Body> &told);

    base::Nanoseconds m_spacing{0};
    Pace m_spacingPace;
    pacing::CeilingEstimate m_ceiling;
    Pace m_ceilingPace;
    std::map<std::string_view, ToldBudget> m_tokens; // by family
    std::map<std::pair<std::string, base::Seconds>, ToldQuota> m_quota; // by meter and length
};

} // namespace headway::ledger
