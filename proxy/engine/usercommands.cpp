// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/usercommands.h"

#include "proxy/net/clock.h"

#include <utility>

namespace headway::engine {

namespace {

std::string word(bool isOn)
{
    return isOn ? "on" : "off";
}

} // namespace

UserCommands::UserCommands(Services &services, Turns &turns, std::function<void()> settingsChanged)
    : m_services(services)
    , m_turns(turns)
    , m_settingsChanged(std::move(settingsChanged))
{
}

void UserCommands::setPaused(bool isPaused, std::string_view who)
{
    if (m_services.holds.holdsAll() == isPaused)
        return;
    m_services.holds.holdAll(isPaused);
    record(who, "pause_all", word(!isPaused), word(isPaused));
    m_turns.holdsChanged();
}

void UserCommands::holdSession(std::string_view session, bool isHeld, std::string_view who)
{
    if (session.empty() || m_services.holds.sessions().contains(session) == isHeld)
        return;
    m_services.holds.holdSession(session, isHeld);
    const std::string name(session);
    record(who, "hold_session", isHeld ? std::string() : name, isHeld ? name : std::string());
    m_turns.holdsChanged();
}

void UserCommands::setPassThrough(bool isOn, std::string_view who)
{
    if (m_services.passThrough == isOn)
        return;
    m_services.passThrough = isOn;
    record(who, "pass_through", word(!isOn), word(isOn));
    m_settingsChanged();
}

void UserCommands::moveToFront(base::TurnId turn)
{
    m_turns.moveToFront(turn);
}

void UserCommands::cancel(base::TurnId turn)
{
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::InvalidRequest; // one that clients do not send again
    error.message = "This turn was cancelled in Headway's window while it waited. Nothing was sent "
                    "to the provider.";
    m_turns.cancelWaiting(turn, error, net::readClock());
}

live::Overrides UserCommands::inForce() const
{
    live::Overrides overrides;
    overrides.pauseAll = m_services.holds.holdsAll();
    overrides.passThrough = m_services.passThrough;
    overrides.heldSessions.assign(m_services.holds.sessions().begin(),
                                  m_services.holds.sessions().end());
    return overrides;
}

void UserCommands::record(std::string_view who, std::string key, std::string oldValue,
                          std::string newValue)
{
    m_services.recorder.add({}, {}, {},
                            ledger::SettingsChanged{std::string(who), std::move(key),
                                                    std::move(oldValue), std::move(newValue)},
                            net::readClock().wall);
}

} // namespace headway::engine
