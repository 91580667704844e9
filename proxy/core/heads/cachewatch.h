// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/heads/poolvalues.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headway::heads {

// A warning as it goes into the ledger and before the user.
struct CacheWarning
{
    std::string key; // "cache.lost", "cache.canary.reasoning" or "cache.canary.arguments"
    std::string text; // plain words, no conversation text
    std::uint64_t expectedTokens = 0; // would have come out of the cache

    friend bool operator==(const CacheWarning &, const CacheWarning &) = default;
};

// Cache-degradation warnings (spec/heads.md section 9). A turn that goes into the queue has its
// warnings deferred until it is placed, refused or gone. Three per signature (what happened, and to
// which kind of item or tool) and hour are raised; the rest is counted only.
class CacheWatch final
{
public:
    // The scan on arrival, or again: what it cost. Raises at once unless the turn waits. `tools`
    // names the tool of each canary that is a call, as far as it goes.
    [[nodiscard]] std::vector<CacheWarning> decided(base::TurnId turn, const ScanResult &scan,
                                                    bool waits, base::SteadyTime now,
                                                    std::span<const std::string> tools = {});
    // The waiting turn continues a freed head after all: nothing was degraded. How many warnings
    // that drops (`suppressed_warnings`); they spend nothing of any budget.
    [[nodiscard]] std::size_t continued(base::TurnId turn);
    // The waiting turn was placed otherwise, refused, cancelled or aborted.
    [[nodiscard]] std::vector<CacheWarning> settled(base::TurnId turn, base::SteadyTime now);

    // Not raised because the budget of their signature was spent.
    [[nodiscard]] std::uint64_t overBudget() const { return m_overBudget; }

private:
    struct Pending
    {
        std::string signature;
        CacheWarning warning;
    };
    static constexpr std::size_t perHour = 3;
    static constexpr std::size_t mostSignatures = 1'024;

    [[nodiscard]] static std::vector<Pending> describe(const ScanResult &scan,
                                                       std::span<const std::string> tools);
    [[nodiscard]] static std::optional<Pending> describeLoss(const ScanResult &scan);
    [[nodiscard]] std::vector<CacheWarning> raise(std::vector<Pending> pending,
                                                  base::SteadyTime now);
    [[nodiscard]] bool spend(const std::string &signature, base::SteadyTime now);

    std::map<base::TurnId, std::vector<Pending>> m_deferred;
    std::map<std::string, std::deque<base::SteadyTime>> m_raised; // by signature, the last hour
    std::uint64_t m_overBudget = 0;
};

// Words of the ledger ("function_call" …).
[[nodiscard]] std::string_view name(ItemKind value);

} // namespace headway::heads
