// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/ceiling.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headway::ledger {

// One wall-clock minute (UTC) in which a connection was opened or rejected.
struct EvidenceMinute
{
    base::WallTime begin{};
    std::uint64_t opened = 0;
    std::uint64_t rejected = 0;
    std::map<std::uint64_t, std::uint64_t> statuses{}; // of the rejections: HTTP status, how many
    double rate = 0; // openings a minute that were set then, the highest of that minute

    friend bool operator==(const EvidenceMinute &, const EvidenceMinute &) = default;
};

// The table behind a rate setting (spec/ledger.md, "Reading"). What it says of the provider is a
// correlation in one account's traffic, never a limit that anybody stated.
struct Evidence
{
    base::WallTime from{}; // of the first record counted; both zero: there was none
    base::WallTime to{};
    double rate = 0; // openings a minute set now, or asked about
    bool isRateAssumed = false; // it is that of now, and no record says what it was then

    std::uint64_t openings = 0;
    // Over the minutes that opened any: how many they are, and how much they opened. p90 and p99
    // by nearest rank: the smallest count that so many per cent of the minutes do not exceed.
    std::uint64_t minutes = 0;
    double median = 0;
    std::uint64_t p90 = 0;
    std::uint64_t p99 = 0;
    std::uint64_t most = 0;

    std::vector<EvidenceMinute> above{}; // opened more than was set, in their order
    std::uint64_t rejections = 0;
    std::vector<EvidenceMinute> rejecting{}; // in their order
    std::vector<pacing::CeilingEstimate> ceilings{}; // one for each account that has one
};

// Collects it from records, which may come in any order. Memory grows with the minutes that opened
// or rejected anything: 30 days have 43 200.
class EvidenceCounter final
{
public:
    // Connections opened and rejected are counted; changes of rate_per_min say what was set when.
    // All other records are passed over.
    void add(const Record &record);
    // The same for so many connections of one minute: opened or rejected, `status` 0 for none.
    void add(base::WallTime at, std::string_view event, std::uint64_t status, std::uint64_t count);

    // Each minute against what was set in it, by the recorded changes of the rate; `rate` is what
    // is set now, and counts where no change is recorded.
    [[nodiscard]] Evidence evidence(double rate) const;
    // As if `rate` had been set all the time.
    [[nodiscard]] Evidence evidenceAgainst(double rate) const;

private:
    struct RateChange
    {
        double before = 0;
        double after = 0;
    };

    [[nodiscard]] double rateDuring(base::WallTime begin, double rate) const;
    [[nodiscard]] Evidence summary(double rate) const;

    std::map<base::WallTime, EvidenceMinute> m_minutes;
    std::multimap<base::WallTime, RateChange> m_changes;
    base::WallTime m_from{};
    base::WallTime m_to{};
};

// For a person; ends with a line feed. At most `rows` minutes are listed of each kind, those that
// opened most.
[[nodiscard]] std::string evidenceText(const Evidence &evidence, std::size_t rows = 20);
// One object with everything; snake_case keys, units last, times RFC 3339 UTC with ms.
[[nodiscard]] std::string evidenceJson(const Evidence &evidence);

} // namespace headway::ledger
