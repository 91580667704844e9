// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

namespace headway::live {

// The feed's text format (spec/cli.md, GET /headway/v1/feed): one JSON object a message.
//
//   {"feed":1,"kind":"snapshot","at":"2026-03-01T09:05:07.042Z","turns":[…],…}
//   {"feed":1,"kind":"refused","about":"change_setting","reason":"…"}
//   {"feed":1,"kind":"error","reason":"…"}
//
// Members are those of Snapshot in snake_case with the unit last (feedrows.h); a member that is
// zero, false or empty is left out. Times are RFC 3339 UTC with milliseconds, enumerations the
// specification's words, ledger records as in its JSONL. Who reads ignores members and kinds it
// does not know, so both may be added without another version; it refuses another version.
inline constexpr std::int64_t feedVersion = 1;

// Longer messages are neither written nor read, nor are longer lists: what is over is left out by
// the writer and an error to the reader.
inline constexpr std::size_t mostFeedBytes = std::size_t{32} << 20U;
inline constexpr std::size_t mostFeedRows = 20'000;

// The proxy's answer to a command that was not carried out as it stands.
struct FeedAnswer
{
    bool understood = true; // false: kind `error`, else `refused`
    std::string about = {}; // "change_setting", "evict" …; empty: not known
    std::string reason = {}; // a sentence

    friend bool operator==(const FeedAnswer &, const FeedAnswer &) = default;
};

// Nothing: of a kind that this version does not know.
using FeedMessage = std::variant<std::monostate, Snapshot, FeedAnswer>;

struct FeedError
{
    bool isOtherVersion = false;
    std::string text; // a sentence that names the member: "turns[3].phase: …"

    friend bool operator==(const FeedError &, const FeedError &) = default;
};

// Settings of kind Secret are never written. Texts that are no UTF-8 are mended.
[[nodiscard]] std::string writeFeed(const Snapshot &snapshot);
[[nodiscard]] std::string writeFeed(const FeedAnswer &answer);

[[nodiscard]] tl::expected<FeedMessage, FeedError> readFeed(std::string_view text);

} // namespace headway::live
