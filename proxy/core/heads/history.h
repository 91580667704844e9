// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/decision.h"
#include "proxy/core/heads/itemprint.h"

#include <cstddef>
#include <cstdint>
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

// A request's input with the digests of all its prefixes, made once per scan: then each head of the
// partition that does not match costs one comparison, however long the histories are. Reasoning is
// left out of the digests because it may be missing on either side.
class RequestTrail final
{
public:
    explicit RequestTrail(std::span<const ItemPrint> input);

    [[nodiscard]] std::span<const ItemPrint> input() const { return m_input; }
    // Digest of the first `count` items that are no reasoning; nothing when there are fewer.
    [[nodiscard]] std::optional<std::uint64_t> firmPrefix(std::size_t count) const;

private:
    std::span<const ItemPrint> m_input;
    std::vector<std::uint64_t> m_firmPrefixes;
};

struct Match
{
    MatchMode mode = MatchMode::None;
    std::size_t deltaFrom = 0;
};

// How far a history and a request go together when reasoning items of the history may be missing.
struct Alignment
{
    std::size_t ours = 0; // history items that were met or omitted
    std::size_t theirs = 0; // request items that were met
    bool omitted = false; // some reasoning was missing
    std::optional<std::size_t> omittedInRun; // … the first since the last item that is none
};

// Items of a conversation as a head keeps them: 16 bytes and a bit each.
class History final
{
public:
    void assign(std::span<const ItemPrint> items);
    void append(std::span<const ItemPrint> items);
    void clear();

    [[nodiscard]] std::size_t size() const { return m_prints.size(); }
    // What was expected where an alignment stopped; zero after the last item.
    [[nodiscard]] base::Fingerprint expectedAt(const Alignment &alignment,
                                               std::span<const ItemPrint> request) const;

    // spec/heads.md section 3: whether this is a strict prefix of the request, reasoning optional.
    // A reasoning item that is present must match: the request may not put another one where ours
    // was left out, not even as its first new item.
    [[nodiscard]] std::optional<Match> match(const RequestTrail &request) const;

    // The same without strictness: this is a prefix of the request, or the same.
    [[nodiscard]] bool precedes(const RequestTrail &request) const;

    // Whether this begins with all of `other`, reasoning of both sides left out.
    [[nodiscard]] bool beginsWith(const History &other) const;

    [[nodiscard]] Alignment align(std::span<const ItemPrint> request) const;

private:
    [[nodiscard]] bool mayPrecede(const RequestTrail &request) const;

    std::vector<base::Fingerprint> m_prints;
    std::vector<bool> m_reasoning;
    std::size_t m_firmItems = 0; // those that are no reasoning
    Digest m_firmDigest;
};

} // namespace headway::heads
