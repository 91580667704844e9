// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/exchange.h"

namespace headway::net {

std::string_view RequestHead::header(std::string_view lowerCaseName) const
{
    for (const auto &[name, value] : headers) {
        if (name == lowerCaseName)
            return value;
    }
    return {};
}

} // namespace headway::net
