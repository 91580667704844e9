// SPDX-License-Identifier: GPL-3.0-or-later
// spec/pacing.md section 8 as a property: any sequence of arrivals, cancellations, returns,
// outcomes and changes of settings and policy loses nobody and ends every admission once.
#include "proxy/core/base/random.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Random;

namespace {

class Life
{
public:
    explicit Life(std::uint64_t seed)
        : m_returns(seed % 2 == 0)
        , m_random(seed)
        , m_settings(drawSettings())
        , m_pacer(makePacer(m_settings, at(0ms), seed))
    {
    }

    std::string run(int steps)
    {
        for (int i = 0; i < steps && m_fault.empty(); ++i)
            step();
        drain();
        for (const auto &[id, ends] : m_ends)
            expect(ends == 1,
                   "attempt " + std::to_string(id) + " ended " + std::to_string(ends) + " times");
        expect(m_ends.size() == m_ids, "somebody never ended");
        return m_fault;
    }

private:
    struct Waiting
    {
        std::int64_t arrived; // ms
        std::int64_t latest;
    };

    template <typename T>
    T pick(std::initializer_list<T> values)
    {
        return values.begin()[m_random.next() % values.size()];
    }

    PacerSettings drawSettings()
    {
        return {pick({Policy::Off, Policy::Fixed, Policy::Bucket, Policy::Bucket, Policy::Adaptive,
                      Policy::Auto, Policy::Auto}),
                pick({0.0, 1.0, 30.0, 60.0, 60.0, 240.0, 600.0}), pick({1.0, 3.0, 10.0, 100.0}),
                pick({0ms, 0ms, 200ms, 3'000ms}), pick({false, false, true})};
    }

    void expect(bool holds, const std::string &what)
    {
        if (!holds && m_fault.empty())
            m_fault = what + " at " + std::to_string(m_now) + " ms";
    }

    void step()
    {
        m_now += pick<std::int64_t>({0, 0, 1, 7, 50, 50, 333, 1'000, 2'500, 9'000});
        const std::uint64_t what = m_random.next() % 40;
        if (what < 16)
            arrive();
        else if (what < 20)
            cancel();
        else if (what < 24)
            returnOne();
        else if (what < 34)
            answer();
        else if (what == 34)
            change();
        leave();
        // Else the event loop would turn without an end.
        const auto next = m_pacer->nextDue();
        expect(!next || *next > at(m_now * 1ms).steady, "due again at once");
        expect(m_pacer->level(at(m_now * 1ms)).waiting == m_waiting.size(), "waiting");
        expect(m_pacer->queue().size() == m_waiting.size(), "queue");
    }

    void arrive()
    {
        const Milliseconds idle = pick({10'000ms, 30'000ms, 120'000ms});
        AdmissionRequest request{.id = WaiterId(++m_ids), .budget = idleOf(idle)};
        request.session = m_random.next() % 4;
        request.interactive = m_random.next() % 4 == 0;
        request.ticketKey = m_random.next() % 50;
        m_ends[m_ids] = 0;
        // Without a first output seen: idle - 2 s - 2 s.
        const std::int64_t latest = m_now + idle.count() - 4'000;
        decide(m_ids, m_pacer->request(request, at(m_now * 1ms)), latest);
    }

    void decide(std::uint64_t id, const AdmissionDecision &decision, std::int64_t latest)
    {
        if (std::holds_alternative<Admitted>(decision))
            admitted(id, latest);
        else if (std::holds_alternative<Refused>(decision))
            ++m_ends[id];
        else
            m_waiting[id] = {m_now, latest};
    }

    void admitted(std::uint64_t id, std::int64_t latest)
    {
        m_starts.push_back(m_now);
        if (m_returns && m_random.next() % 8 == 0) {
            m_open[id] = latest; // may still be handed back
            return;
        }
        dial(id, latest);
    }

    void dial(std::uint64_t id, std::int64_t latest)
    {
        m_pacer->settle(WaiterId(id));
        m_dialling[id] = latest;
    }

    void leave()
    {
        for (const Departure &departure : m_pacer->due(at(m_now * 1ms))) {
            const std::uint64_t id = departure.id.value();
            const auto waiter = m_waiting.find(id);
            expect(waiter != m_waiting.end(), "left without waiting");
            if (waiter == m_waiting.end())
                return;
            const std::int64_t latest = waiter->second.latest;
            m_waiting.erase(waiter);
            if (const auto *refusal = std::get_if<Refused>(&departure.outcome)) {
                ++m_ends[id];
                expect(refusal->hint.count() >= 1 && refusal->hint.count() <= 60, "hint");
                expect(!refusal->final || m_now >= latest, "finally refused before its latest");
            } else {
                admitted(id, latest);
            }
        }
        const bool patient = m_settings.ratePerMinute > 0
            && (m_settings.policy == Policy::Fixed || m_settings.policy == Policy::Adaptive
                || m_settings.policy == Policy::Auto);
        for (const auto &[id, waiter] : m_waiting)
            expect(!patient || m_now < waiter.latest, "still waiting after its latest");
    }

    void cancel()
    {
        if (m_waiting.empty())
            return;
        const std::uint64_t id = m_waiting.begin()->first;
        m_waiting.erase(id);
        m_pacer->cancel(WaiterId(id), at(m_now * 1ms));
        m_pacer->cancel(WaiterId(id), at(m_now * 1ms));
        ++m_ends[id];
    }

    void returnOne()
    {
        if (m_open.empty())
            return;
        const auto [id, latest] = *m_open.begin();
        m_open.erase(id);
        if (m_random.next() % 2 == 0) {
            dial(id, latest);
            return;
        }
        m_pacer->giveBack(WaiterId(id), at(m_now * 1ms));
        m_pacer->giveBack(WaiterId(id), at(m_now * 1ms));
        ++m_ends[id];
        m_returned = true;
    }

    void answer()
    {
        if (m_dialling.empty())
            return;
        const auto [id, latest] = *m_dialling.begin();
        m_dialling.erase(id);
        const std::uint64_t how = m_random.next() % 8;
        if (how == 0) {
            m_pacer->dialFailed(WaiterId(id), at(m_now * 1ms));
        } else if (how < 3) {
            if (const auto again
                = m_pacer->rejected(WaiterId(id), {429, std::nullopt}, at(m_now * 1ms))) {
                decide(id, *again, latest);
                return;
            }
        } else {
            m_pacer->opened(WaiterId(id), at(m_now * 1ms));
            m_pacer->socketsChanged({++m_sockets, m_sockets / 2}, at(m_now * 1ms));
        }
        ++m_ends[id];
    }

    void change()
    {
        checkStretch();
        m_settings = drawSettings();
        m_pacer->applySettings(m_settings, at(m_now * 1ms));
        m_starts.clear();
        m_returned = false;
    }

    // What holds over every stretch of constant settings (section 9, and the spacing of `fixed`).
    void checkStretch()
    {
        if (m_returned || m_settings.ratePerMinute < 30)
            return;
        const double rate = m_settings.ratePerMinute / 60'000;
        for (std::size_t i = 0; i < m_starts.size(); ++i) {
            if (m_settings.policy == Policy::Fixed && i > 0)
                expect(m_starts[i] - m_starts[i - 1] >= 1'000, "fixed starts too close");
            for (std::size_t j = i; j < m_starts.size() && m_settings.policy == Policy::Bucket; ++j)
            {
                const double window = static_cast<double>(m_starts[j] - m_starts[i]);
                const double most = m_settings.burst + rate * window + 1e-6;
                expect(static_cast<double>(j - i + 1) <= most, "too many in a window");
            }
        }
    }

    // Switched off, everybody leaves 50 ms apart; then all that is left is told how it ended.
    void drain()
    {
        checkStretch();
        m_settings = {Policy::Off, 60, 10, 0ms};
        m_pacer->applySettings(m_settings, at(m_now * 1ms));
        m_returned = true;
        // A release that is under way goes on at its pace, also past those who were cancelled.
        m_now += 50 * static_cast<std::int64_t>(m_ids);
        leave();
        expect(m_waiting.empty(), "somebody still waits after the release");
        expect(!m_pacer->nextDue(), "something is still due");
        while (!m_open.empty())
            returnOne();
        while (!m_dialling.empty() && m_fault.empty())
            answer();
    }

    bool m_returns; // this life hands admissions back
    Random m_random;
    PacerSettings m_settings;
    std::unique_ptr<Pacer> m_pacer;
    std::int64_t m_now = 0;
    std::uint64_t m_ids = 0;
    std::size_t m_sockets = 0;
    std::map<std::uint64_t, Waiting> m_waiting;
    std::map<std::uint64_t, std::int64_t> m_open; // admitted, not dialled
    std::map<std::uint64_t, std::int64_t> m_dialling;
    std::map<std::uint64_t, int> m_ends;
    std::vector<std::int64_t> m_starts; // admissions of this stretch
    bool m_returned = false; // in this stretch
    std::string m_fault;
};

} // namespace

class PolicyPropertyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLostWhateverIsChanged();
};

void PolicyPropertyTest::nothingIsLostWhateverIsChanged()
{
    for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
        const std::string fault = Life(seed).run(250);
        QVERIFY2(fault.empty(), (fault + ", seed " + std::to_string(seed)).c_str());
    }
}

QTEST_APPLESS_MAIN(PolicyPropertyTest)
#include "tst_policyproperty.moc"
