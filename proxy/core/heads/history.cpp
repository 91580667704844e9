// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/history.h"

#include "proxy/core/heads/toolschemas.h"

#include <algorithm>
#include <utility>

namespace headway::heads {

void Digest::add(const base::Fingerprint &print) noexcept
{
    // SplitMix64's finisher over the running value and both halves: order matters.
    std::uint64_t z = (m_value ^ print.low) * 0xBF58476D1CE4E5B9ULL;
    z ^= z >> 29U;
    z = (z ^ print.high) * 0x94D049BB133111EBULL;
    m_value = z ^ (z >> 32U);
}

RequestTrail::RequestTrail(std::span<const ItemPrint> input, const ToolSchemas *schemas)
    : m_input(input)
    , m_schemas(schemas)
{
    m_prints.reserve(input.size());
    m_firmPrefixes.reserve(input.size() + 1);
    Digest firm;
    m_firmPrefixes.push_back(firm.value());
    for (const ItemPrint &item : input) {
        m_prints.push_back(item.under(schemas));
        if (mayBeMissing(item.kind))
            continue;
        firm.add(m_prints.back());
        m_firmPrefixes.push_back(firm.value());
    }
}

std::optional<std::uint64_t> RequestTrail::firmPrefix(std::size_t count) const
{
    return count < m_firmPrefixes.size() ? std::optional(m_firmPrefixes[count]) : std::nullopt;
}

void History::assign(std::span<const ItemPrint> items, Schemas schemas)
{
    clear();
    m_schemas = std::move(schemas);
    reserve(items);
    for (const ItemPrint &item : items)
        add(item, false);
}

void History::append(std::span<const ItemPrint> items)
{
    reserve(items);
    for (const ItemPrint &item : items)
        add(item, true);
}

// Exactly what is needed: an idle head is kept for half an hour, not grown.
void History::reserve(std::span<const ItemPrint> items)
{
    const auto identified = std::count_if(items.begin(), items.end(),
                                          [](const ItemPrint &item) { return item.identity != 0; });
    m_prints.reserve(m_prints.size() + items.size());
    m_optional.reserve(m_optional.size() + items.size());
    m_reasoning.reserve(m_reasoning.size() + items.size());
    m_identities.reserve(m_identities.size() + static_cast<std::size_t>(identified));
}

void History::add(const ItemPrint &item, bool keepCall)
{
    const std::size_t index = m_prints.size();
    const base::Fingerprint print = item.under(m_schemas.get());
    const bool optional = mayBeMissing(item.kind);
    m_prints.push_back(print);
    m_optional.push_back(optional);
    m_reasoning.push_back(item.kind == ItemKind::Reasoning);
    if (item.identity != 0)
        m_identities.push_back({static_cast<std::uint32_t>(index), item.identity});
    if (item.call && (keepCall || print != item.print))
        m_calls.push_back({index, item.call});
    if (optional)
        return;
    m_firmDigest.add(print);
    ++m_firmItems;
}

void History::clear()
{
    *this = History{};
}

std::uint32_t History::identity(std::size_t index) const
{
    const auto at
        = std::lower_bound(m_identities.begin(), m_identities.end(), index,
                           [](const Identity &entry, std::size_t i) { return entry.index < i; });
    return at != m_identities.end() && at->index == index ? at->value : 0;
}

bool History::sameSchemas(const RequestTrail &request) const
{
    if (m_schemas == nullptr || request.schemas() == nullptr)
        return m_schemas.get() == request.schemas();
    return m_schemas->id() == request.schemas()->id();
}

// By the request's schemas. Where they are not those that this was stored under, a call without a
// print of its own was left alone by ours: it compares as it stands.
bool History::isSame(std::size_t ours, const RequestTrail &request, std::size_t theirs,
                     bool sameSchemas) const
{
    const base::Fingerprint &found = request.print(theirs);
    if (sameSchemas || request.item(theirs).call == nullptr)
        return m_prints[ours] == found;
    const auto call
        = std::lower_bound(m_calls.begin(), m_calls.end(), ours,
                           [](const Call &entry, std::size_t i) { return entry.index < i; });
    if (call != m_calls.end() && call->index == ours)
        return call->print->under(request.schemas()) == found;
    return m_prints[ours] == request.item(theirs).print || m_prints[ours] == found;
}

Alignment History::align(const RequestTrail &request) const
{
    const bool same = sameSchemas(request);
    Alignment at;
    while (at.ours < size()) {
        if (at.theirs < request.size() && isSame(at.ours, request, at.theirs, same)) {
            ++at.theirs;
            if (!m_optional[at.ours])
                at.omittedInRun.reset();
        } else if (m_optional[at.ours]) {
            at.omitted = at.omitted || m_reasoning[at.ours];
            at.omittedInRun = at.omittedInRun.value_or(at.ours);
        } else {
            break;
        }
        ++at.ours;
    }
    return at;
}

// Never wrongly no. Under other schemas the digests tell nothing; then the items decide.
bool History::mayPrecede(const RequestTrail &request) const
{
    const auto prefix = request.firmPrefix(m_firmItems);
    return prefix && (prefix == m_firmDigest.value() || !sameSchemas(request));
}

std::optional<Match> History::match(const RequestTrail &request) const
{
    if (m_prints.empty() || !mayPrecede(request))
        return std::nullopt;
    const Alignment at = align(request);
    if (at.ours < size() || at.theirs >= request.size())
        return std::nullopt;
    if (at.omittedInRun && request.isOptional(at.theirs))
        return std::nullopt;
    return Match{at.omitted ? MatchMode::ReasoningOmitted : MatchMode::Exact, at.theirs};
}

bool History::precedes(const RequestTrail &request) const
{
    return !m_prints.empty() && mayPrecede(request) && align(request).ours == size();
}

bool History::beginsWith(const History &other) const
{
    std::size_t ours = 0;
    for (std::size_t theirs = 0; theirs < other.size(); ++theirs) {
        if (other.m_optional[theirs])
            continue;
        while (ours < size() && m_optional[ours])
            ++ours;
        if (ours == size() || m_prints[ours] != other.m_prints[theirs])
            return false;
        ++ours;
    }
    return true;
}

History::Lineage History::lineage() const
{
    return {m_firmItems, m_firmDigest.value(), m_schemas ? m_schemas->id() : base::Fingerprint{}};
}

std::size_t History::expectedAt(const Alignment &alignment, const RequestTrail &request) const
{
    const bool foundOptional
        = alignment.theirs < request.size() && request.isOptional(alignment.theirs);
    // Another such item stands where ours was passed over: that one was expected.
    return foundOptional ? alignment.omittedInRun.value_or(alignment.ours) : alignment.ours;
}

} // namespace headway::heads
