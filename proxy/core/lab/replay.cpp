// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/replay.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/eventqueue.h"

#include <algorithm>
#include <memory>
#include <variant>

namespace headway::lab {

namespace {

// spec/pacing.md, introduction: what is this close is at the same time.
constexpr base::Nanoseconds sameInstant{1'000};
// A pacer that names a time and then lets nobody go would hold the clock still.
constexpr base::Nanoseconds nudge = base::Milliseconds{1};

// No opening fails here, so auto would soon believe in a higher ceiling than it had learned.
pacing::PacerSettings pacerSettings(const PacingSetup &setup)
{
    pacing::PacerSettings settings = setup.pacer;
    const double learned = setup.learnedPerMinute;
    if (settings.policy != pacing::Policy::Auto || !(learned >= 1))
        return settings;
    settings.ratePerMinute
        = settings.ratePinned ? std::min(settings.ratePerMinute, learned) : learned;
    settings.ratePinned = true;
    return settings;
}

class Replay final
{
public:
    Replay(const Arrivals &input, const PacingSetup &setup)
        : m_input(input)
        , m_budget(setup.budget)
        , m_pacer(pacing::makePacer(pacerSettings(setup), nowAt({})))
        , m_result(input.arrivals.size())
        , m_waiting(input.arrivals.size(), false)
    {
    }

    std::vector<ReplayedArrival> run()
    {
        auto change = m_input.changes.begin();
        for (std::size_t i = 0; i < m_input.arrivals.size(); ++i) {
            for (; change != m_input.changes.end() && change->before <= i; ++change)
                apply(*change);
            advance(startOfRun + m_input.arrivals[i].at);
            arrive(i);
        }
        for (; change != m_input.changes.end(); ++change)
            apply(*change);
        advance(base::SteadyTime::max());
        return std::move(m_result);
    }

private:
    static base::Now nowAt(base::Nanoseconds sinceStart) { return at(startOfRun + sinceStart); }
    static std::size_t indexOf(pacing::WaiterId id) { return id.value() - 1; }

    void arrive(std::size_t index)
    {
        const Arrival &arrival = m_input.arrivals[index];
        const base::Now now = nowAt(arrival.at);
        pacing::AdmissionRequest request{pacing::WaiterId{index + 1}, m_budget};
        request.session = arrival.session;
        request.agent = arrival.agent;
        request.idleDeadline = now.steady + m_budget.idle;
        const auto decision = m_pacer->request(request, now);
        std::visit(base::Overloaded{
                       [&](const pacing::Admitted &) { admit(index, now); },
                       [&](const pacing::Queued &queued) { wait(index, queued); },
                       [&](const pacing::Refused &refusal) { refuse(index, refusal, now); },
                   },
                   decision);
    }

    void wait(std::size_t index, const pacing::Queued &queued)
    {
        const Arrival &arrival = m_input.arrivals[index];
        m_waiting[index] = true;
        m_result[index].required = queued.required;
        if (arrival.cancelAfter)
            m_cancellations.add(startOfRun + arrival.at + *arrival.cancelAfter, index);
    }

    void end(std::size_t index, Outcome outcome, base::Now now)
    {
        m_waiting[index] = false;
        ReplayedArrival &result = m_result[index];
        result.outcome = outcome;
        result.at = now.steady - startOfRun;
        result.wait = result.at - m_input.arrivals[index].at;
    }

    void admit(std::size_t index, base::Now now)
    {
        end(index, Outcome::Admitted, now);
        m_pacer->settle(pacing::WaiterId{index + 1});
        m_pacer->opened(pacing::WaiterId{index + 1}, now);
    }

    void refuse(std::size_t index, const pacing::Refused &refusal, base::Now now)
    {
        end(index, Outcome::Refused, now);
        m_result[index].required = refusal.required;
        m_result[index].retryAfter = refusal.hint;
    }

    void cancel(std::size_t index, base::Now now)
    {
        if (!m_waiting[index])
            return;
        m_pacer->cancel(pacing::WaiterId{index + 1}, now);
        end(index, Outcome::Cancelled, now);
    }

    // Whether anybody left.
    bool letGo(base::Now now)
    {
        const auto departures = m_pacer->due(now);
        for (const pacing::Departure &departure : departures) {
            const std::size_t index = indexOf(departure.id);
            if (const auto *refusal = std::get_if<pacing::Refused>(&departure.outcome))
                refuse(index, *refusal, now);
            else
                admit(index, now);
        }
        return !departures.empty();
    }

    void apply(const SetupChange &change)
    {
        advance(startOfRun + change.at);
        const base::Now now = nowAt(change.at);
        m_budget = change.setup.budget;
        m_pacer->applySettings(pacerSettings(change.setup), now);
        // Whoever is sent back by the change is refused at this instant.
        while (m_pacer->nextDue() && *m_pacer->nextDue() <= now.steady + sameInstant && letGo(now))
        {
        }
        m_clock = now.steady;
    }

    // Lets happen what happens up to and including `until`.
    void advance(base::SteadyTime until)
    {
        for (;;) {
            const auto due = m_pacer->nextDue();
            const base::SteadyTime dueAt
                = due ? std::max(*due, m_earliestDue) : base::SteadyTime::max();
            const base::SteadyTime cancelAt
                = m_cancellations.empty() ? base::SteadyTime::max() : m_cancellations.nextAt();
            const base::SteadyTime event = std::min(cancelAt, until);
            if (due && dueAt - sameInstant <= event) {
                m_clock = std::max(m_clock, std::min(dueAt, event));
                if (!letGo(at(m_clock)))
                    m_earliestDue = m_clock + nudge;
                continue;
            }
            if (cancelAt > until || m_cancellations.empty())
                break;
            m_clock = std::max(m_clock, cancelAt);
            cancel(m_cancellations.take(), at(m_clock));
        }
        if (until != base::SteadyTime::max())
            m_clock = std::max(m_clock, until);
    }

    const Arrivals &m_input;
    pacing::RequestBudget m_budget;
    std::unique_ptr<pacing::Pacer> m_pacer;
    std::vector<ReplayedArrival> m_result;
    std::vector<bool> m_waiting;
    EventQueue<std::size_t> m_cancellations;
    base::SteadyTime m_clock = startOfRun;
    base::SteadyTime m_earliestDue = startOfRun; // not to be asked before
};

} // namespace

std::vector<ReplayedArrival> replay(const Arrivals &input, const PacingSetup &setup)
{
    return Replay(input, setup).run();
}

} // namespace headway::lab
