// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of the running proxy, from its own window or over the feed.
#include "proxy/core/base/overloaded.h"
#include "proxy/engine/enginestate.h"
#include "proxy/net/clock.h"

#include <algorithm>
#include <array>

namespace headway::engine {

namespace {

using settings::Key;

constexpr std::string_view overTheFeed = "feed"; // as it stands in the ledger

// spec/safety.md, "Who may come in": whoever holds the control key may tune, but not lead the
// traffic elsewhere or let others in.
bool mayComeOverTheFeed(const settings::Row &row)
{
    constexpr std::array never{Key::Listen, Key::AllowedHosts, Key::Upstream, Key::Models};
    return row.kind != settings::Kind::Secret && std::ranges::find(never, row.key) == never.end();
}

} // namespace

std::optional<std::string> Engine::State::changeSetting(std::string_view who, std::string_view name,
                                                        std::string_view value)
{
    const auto key = settings::find(name);
    if (!key)
        return "There is no setting \"" + std::string(name) + "\".";
    const settings::Row &row = settings::row(*key);
    if (who == overTheFeed && !mayComeOverTheFeed(row))
        return "This setting can only be changed where the proxy runs, never over the feed.";
    // Keys too: they are handed to those who need them at start, and belong in no record.
    if (!row.atRuntime || row.kind == settings::Kind::Secret)
        return "This setting is read at start only.";
    const std::string old = options.settings.text(*key);
    const auto outcome = options.settings.set(settings::Source::Window, *key, value);
    if (outcome.accepted && options.settings.text(*key) != old) {
        record(ledger::SettingsChanged{std::string(who), std::string(name), old,
                                       options.settings.text(*key)});
        applySettings(net::readClock());
    }
    if (outcome.notice)
        return outcome.notice->text;
    return std::nullopt;
}

void Engine::State::evictHead(base::ConnectionId connection, heads::HeadId head)
{
    services.closeEvicted(pool.evict(connection, head), net::readClock());
}

std::optional<live::FeedAnswer> Engine::State::obey(const live::Command &command)
{
    std::optional<std::string> reason;
    std::visit(
        base::Overloaded{
            [&](const live::ChangeSetting &c) {
                reason = changeSetting(overTheFeed, c.key, c.value);
            },
            [&](const live::EvictHead &c) { evictHead(c.connection, heads::HeadId{c.head}); },
            [&](const live::PinConnection &c) { pool.pinConnection(c.connection, c.isPinned); },
            [&](const live::PauseAll &c) { commands.setPaused(c.isPaused, overTheFeed); },
            [&](const live::PassThrough &c) { commands.setPassThrough(c.isOn, overTheFeed); },
            [&](const live::HoldSession &c) {
                commands.holdSession(c.session, c.isHeld, overTheFeed);
            },
            [&](const live::MoveToFront &c) { commands.moveToFront(c.turn); },
            [&](const live::CancelTurn &c) { commands.cancel(c.turn); },
        },
        command);
    if (!reason)
        return std::nullopt;
    return live::FeedAnswer{.about = std::string(live::name(command)),
                            .reason = *std::move(reason)};
}

} // namespace headway::engine
