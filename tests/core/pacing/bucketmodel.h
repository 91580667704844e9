// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace headway::pacing::test {

// spec/pacing.md sections 3 and 8 a second time, in whole numbers: time in ms, and 60 000 grains
// to a token, so that `rate` grains come each ms and nothing is ever rounded. Everything is summed
// up anew at each question. Lives on whole milliseconds only.
class BucketModel
{
public:
    struct Turn
    {
        std::uint64_t id;
        std::int64_t arrived;
        std::int64_t bound;
        std::int64_t hintCap;
        int retries;
        std::int64_t takes; // grains
    };

    BucketModel(std::int64_t rate, std::int64_t burst)
        : m_rate(rate)
        , m_burst(burst)
        , m_grains(burst * token)
    {
    }

    void tick(std::int64_t now)
    {
        m_grains = m_grains + (now - m_now) * m_rate;
        m_now = now;
        if (m_grains > m_burst * token) {
            m_grains = m_burst * token;
            m_replan = m_replan || !m_waiting.empty();
        }
    }

    // "go", "wait", or "back:HINT".
    std::string arrive(Turn turn)
    {
        const std::int64_t free = freeGrains();
        if (turn.bound == 0)
            return pass(turn.id, std::clamp(free, std::int64_t(0), token));
        if (m_waiting.empty() && free >= token)
            return pass(turn.id, token);
        if (token - free <= m_rate * turn.bound)
            return wait(turn, token);
        if (refusable(turn))
            return "back:" + hint(turn, token - free);
        const std::int64_t left = free + m_rate * turn.bound;
        return left > 0 ? wait(turn, left) : pass(turn.id, 0);
    }

    // Everybody who leaves now: "ID" or "!ID:HINT".
    std::vector<std::string> leavers()
    {
        std::vector<std::string> out;
        leaveInOrder(out);
        if (m_replan) {
            replan();
            leaveInOrder(out);
        }
        out.insert(out.end(), m_pending.begin(), m_pending.end());
        m_pending.clear();
        return out;
    }

    void cancel(std::uint64_t id)
    {
        std::erase_if(m_waiting, [id](const Turn &turn) { return turn.id == id; });
        std::erase_if(m_pending, [name = std::to_string(id)](const std::string &leaver) {
            return leaver == name || leaver.starts_with("!" + name + ":");
        });
    }

    void giveBack(std::uint64_t id)
    {
        for (const Taken &taken : m_taken) {
            if (taken.id == id)
                m_grains = std::min(m_grains + taken.grains, m_burst * token);
        }
        settle(id);
    }

    void settle(std::uint64_t id)
    {
        std::erase_if(m_taken, [id](const Taken &taken) { return taken.id == id; });
    }

    void change(std::int64_t rate, std::int64_t burst)
    {
        if (rate == m_rate && burst == m_burst)
            return;
        m_rate = rate;
        m_burst = burst;
        m_grains = std::min(m_grains, burst * token);
        replan();
    }

    [[nodiscard]] double freeTokens() const
    {
        return static_cast<double>(freeGrains()) / static_cast<double>(token);
    }
    [[nodiscard]] std::vector<std::uint64_t> waiting() const
    {
        std::vector<std::uint64_t> ids;
        for (const Turn &turn : m_waiting)
            ids.push_back(turn.id);
        return ids;
    }

private:
    static constexpr std::int64_t token = 60'000;
    struct Taken
    {
        std::uint64_t id;
        std::int64_t grains;
    };

    [[nodiscard]] std::int64_t freeGrains() const
    {
        std::int64_t free = m_grains;
        for (const Turn &turn : m_waiting)
            free -= turn.takes;
        return free;
    }
    [[nodiscard]] bool refusable(const Turn &turn) const
    {
        return turn.retries > 0 && turn.retries * turn.hintCap * m_rate >= token;
    }
    [[nodiscard]] std::string hint(const Turn &turn, std::int64_t missing) const
    {
        std::int64_t seconds = 1;
        while (seconds < turn.hintCap / 1'000 && seconds * 1'000 * m_rate < missing)
            ++seconds;
        return std::to_string(seconds);
    }
    std::string pass(std::uint64_t id, std::int64_t grains)
    {
        m_grains -= grains;
        m_taken.push_back({id, grains});
        return "go";
    }
    std::string wait(Turn turn, std::int64_t grains)
    {
        turn.takes = grains;
        m_waiting.push_back(turn);
        return "wait";
    }
    void leaveInOrder(std::vector<std::string> &out)
    {
        while (!m_waiting.empty() && m_grains >= m_waiting.front().takes) {
            out.push_back(std::to_string(m_waiting.front().id));
            pass(m_waiting.front().id, m_waiting.front().takes);
            m_waiting.erase(m_waiting.begin());
        }
    }
    void replan()
    {
        m_replan = false;
        const std::vector<Turn> before = std::move(m_waiting);
        m_waiting.clear();
        for (Turn turn : before) {
            const std::int64_t left = std::max(turn.arrived + turn.bound - m_now, std::int64_t(0));
            const std::int64_t free = freeGrains();
            if (token - free <= m_rate * left)
                wait(turn, token);
            else if (refusable(turn))
                m_pending.push_back("!" + std::to_string(turn.id) + ":" + hint(turn, token - free));
            else if (free + m_rate * left > 0)
                wait(turn, free + m_rate * left);
            else
                m_pending.push_back(std::to_string(turn.id));
        }
    }

    std::int64_t m_rate;
    std::int64_t m_burst;
    std::int64_t m_grains;
    std::int64_t m_now = 0;
    bool m_replan = false;
    std::vector<Turn> m_waiting;
    std::vector<Taken> m_taken;
    std::vector<std::string> m_pending;
};

} // namespace headway::pacing::test
