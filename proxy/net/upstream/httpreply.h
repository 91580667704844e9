// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {

// What the server said to an upgrade or to a call.
struct UpgradeReply
{
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers; // names lower case
    std::string body; // of a refusal, at most 64 KiB

    [[nodiscard]] std::string_view header(std::string_view lowerCaseName) const;
};

} // namespace headway::net
