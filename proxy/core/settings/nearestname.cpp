// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/table.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::settings {

namespace {

constexpr std::size_t shortestBeginning = 3;
constexpr std::size_t mostOfASlip = 2; // two letters that changed places
// Longer than any name of the table: nothing near it, and not worth the search.
constexpr std::size_t longestName = 60;

// Characters to insert, remove or replace (Levenshtein); a row of the matrix at a time.
std::size_t changes(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// With at most `most` changes; empty if there is none.
std::string_view withFewestChanges(std::string_view name, std::size_t most)
{
    std::size_t fewest = most + 1;
    std::string_view found;
    for (const Row &candidate : table()) {
        const std::size_t needed = changes(name, candidate.name);
        if (needed < fewest) {
            fewest = needed;
            found = candidate.name;
        }
    }
    return found;
}

} // namespace

std::string_view nearest(std::string_view name)
{
    if (name.size() < shortestBeginning || name.size() > longestName)
        return {};
    if (const std::string_view slip = withFewestChanges(name, mostOfASlip); !slip.empty())
        return slip;
    for (const Row &candidate : table()) {
        if (candidate.name.starts_with(name) || name.starts_with(candidate.name))
            return candidate.name;
    }
    // A third of a name may be wrong; more is another name.
    return withFewestChanges(name, name.size() / 3);
}

} // namespace headway::settings
