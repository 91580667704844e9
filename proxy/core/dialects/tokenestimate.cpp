// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/tokenestimate.h"

namespace headway::dialects {

double estimateTokens(std::string_view utf8)
{
    return static_cast<double>(utf8.size()) / 4;
}

std::uint64_t estimateRequest(json::Value request)
{
    return static_cast<std::uint64_t>(estimateTokens(request.raw()));
}

} // namespace headway::dialects
