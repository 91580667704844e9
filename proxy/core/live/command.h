// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

// What a window asks of the proxy, as one value; over the feed as one JSON object a message:
// {"do":"change_setting","key":"rate_per_min","value":"40"}. Every member must be there, others are
// ignored.
namespace headway::live {

struct ChangeSetting // change_setting
{
    std::string key;
    std::string value; // as text, in the setting's own unit

    friend bool operator==(const ChangeSetting &, const ChangeSetting &) = default;
};

struct EvictHead // evict
{
    base::ConnectionId connection;
    std::uint64_t head = 0; // 0: all of the connection

    friend bool operator==(const EvictHead &, const EvictHead &) = default;
};

struct PinConnection // pin
{
    base::ConnectionId connection;
    bool isPinned = false;

    friend bool operator==(const PinConnection &, const PinConnection &) = default;
};

struct PauseAll // pause
{
    bool isPaused = false;

    friend bool operator==(const PauseAll &, const PauseAll &) = default;
};

struct PassThrough // pass_through
{
    bool isOn = false;

    friend bool operator==(const PassThrough &, const PassThrough &) = default;
};

struct HoldSession // hold
{
    std::string session; // as TurnRow::session
    bool isHeld = false;

    friend bool operator==(const HoldSession &, const HoldSession &) = default;
};

struct MoveToFront // move_to_front
{
    base::TurnId turn;

    friend bool operator==(const MoveToFront &, const MoveToFront &) = default;
};

struct CancelTurn // cancel
{
    base::TurnId turn;

    friend bool operator==(const CancelTurn &, const CancelTurn &) = default;
};

using Command = std::variant<ChangeSetting, EvictHead, PinConnection, PauseAll, PassThrough,
                             HoldSession, MoveToFront, CancelTurn>;

// Longer commands are not read.
inline constexpr std::size_t mostCommandBytes = std::size_t{64} << 10U;

[[nodiscard]] std::string_view name(const Command &command); // "change_setting", "evict" …
[[nodiscard]] std::string writeCommand(const Command &command);
// The error is a sentence that names the member.
[[nodiscard]] tl::expected<Command, std::string> readCommand(std::string_view text);

} // namespace headway::live
