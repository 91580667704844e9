// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"

#include <cstddef>
#include <list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headway::pacing {

// What a person holds back (spec/window.md, "Rules"): everybody, or single sessions. Whoever it
// holds gets no admission and stands in its line, in front of the policies' queues; deadlines run
// on. When nothing holds a turn any more it leaves the line, in order, and asks for its admission.
// Sessions are named as live::TurnRow::session; turns without a session are held by "all" only.
class HoldGate final
{
public:
    void holdAll(bool isHeld) { m_all = isHeld; }
    void holdSession(std::string_view session, bool isHeld); // an empty name is ignored

    [[nodiscard]] bool holdsAll() const { return m_all; }
    [[nodiscard]] const std::set<std::string, std::less<>> &sessions() const { return m_sessions; }
    [[nodiscard]] bool holds(std::string_view session) const;

    // Joins at the end; a turn that is in the line already keeps its place.
    void join(base::TurnId turn, std::string_view session);
    void leave(base::TurnId turn);
    bool moveToFront(base::TurnId turn); // false: not in the line
    [[nodiscard]] std::size_t placeOf(base::TurnId turn) const; // from 1; 0: not in the line
    [[nodiscard]] std::size_t size() const { return m_line.size(); }

    // Those whom nothing holds any more, in order of the line; they leave it.
    [[nodiscard]] std::vector<base::TurnId> release();

private:
    struct Waiter
    {
        base::TurnId turn;
        std::string session;
    };

    bool m_all = false;
    std::set<std::string, std::less<>> m_sessions;
    std::list<Waiter> m_line;
};

} // namespace headway::pacing
