// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/net/listener/hostcheck.h"
#include "proxy/net/listener/keycheck.h"
#include "proxy/net/listener/refusal.h"

#include <chrono>
#include <optional>

namespace headway::net {

// Who may come in, decided by the head alone and in the order of trust: is the request for us, is
// there such a route, has it the key (spec/safety.md: "Who may come in").
class Gate final
{
public:
    Gate(KeyCheck keys, const ListenerTimes &times);

    void setHosts(HostCheck hosts) { m_hosts = std::move(hosts); } // once the port is known

    struct Closed
    {
        Refusal refusal;
        std::chrono::milliseconds delay{0}; // to hold the answer back for
    };

    // Fills path, query, route and keyPlace, and takes our keys out of the head.
    [[nodiscard]] std::optional<Closed> check(RequestHead &head, bool isHttp10,
                                              base::SteadyTime now);

private:
    HostCheck m_hosts;
    KeyCheck m_keys;
    WrongKeyBrake m_brake;
};

} // namespace headway::net
