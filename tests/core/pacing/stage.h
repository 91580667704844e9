// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/pacer.h"
#include "tests/core/pacing/timeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headway::pacing::test {

// One pacer in front of a door that a test describes. A dial is decided when it begins and answered
// 100 ms later; opened sockets stay open and idle until they are shed.
class Stage
{
public:
    // May this dial pass? Time since the start, and the sockets open or being dialled.
    using Door = std::function<bool(Nanoseconds, std::size_t)>;

    explicit Stage(Door door, const PacerSettings &settings = {Policy::Auto, 60, 10, 0ms})
        : pacer(makePacer(settings, at(0ms), 1))
        , m_door(std::move(door))
    {
    }

    void arrive(Nanoseconds when, int count = 1)
    {
        runTo(when);
        for (int i = 0; i < count; ++i) {
            AdmissionRequest request{.id = WaiterId(++m_ids), .budget = {}};
            request.session = 1;
            request.ticketKey = m_ids;
            decide(request.id, pacer->request(request, at(now)));
        }
    }

    void runTo(Nanoseconds when)
    {
        while (now < when) {
            Nanoseconds next = when;
            if (const auto due = pacer->nextDue())
                next = std::min(next, std::max(now, sinceStart(*due)));
            if (!m_answers.empty())
                next = std::min(next, m_answers.front().at);
            if (next >= when) {
                now = when;
                break;
            }
            now = next;
            step();
        }
        step();
    }

    std::unique_ptr<Pacer> pacer;
    Nanoseconds now{0};
    std::optional<Milliseconds> retryAfter; // stated with each rejection
    std::vector<Nanoseconds> opened; // when the dials that passed began
    std::vector<Nanoseconds> rejections;
    std::vector<Refused> refused;
    std::size_t sockets = 0;
    std::size_t shed = 0;
    std::size_t mostAtOnce = 0; // dials under way

private:
    struct Answer
    {
        Nanoseconds at;
        WaiterId id;
        bool passes;
    };

    void decide(WaiterId id, const AdmissionDecision &decision)
    {
        if (const auto *admitted = std::get_if<Admitted>(&decision))
            dial(id, *admitted);
        else if (const auto *refusal = std::get_if<Refused>(&decision))
            refused.push_back(*refusal);
    }

    void step()
    {
        while (!m_answers.empty() && m_answers.front().at <= now) {
            const Answer answer = m_answers.front();
            m_answers.pop_front();
            if (answer.passes) {
                ++sockets;
                pacer->opened(answer.id, at(now));
                pacer->socketsChanged({sockets, sockets}, at(now));
            } else if (const auto again = pacer->rejected(answer.id, {429, retryAfter}, at(now))) {
                decide(answer.id, *again);
            }
        }
        for (const Departure &departure : pacer->due(at(now))) {
            if (const auto *admitted = std::get_if<Admitted>(&departure.outcome))
                dial(departure.id, *admitted);
            else
                refused.push_back(std::get<Refused>(departure.outcome));
        }
    }

    void dial(WaiterId id, const Admitted &admitted)
    {
        if (admitted.shedTo && sockets > *admitted.shedTo) {
            shed += sockets - *admitted.shedTo;
            sockets = *admitted.shedTo;
            pacer->socketsChanged({sockets, sockets}, at(now));
        }
        pacer->settle(id);
        const bool passes = m_door(now, sockets + m_answers.size());
        (passes ? opened : rejections).push_back(now);
        m_answers.push_back({now + 100ms, id, passes});
        mostAtOnce = std::max(mostAtOnce, m_answers.size());
    }

    Door m_door;
    std::uint64_t m_ids = 0;
    std::deque<Answer> m_answers;
};

} // namespace headway::pacing::test
