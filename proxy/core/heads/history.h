// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/decision.h"
#include "proxy/core/heads/itemprint.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headway::heads {

// Folds item after item into one number. Two sequences with different digests differ; equal digests
// are confirmed item by item, so a collision costs time and nothing else.
class Digest final
{
public:
    void add(const base::Fingerprint &print) noexcept;
    [[nodiscard]] std::uint64_t value() const noexcept { return m_value; }

private:
    std::uint64_t m_value = 0x9E3779B97F4A7C15ULL;
};

// A request's input as its own tool schemas make it compare, with the digests of all its prefixes,
// made once per scan: then each head of the partition that does not match costs one comparison,
// however long the histories are. What may be missing (reasoning, hosted calls) is left out of the
// digests; the rest is firm.
class RequestTrail final
{
public:
    // Both must outlive the trail; without schemas arguments compare as plain JSON.
    explicit RequestTrail(std::span<const ItemPrint> input, const ToolSchemas *schemas = nullptr);

    [[nodiscard]] std::size_t size() const { return m_input.size(); }
    [[nodiscard]] const ItemPrint &item(std::size_t index) const { return m_input[index]; }
    [[nodiscard]] bool isOptional(std::size_t index) const
    {
        return mayBeMissing(m_input[index].kind);
    }
    // The item under the request's schemas.
    [[nodiscard]] const base::Fingerprint &print(std::size_t index) const
    {
        return m_prints[index];
    }
    [[nodiscard]] const ToolSchemas *schemas() const { return m_schemas; }
    // Whether the request goes on from there, by the firm items.
    [[nodiscard]] bool continues(std::size_t firmItems, std::uint64_t firmDigest) const
    {
        return firmItems + 1 < m_firmPrefixes.size() && m_firmPrefixes[firmItems] == firmDigest;
    }
    // Digest of the first `count` firm items; nothing when there are fewer.
    [[nodiscard]] std::optional<std::uint64_t> firmPrefix(std::size_t count) const;

private:
    std::span<const ItemPrint> m_input;
    const ToolSchemas *m_schemas;
    std::vector<base::Fingerprint> m_prints;
    std::vector<std::uint64_t> m_firmPrefixes;
};

struct Match
{
    MatchMode mode = MatchMode::None;
    std::size_t deltaFrom = 0;
};

// How far a history and a request go together when optional items of the history may be missing.
struct Alignment
{
    std::size_t ours = 0; // history items that were met or omitted
    std::size_t theirs = 0; // request items that were met
    bool omitted = false; // some reasoning was missing
    std::optional<std::size_t> omittedInRun; // … the first since the last firm item
};

// Items of a conversation as a head keeps them: 16 bytes and a bit each, 8 more for calls and
// reasoning, and what is needed to judge a call by other schemas only where it may come to that:
// for the calls of the last reply, which the client has not sent back yet, and for those that their
// own schemas changed.
class History final
{
public:
    using Schemas = std::shared_ptr<const ToolSchemas>;

    // The input of a turn, as the client sent it.
    void assign(std::span<const ItemPrint> items, Schemas schemas);
    // What the provider answered.
    void append(std::span<const ItemPrint> items);
    void clear();

    [[nodiscard]] std::size_t size() const { return m_prints.size(); }
    // Of the turn that this was stored in.
    [[nodiscard]] const Schemas &schemas() const { return m_schemas; }
    // Which of our items an alignment stopped at; size() after the last one.
    [[nodiscard]] std::size_t expectedAt(const Alignment &alignment,
                                         const RequestTrail &request) const;
    [[nodiscard]] base::Fingerprint print(std::size_t index) const
    {
        return index < size() ? m_prints[index] : base::Fingerprint{};
    }
    [[nodiscard]] bool isOptional(std::size_t index) const { return m_optional[index]; }
    [[nodiscard]] std::uint32_t identity(std::size_t index) const; // ItemPrint::identity

    // spec/heads.md section 3: whether this is a strict prefix of the request, reasoning and hosted
    // calls optional. One that is present must match: the request may not put another one where
    // ours was left out, not even as its first new item.
    [[nodiscard]] std::optional<Match> match(const RequestTrail &request) const;

    // The same without strictness: this is a prefix of the request, or the same.
    [[nodiscard]] bool precedes(const RequestTrail &request) const;

    // Whether this begins with all of `other`, by the firm items of both sides.
    [[nodiscard]] bool beginsWith(const History &other) const;

    [[nodiscard]] Alignment align(const RequestTrail &request) const;

    // What is left of a history when the head is gone: enough to know it again.
    struct Lineage
    {
        std::size_t firmItems = 0;
        std::uint64_t firmDigest = 0;
        base::Fingerprint schemas;
    };
    [[nodiscard]] Lineage lineage() const;

private:
    struct Call
    {
        std::size_t index = 0;
        std::shared_ptr<const CallPrint> print;
    };
    struct Identity
    {
        std::uint32_t index = 0;
        std::uint32_t value = 0;
    };

    void add(const ItemPrint &item, bool keepCall);
    void reserve(std::span<const ItemPrint> items);
    [[nodiscard]] bool mayPrecede(const RequestTrail &request) const;
    [[nodiscard]] bool sameSchemas(const RequestTrail &request) const;
    [[nodiscard]] bool isSame(std::size_t ours, const RequestTrail &request, std::size_t theirs,
                              bool sameSchemas) const;

    std::vector<base::Fingerprint> m_prints; // under m_schemas
    std::vector<bool> m_optional; // may be missing …
    std::vector<bool> m_reasoning; // … and is reasoning
    std::vector<Call> m_calls; // by index
    std::vector<Identity> m_identities; // by index
    Schemas m_schemas;
    std::size_t m_firmItems = 0; // those that may not be missing
    Digest m_firmDigest;
};

} // namespace headway::heads
