// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/partition.h"

#include "proxy/core/base/fingerprint.h"

#include <array>
#include <charconv>

namespace headway::heads {

namespace {

// Length before bytes: no field can reach into its neighbour, whatever bytes it holds.
void appendField(std::string &out, std::string_view field)
{
    std::array<char, 20> digits{};
    const auto [end, error] = std::to_chars(digits.begin(), digits.end(), field.size());
    out.append(digits.begin(), end);
    out += ':';
    out += field;
}

void appendHash(std::string &out, std::string_view text)
{
    const base::Fingerprint print = base::fingerprint(text, 0);
    for (const std::uint64_t half : {print.high, print.low}) {
        std::array<char, 16> digits{};
        const auto [end, error] = std::to_chars(digits.begin(), digits.end(), half, 16);
        appendField(out, {digits.data(), static_cast<std::size_t>(end - digits.data())});
    }
}

} // namespace

std::optional<PartitionKey> partitionKey(const PartitionInput &input)
{
    std::string key;
    for (const std::string_view field :
         {input.endpoint, input.provider, input.account, input.model, input.agent})
        appendField(key, field);
    // The letter keeps a session, a cache key and a hash of the same spelling apart.
    if (!input.session.empty()) {
        key += 's';
        appendField(key, input.session);
    } else if (!input.cacheKey.empty()) {
        key += 'c';
        appendField(key, input.cacheKey);
    } else if (!input.systemAndTools.empty()) {
        key += 'h';
        appendHash(key, input.systemAndTools);
    } else {
        return std::nullopt;
    }
    // What came before is known to the provider only: nobody else's history is that one.
    if (!input.chain.empty()) {
        key += 'r';
        appendField(key, input.chain);
    }
    return PartitionKey{std::move(key)};
}

} // namespace headway::heads
