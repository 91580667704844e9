// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/engine/services.h"
#include "proxy/engine/turns.h"

#include <functional>
#include <string>
#include <string_view>

namespace headway::engine {

// What a person may do to waiting turns and to pacing as a whole (spec/window.md, view 1 and
// "Rules"). Each change is recorded as a setting changed by `who`: window or feed.
class UserCommands final
{
public:
    // settingsChanged: pass-through was switched, the policies are to be told.
    UserCommands(Services &services, Turns &turns, std::function<void()> settingsChanged);

    // Nobody is admitted until switched back; deadlines run on.
    void setPaused(bool isPaused, std::string_view who);
    // The same for one session, named as live::TurnRow::session.
    void holdSession(std::string_view session, bool isHeld, std::string_view who);
    // Policy off and no continuation, until switched back.
    void setPassThrough(bool isOn, std::string_view who);

    // Of a turn that waits for its admission; any other is left alone.
    void moveToFront(base::TurnId turn);
    void cancel(base::TurnId turn);

    [[nodiscard]] live::Overrides inForce() const;

private:
    void record(std::string_view who, std::string key, std::string oldValue, std::string newValue);

    Services &m_services;
    Turns &m_turns;
    std::function<void()> m_settingsChanged;
};

} // namespace headway::engine
