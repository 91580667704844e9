// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"
#include "proxy/core/settings/table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace headway::settings {

// In falling precedence. Window stands above all: a change there acts until exit.
enum class Source : std::uint8_t { Window, CommandLine, Environment, File, Default };

[[nodiscard]] std::string_view name(Source source); // "window", "command_line", "environment" …

// All settings with where each value came from. A malformed text is refused: on the command line
// that ends the call (exit 2), elsewhere the next source counts; a number out of range is clamped
// (a negative rate becomes 1, never 0). Either way there is one notice.
class Settings final
{
public:
    struct Outcome
    {
        bool accepted = false;
        std::optional<pacing::Notice> notice; // malformed or clamped, in words that name the key
    };

    // Blanks around the text are dropped. A refused text leaves what the source said before.
    // Source::Default cannot be set. No notice ever quotes the value of a secret.
    Outcome set(Source source, Key key, std::string_view text);
    void unset(Source source, Key key);

    // Of a key of kind Integer, in the unit of its row; 0 where the default is derived (empty).
    [[nodiscard]] std::int64_t integer(Key key) const;
    [[nodiscard]] bool flag(Key key) const;
    [[nodiscard]] const std::string &text(Key key) const; // canonical text of the value in force
    [[nodiscard]] Source source(Key key) const;
    [[nodiscard]] bool isSet(Key key) const { return source(key) != Source::Default; }
    // Fixed by command line or environment: the window shows a lock.
    [[nodiscard]] bool isLocked(Key key) const;

    // idle_ms, total_ms, retries as what the user set.
    [[nodiscard]] pacing::BudgetSettings budget() const;

private:
    // One slot per source that can be set; empty: this source says nothing about the key.
    static constexpr std::size_t keyCount = static_cast<std::size_t>(Key::HistoryTurns) + 1;
    static constexpr std::size_t sourceCount = static_cast<std::size_t>(Source::Default);
    using Slots = std::array<std::optional<std::string>, sourceCount>;

    [[nodiscard]] const Slots &slots(Key key) const
    {
        return m_values[static_cast<std::size_t>(key)];
    }

    std::array<Slots, keyCount> m_values;
};

} // namespace headway::settings
