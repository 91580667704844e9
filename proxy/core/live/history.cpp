// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/history.h"

#include <algorithm>
#include <vector>

namespace headway::live {

namespace {

// Numbers ascend.
template <typename T>
std::vector<T> after(const std::deque<std::pair<std::uint64_t, T>> &kept, std::uint64_t number)
{
    auto first = std::ranges::upper_bound(kept, number, {}, &std::pair<std::uint64_t, T>::first);
    std::vector<T> result;
    for (; first != kept.end(); ++first)
        result.push_back(first->second);
    return result;
}

template <typename T>
void keep(std::deque<std::pair<std::uint64_t, T>> &kept, const std::vector<T> &fresh,
          std::uint64_t number, std::size_t most)
{
    for (const T &each : fresh)
        kept.emplace_back(number, each);
    if (kept.size() > most)
        kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(most));
}

} // namespace

void History::add(const Snapshot &snapshot, bool withRecords)
{
    ++m_newest;
    for (const SecondStats &second : snapshot.seconds)
        m_seconds[second.second] = {m_newest, second};
    while (m_seconds.size() > mostSeconds)
        m_seconds.erase(m_seconds.begin());
    keep(m_changes, snapshot.changes, m_newest, mostChanges);
    if (withRecords)
        keep(m_records, snapshot.records, m_newest, mostRecords);
}

Snapshot History::since(const Snapshot &snapshot, std::uint64_t number) const
{
    Snapshot whole = snapshot;
    whole.seconds.clear();
    for (const auto &[second, told] : m_seconds) {
        if (told.first > number)
            whole.seconds.push_back(told.second);
    }
    whole.changes = after(m_changes, number);
    whole.records = after(m_records, number);
    return whole;
}

} // namespace headway::live
