// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/evidence.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

namespace headway::ledger {

namespace {

constexpr std::string_view rateKey = "rate_per_min";
constexpr base::Milliseconds minuteLength = std::chrono::minutes(1);

// A record can be changed by others: what is no rate changes nothing.
std::optional<double> rateOf(const std::string &text)
{
    double rate = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(rate))
        return std::nullopt;
    return rate;
}

// The smallest of the ascending counts that at least `percent` of them do not exceed.
std::uint64_t nearestRank(const std::vector<std::uint64_t> &sorted, std::size_t percent)
{
    const std::size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

double medianOf(const std::vector<std::uint64_t> &sorted)
{
    const std::size_t half = sorted.size() / 2;
    const auto upper = static_cast<double>(sorted[half]);
    return sorted.size() % 2 == 1 ? upper : (static_cast<double>(sorted[half - 1]) + upper) / 2;
}

void summariseCounts(Evidence &evidence, std::vector<std::uint64_t> counts)
{
    if (counts.empty())
        return;
    std::ranges::sort(counts);
    evidence.minutes = counts.size();
    evidence.median = medianOf(counts);
    evidence.p90 = nearestRank(counts, 90);
    evidence.p99 = nearestRank(counts, 99);
    evidence.most = counts.back();
}

void collectAbove(Evidence &evidence, const EvidenceMinute &minute)
{
    if (static_cast<double>(minute.opened) > minute.rate)
        evidence.above.push_back(minute);
}

} // namespace

void EvidenceCounter::add(const Record &record)
{
    if (const auto *connection = std::get_if<Connection>(&record.body)) {
        add(record.at, connection->event, connection->status.value_or(0), 1);
        return;
    }
    const auto *change = std::get_if<SettingsChanged>(&record.body);
    if (change == nullptr || change->key != rateKey)
        return;
    const auto before = rateOf(change->oldValue);
    const auto after = rateOf(change->newValue);
    if (before && after)
        m_changes.emplace(record.at, RateChange{*before, *after});
}

void EvidenceCounter::add(base::WallTime at, std::string_view event, std::uint64_t status,
                          std::uint64_t count)
{
    const bool isRejection = event == "rejected";
    if (count == 0 || (!isRejection && event != "opened"))
        return;
    m_from = m_minutes.empty() ? at : std::min(m_from, at);
    m_to = m_minutes.empty() ? at : std::max(m_to, at);
    const auto since = at.time_since_epoch();
    const base::WallTime begin(std::chrono::floor<std::chrono::minutes>(since));
    EvidenceMinute &minute = m_minutes[begin];
    minute.begin = begin;
    if (!isRejection) {
        minute.opened += count;
        return;
    }
    minute.rejected += count;
    minute.statuses[status] += count;
}

// The highest of a minute: a change in its middle must not make the part before it look too fast.
double EvidenceCounter::rateDuring(base::WallTime begin, double rate) const
{
    if (m_changes.empty())
        return rate;
    auto next = m_changes.upper_bound(begin);
    double highest
        = next == m_changes.begin() ? next->second.before : std::prev(next)->second.after;
    for (; next != m_changes.end() && next->first < begin + minuteLength; ++next)
        highest = std::max(highest, next->second.after);
    return highest;
}

Evidence EvidenceCounter::summary(double rate) const
{
    Evidence evidence;
    evidence.from = m_from;
    evidence.to = m_to;
    evidence.rate = rate;
    std::vector<std::uint64_t> counts;
    for (const auto &[begin, minute] : m_minutes) {
        evidence.openings += minute.opened;
        evidence.rejections += minute.rejected;
        if (minute.opened > 0)
            counts.push_back(minute.opened);
    }
    summariseCounts(evidence, std::move(counts));
    return evidence;
}

Evidence EvidenceCounter::evidence(double rate) const
{
    Evidence evidence = summary(rate);
    evidence.isRateAssumed = m_changes.empty();
    for (const auto &[begin, counted] : m_minutes) {
        EvidenceMinute minute = counted;
        minute.rate = rateDuring(begin, rate);
        collectAbove(evidence, minute);
        if (minute.rejected > 0)
            evidence.rejecting.push_back(std::move(minute));
    }
    return evidence;
}

Evidence EvidenceCounter::evidenceAgainst(double rate) const
{
    EvidenceCounter unchanged = *this;
    unchanged.m_changes.clear();
    return unchanged.evidence(rate);
}

} // namespace headway::ledger
