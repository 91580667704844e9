// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QRandomGenerator>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headway::test {

// A made-up fan-out for tests and pictures of the window: nothing in it is measured.
class Scene final
{
public:
    explicit Scene(quint32 seed = 7, std::size_t turns = 24);

    // What the first snapshot tells: this many seconds of history.
    [[nodiscard]] live::Snapshot history(int seconds);
    // One snapshot further, a tenth of a second later.
    [[nodiscard]] live::Snapshot next();

    void set(const std::string &key, const std::string &value,
             const std::string &source = "default", bool locked = false);
    [[nodiscard]] base::WallTime now() const { return m_now; }

    static constexpr base::WallTime start{base::Milliseconds{1'790'000'000'000}};

private:
    [[nodiscard]] live::SecondStats second(std::int64_t at);
    [[nodiscard]] live::TurnRow turn();
    [[nodiscard]] std::vector<ledger::Record> records();
    void addHeads(live::Snapshot &snapshot) const;
    void fill(live::Snapshot &snapshot);
    [[nodiscard]] std::uint32_t below(std::uint32_t limit);

    QRandomGenerator m_random;
    base::WallTime m_now = start;
    std::size_t m_size;
    std::uint64_t m_nextTurn = 4'800;
    double m_level = 8;
    std::vector<live::TurnRow> m_turns;
    std::map<std::string, live::SettingValue> m_settings;
    live::Totals m_totals;
};

} // namespace headway::test
