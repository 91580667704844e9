// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/history.h"

#include <algorithm>

namespace headway::heads {

void Digest::add(const base::Fingerprint &print) noexcept
{
    // SplitMix64's finisher over the running value and both halves: order matters.
    std::uint64_t z = (m_value ^ print.low) * 0xBF58476D1CE4E5B9ULL;
    z ^= z >> 29U;
    z = (z ^ print.high) * 0x94D049BB133111EBULL;
    m_value = z ^ (z >> 32U);
}

RequestTrail::RequestTrail(std::span<const ItemPrint> input)
    : m_input(input)
{
    m_firmPrefixes.reserve(input.size() + 1);
    Digest firm;
    m_firmPrefixes.push_back(firm.value());
    for (const ItemPrint &item : input) {
        if (item.kind == ItemKind::Reasoning)
            continue;
        firm.add(item.print);
        m_firmPrefixes.push_back(firm.value());
    }
}

std::optional<std::uint64_t> RequestTrail::firmPrefix(std::size_t count) const
{
    return count < m_firmPrefixes.size() ? std::optional(m_firmPrefixes[count]) : std::nullopt;
}

void History::assign(std::span<const ItemPrint> items)
{
    clear();
    append(items);
}

void History::append(std::span<const ItemPrint> items)
{
    // Exactly what is needed: an idle head is kept for half an hour, not grown.
    m_prints.reserve(m_prints.size() + items.size());
    m_reasoning.reserve(m_reasoning.size() + items.size());
    for (const ItemPrint &item : items) {
        const bool reasoning = item.kind == ItemKind::Reasoning;
        m_prints.push_back(item.print);
        m_reasoning.push_back(reasoning);
        if (reasoning)
            continue;
        m_firmDigest.add(item.print);
        ++m_firmItems;
    }
}

void History::clear()
{
    *this = History{};
}

Alignment History::align(std::span<const ItemPrint> request) const
{
    Alignment at;
    while (at.ours < size()) {
        if (at.theirs < request.size() && m_prints[at.ours] == request[at.theirs].print) {
            ++at.theirs;
            if (!m_reasoning[at.ours])
                at.omittedInRun.reset();
        } else if (m_reasoning[at.ours]) {
            at.omitted = true;
            at.omittedInRun = at.omittedInRun.value_or(at.ours);
        } else {
            break;
        }
        ++at.ours;
    }
    return at;
}

bool History::mayPrecede(const RequestTrail &request) const
{
    return request.firmPrefix(m_firmItems) == m_firmDigest.value();
}

std::optional<Match> History::match(const RequestTrail &request) const
{
    if (m_prints.empty() || !mayPrecede(request))
        return std::nullopt;
    const Alignment at = align(request.input());
    if (at.ours < size() || at.theirs >= request.input().size())
        return std::nullopt;
    if (at.omittedInRun && request.input()[at.theirs].kind == ItemKind::Reasoning)
        return std::nullopt;
    return Match{at.omitted ? MatchMode::ReasoningOmitted : MatchMode::Exact, at.theirs};
}

bool History::precedes(const RequestTrail &request) const
{
    return !m_prints.empty() && mayPrecede(request) && align(request.input()).ours == size();
}

bool History::beginsWith(const History &other) const
{
    std::size_t ours = 0;
    for (std::size_t theirs = 0; theirs < other.size(); ++theirs) {
        if (other.m_reasoning[theirs])
            continue;
        while (ours < size() && m_reasoning[ours])
            ++ours;
        if (ours == size() || m_prints[ours] != other.m_prints[theirs])
            return false;
        ++ours;
    }
    return true;
}

base::Fingerprint History::expectedAt(const Alignment &alignment,
                                      std::span<const ItemPrint> request) const
{
    const bool foundReasoning = alignment.theirs < request.size()
        && request[alignment.theirs].kind == ItemKind::Reasoning;
    // Another reasoning item stands where ours was passed over: that one was expected.
    const std::size_t index
        = foundReasoning ? alignment.omittedInRun.value_or(alignment.ours) : alignment.ours;
    return index < size() ? m_prints[index] : base::Fingerprint{};
}

} // namespace headway::heads
