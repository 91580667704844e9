// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/bucketpacer.h"

#include <algorithm>

namespace headway::pacing {

std::vector<Attempt> BucketPacer::handOver(base::Now now)
{
    refill(now.steady);
    std::vector<Attempt> attempts;
    attempts.reserve(m_queue.size());
    while (!m_queue.empty()) {
        attempts.push_back(m_queue.front());
        leave(m_queue.begin());
    }
    m_lostTokens = false;
    return attempts;
}

void BucketPacer::adopt(const std::vector<Attempt> &attempts, base::Now now)
{
    refill(now.steady);
    for (const Attempt &attempt : attempts)
        m_queue.push({attempt, 0, 0, std::nullopt});
    if (limiterOff())
        releaseAll();
    else
        replan();
}

void BucketPacer::startedElsewhere(base::Now now)
{
    refill(now.steady);
    m_tokens = std::max(m_tokens - 1, std::min(m_tokens, 0.0));
}

} // namespace headway::pacing
