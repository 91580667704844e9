// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of header fields and durations: whatever a provider states is a time within bounds or
// nothing.
#include "proxy/core/pacing/backoff.h"
#include "proxy/core/pacing/httpdate.h"
#include "proxy/core/pacing/quota.h"
#include "proxy/core/pacing/tokenbudget.h"
#include "proxy/core/turn/recovery.h"
#include "tests/fuzz/require.h"

#include <simdjson.h>

using namespace headway;
using namespace std::chrono_literals;

namespace {

constexpr base::WallTime noon{1'700'000'000s};

// "name: value" to a line, names in lower case.
pacing::Quota::Headers fields(std::string_view text)
{
    pacing::Quota::Headers headers;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t colon = line.find(": ");
        if (colon != std::string_view::npos)
            headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
    return headers;
}

void requireBounded(const std::optional<base::Milliseconds> &time)
{
    REQUIRE(!time || (*time >= 0ms && *time <= 31 * 24h));
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const std::string_view line = text.substr(0, text.find('\n'));
    requireBounded(pacing::parseRetryAfter(line, noon));
    requireBounded(pacing::parseRetryAfterMs(line));
    (void)pacing::parseHttpDate(line, noon);

    const pacing::Quota::Headers headers = fields(text);
    pacing::Quota quota;
    (void)quota.readHeaders(headers, noon);
    for (const pacing::QuotaWindow &window : quota.windows(noon)) {
        REQUIRE(window.length > 0s && !window.name.empty());
        REQUIRE(window.usedPercent >= 0); // and a number
    }
    for (const int status : {403, 429, 500, 503}) {
        const turn::Fault fault = turn::classifyHttpAnswer(status, headers, text, noon);
        requireBounded(fault.stated);
        REQUIRE(!fault.error.message.empty());
        turn::UpgradeAnswer answer;
        answer.status = status;
        answer.body = text;
        REQUIRE(!turn::classifyUpgrade(answer).error.message.empty());
    }
    return 0;
}
