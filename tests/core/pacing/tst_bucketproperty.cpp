// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "tests/core/pacing/bucketmodel.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Random;

namespace {

// A life of arrivals, cancellations, returns and late timers, fed to the pacer and to the model.
class Life
{
public:
    Life(std::uint64_t seed, bool constantAndRefusing)
        : m_random(seed)
        , m_constant(constantAndRefusing)
        , m_rate(pick({1, 3, 7, 30, 60, 61, 240, 600}))
        , m_burst(pick({1, 2, 3, 10, 100}))
        , m_pacer(makePacer(bucket(double(m_rate), double(m_burst)), at(0ms)))
        , m_model(m_rate, m_burst)
    {
        if (m_constant)
            m_rate = std::max(m_rate, std::int64_t(30));
        m_pacer = makePacer(bucket(double(m_rate), double(m_burst)), at(0ms));
        m_model = BucketModel(m_rate, m_burst);
    }

    void run(int steps)
    {
        for (int i = 0; i < steps && m_fault.empty(); ++i)
            step();
        // At the end everybody still in the queue is let go by the clock.
        for (int i = 0; i < 20 && m_fault.empty(); ++i) {
            m_now += 1'000;
            leave();
        }
        expect(m_pacer->level(at(m_now * 1ms)).waiting == 0, "somebody never left");
    }

    [[nodiscard]] const std::string &fault() const { return m_fault; }
    [[nodiscard]] std::int64_t rate() const { return m_rate; }
    [[nodiscard]] std::int64_t burst() const { return m_burst; }
    [[nodiscard]] const std::vector<std::int64_t> &openings() const { return m_openings; }
    [[nodiscard]] const std::map<std::uint64_t, int> &ends() const { return m_ends; }

private:
    std::int64_t pick(std::initializer_list<std::int64_t> values)
    {
        return values.begin()[m_random.next() % values.size()];
    }

    void step()
    {
        // Mostly small steps, sometimes none, sometimes a stall.
        m_now += pick({0, 0, 1, 7, 50, 50, 333, 1'000, 2'500, 9'000});
        const std::uint64_t what = m_random.next() % 20;
        if (what < 9)
            arrive();
        else if (what < 16)
            leave();
        else if (what < 18)
            cancel();
        else if (what < 19 || m_constant)
            returnOne();
        else
            change();
        compare();
    }

    void arrive()
    {
        const RequestBudget budgets[] = {resolveBudget({}),   idleOf(30'000ms), idleOf(10'000ms),
                                         idleOf(3'600'000ms), retriesOf(0),     idleOf(14'001ms)};
        const RequestBudget &budget = budgets[m_random.next() % (m_constant ? 4 : 6)];
        const std::uint64_t id = ++m_ids;
        const auto decision = m_pacer->request({WaiterId(id), budget}, at(m_now * 1ms));
        m_model.tick(m_now);
        const std::string expected = m_model.arrive(
            {id, m_now, budget.bound.count(), budget.hintCap.count(), budget.retries, 0});
        std::string seen = decision.index() == 0 ? "go" : "wait";
        if (const auto *refused = std::get_if<Refused>(&decision))
            seen = "back:" + std::to_string(refused->hint.count());
        expect(seen == expected, "arrival " + seen + " instead of " + expected);
        if (seen == "go")
            admitted(id);
        else if (seen == "wait")
            m_waiting.push_back(id);
        else
            ++m_ends[id];
    }

    void leave()
    {
        const auto departures = m_pacer->due(at(m_now * 1ms));
        m_model.tick(m_now);
        const auto expected = m_model.leavers();
        expect(departures.size() == expected.size(), "number of departures");
        for (std::size_t i = 0; i < departures.size() && m_fault.empty(); ++i) {
            const std::uint64_t id = departures[i].id.value();
            std::string seen = std::to_string(id);
            if (const auto *refused = std::get_if<Refused>(&departures[i].outcome))
                seen = "!" + seen + ":" + std::to_string(refused->hint.count());
            expect(seen == expected[i], "departure " + seen + " instead of " + expected[i]);
            expect(std::erase(m_waiting, id) == 1, "left without having waited");
            if (seen.starts_with('!'))
                ++m_ends[id];
            else
                admitted(id);
        }
    }

    // As in the engine, an admission is used or handed back at the instant it is given, except
    // that in lives without the opening count some are kept open for a while.
    void admitted(std::uint64_t id)
    {
        const std::uint64_t what = m_random.next() % 8;
        if (what == 0) {
            giveBack(id);
        } else if (what == 1 && !m_constant) {
            m_open.push_back(id);
        } else {
            m_pacer->settle(WaiterId(id));
            m_model.settle(id);
            m_openings.push_back(m_now);
            ++m_ends[id];
        }
    }

    void giveBack(std::uint64_t id)
    {
        m_pacer->giveBack(WaiterId(id), at(m_now * 1ms));
        m_pacer->giveBack(WaiterId(id), at(m_now * 1ms));
        m_model.tick(m_now);
        m_model.giveBack(id);
        ++m_ends[id];
    }

    void returnOne()
    {
        if (m_open.empty())
            return;
        const std::size_t index = m_random.next() % m_open.size();
        giveBack(m_open[index]);
        m_open.erase(m_open.begin() + std::ptrdiff_t(index));
    }

    void cancel()
    {
        if (m_waiting.empty())
            return;
        const std::uint64_t id = m_waiting[m_random.next() % m_waiting.size()];
        m_pacer->cancel(WaiterId(id), at(m_now * 1ms));
        m_pacer->cancel(WaiterId(id), at(m_now * 1ms));
        m_model.tick(m_now);
        m_model.cancel(id);
        std::erase(m_waiting, id);
        ++m_ends[id];
    }

    void change()
    {
        m_rate = pick({1, 3, 7, 30, 60, 240, 600});
        m_burst = pick({1, 2, 10, 100});
        m_pacer->applySettings(bucket(double(m_rate), double(m_burst)), at(m_now * 1ms));
        m_model.tick(m_now);
        m_model.change(m_rate, m_burst);
    }

    void compare()
    {
        m_model.tick(m_now);
        const double tokens = m_pacer->level(at(m_now * 1ms)).tokens;
        expect(std::abs(tokens - m_model.freeTokens()) < 1e-4,
               "tokens " + std::to_string(tokens) + " instead of "
                   + std::to_string(m_model.freeTokens()));
        std::vector<std::uint64_t> ids;
        for (const Pacer::Place &place : m_pacer->queue())
            ids.push_back(place.id.value());
        expect(ids == m_model.waiting(), "another queue");
    }

    void expect(bool holds, const std::string &what)
    {
        if (!holds && m_fault.empty())
            m_fault = what + " at " + std::to_string(m_now) + " ms";
    }

    Random m_random;
    bool m_constant;
    std::int64_t m_rate;
    std::int64_t m_burst;
    std::unique_ptr<Pacer> m_pacer;
    BucketModel m_model;
    std::int64_t m_now = 0;
    std::uint64_t m_ids = 0;
    std::vector<std::uint64_t> m_waiting;
    std::vector<std::uint64_t> m_open;
    std::vector<std::int64_t> m_openings;
    std::map<std::uint64_t, int> m_ends;
    std::string m_fault;
};

// At most burst + rate * window openings in every window, in grains of 1/60000 opening.
bool keepsEveryWindow(const std::vector<std::int64_t> &opened, std::int64_t rate,
                      std::int64_t burst)
{
    for (std::size_t from = 0; from < opened.size(); ++from) {
        for (std::size_t to = from; to < opened.size(); ++to) {
            const std::int64_t count = std::int64_t(to - from) + 1;
            if ((count - burst) * 60'000 > rate * (opened[to] - opened[from]))
                return false;
        }
    }
    return true;
}

} // namespace

class BucketPropertyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithAnIndependentModel();
    void opensAtMostBurstAndRateInAnyWindow();
};

void BucketPropertyTest::agreesWithAnIndependentModel()
{
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        Life life(seed, false);
        life.run(400);
        QVERIFY2(life.fault().empty(), (life.fault() + ", seed " + std::to_string(seed)).c_str());
        for (const auto &[id, times] : life.ends())
            QVERIFY2(times == 1, ("id " + std::to_string(id)).c_str());
    }
}

// Section 9: constant settings, every budget can refuse.
void BucketPropertyTest::opensAtMostBurstAndRateInAnyWindow()
{
    std::size_t seen = 0;
    for (std::uint64_t seed = 1'001; seed <= 1'150; ++seed) {
        Life life(seed, true);
        life.run(400);
        QVERIFY2(life.fault().empty(), (life.fault() + ", seed " + std::to_string(seed)).c_str());
        const auto &opened = life.openings();
        seen += opened.size();
        QVERIFY2(keepsEveryWindow(opened, life.rate(), life.burst()),
                 ("seed " + std::to_string(seed)).c_str());
    }
    QVERIFY(seen > 10'000);
}

QTEST_APPLESS_MAIN(BucketPropertyTest)
#include "tst_bucketproperty.moc"
