// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/refusal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::net {

// Whether a request was meant for us, and not sent by a web page (spec/safety.md: "Who may come
// in"): DNS rebinding changes Host, a page's script cannot leave out Origin.
class HostCheck final
{
public:
    // `addresses`: the literals we listen on besides 127.0.0.1, [::1] and localhost (IPv6 in
    // brackets); `allowed`: names of the setting, with or without a port.
    HostCheck(std::vector<std::string> addresses, std::vector<std::string> allowed,
              std::uint16_t port);

    // Splits the target into path and query first (also its absolute form, whose host counts too).
    // Refuses with 400 (no Host, two, malformed), 421 (not ours) or 403 (Origin).
    [[nodiscard]] std::optional<Refusal> check(RequestHead &head, bool isHttp10) const;

private:
    [[nodiscard]] bool isOurs(std::string_view authority, std::uint16_t defaultPort) const;
    [[nodiscard]] bool isOurOrigin(std::string_view origin) const;

    std::vector<std::string> m_names;
    std::vector<std::string> m_allowed;
    std::uint16_t m_port;
};

} // namespace headway::net
