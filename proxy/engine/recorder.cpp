// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/recorder.h"

#include "proxy/core/base/overloaded.h"

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

constexpr std::size_t windowBacklog = 20'000;
constexpr std::size_t changeBacklog = 1'000;

base::Nanoseconds fromMs(ledger::Ms ms)
{
    return std::chrono::duration_cast<base::Nanoseconds>(
        std::chrono::duration<double, std::milli>(ms));
}

} // namespace

void Recorder::add(base::TurnId turn, std::string session, std::string agent, ledger::Body body,
                   base::WallTime at)
{
    count(body, at);
    ledger::Record record{at, turn, std::move(session), std::move(agent), std::move(body)};
    if (m_watched && m_forWindow.size() < windowBacklog)
        m_forWindow.push_back(record);
    m_forLedger.push_back(std::move(record));
    ++m_totals.records;
}

void Recorder::setWatched(bool watched)
{
    m_watched = watched;
    if (!watched)
        m_forWindow.clear();
}

std::vector<ledger::Record> Recorder::takeForLedger()
{
    return std::exchange(m_forLedger, {});
}

std::vector<ledger::Record> Recorder::takeForWindow()
{
    return std::exchange(m_forWindow, {});
}

std::vector<live::ChangeMark> Recorder::takeChanges()
{
    return std::exchange(m_changes, {});
}

void Recorder::count(const ledger::Body &body, base::WallTime at)
{
    using Start = live::SecondCounter::Start;
    std::visit(base::Overloaded{
                   [&](const ledger::TurnStarted &) { ++m_totals.turnsStarted; },
                   [&](const ledger::TurnEnded &turn) { countTurn(turn, at); },
                   [&](const ledger::HeadDecided &head) {
                       if (head.place == "same") {
                           ++m_totals.continued;
                           m_seconds.start(Start::Continued, at);
                       } else if (head.place == "lane" || head.place == "spare"
                                  || (head.place == "https" && !head.createdConnection))
                       {
                           m_seconds.start(Start::LaneOrSpare, at);
                       } else {
                           m_seconds.start(head.waitedMs > 0 ? Start::OpenedAfterWait
                                                             : Start::OpenedAtOnce,
                                           at);
                       }
                   },
                   [&](const ledger::Admission &admission) { countAdmission(admission, at); },
                   [&](const ledger::Connection &connection) {
                       if (connection.event == "opened") {
                           ++m_totals.opened;
                       } else if (connection.event == "rejected") {
                           ++m_totals.rejections;
                           m_seconds.rejection(at);
                       }
                   },
                   [](const ledger::SpacingChanged &) {},
                   [](const ledger::CeilingChanged &) {},
                   [](const ledger::TokenBudget &) {},
                   [](const ledger::QuotaWindow &) {},
                   [&](const ledger::SettingsChanged &change) {
                       if (m_changes.size() < changeBacklog)
                           m_changes.push_back(
                               {at, change.key, change.oldValue, change.newValue, change.who});
                   },
                   [&](const ledger::Warning &warning) {
                       if (warning.severity != "info")
                           m_seconds.warning(at);
                   },
                   [](const ledger::Retry &) {},
                   [](const ledger::Process &) {},
               },
               body);
}

void Recorder::countAdmission(const ledger::Admission &admission, base::WallTime at)
{
    const bool isRefused = admission.outcome == "refused";
    if (isRefused) {
        ++m_admissionsRefused;
        m_seconds.start(live::SecondCounter::Start::Refused, at);
    }
    if (!isRefused && admission.outcome != "admitted")
        return;
    m_seconds.wait(fromMs(admission.waitedMs), at);
    m_waits.add(fromMs(admission.waitedMs));
}

void Recorder::countTurn(const ledger::TurnEnded &turn, base::WallTime at)
{
    if (turn.end == "completed")
        ++m_totals.turnsCompleted;
    else if (turn.end == "refused")
        ++m_totals.turnsRefused;
    else if (turn.end == "client_gone")
        ++m_totals.clientGone;
    else
        ++m_totals.turnsFailed;
    m_totals.inputTokens += turn.inputTokens;
    m_totals.cachedTokens += turn.cachedTokens;
    m_seconds.ended(turn.end == "completed", at);
    if (turn.end == "refused")
        m_seconds.turnRefused(at);
    if (turn.inputTokens > 0)
        m_seconds.tokens(turn.inputTokens, turn.cachedTokens, at);
}

} // namespace headway::engine
