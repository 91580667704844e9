// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/listener.h"

#include <string>
#include <string_view>

namespace headway::net {

// The two keys of this install (spec/safety.md: "Who may come in"). One right key in any place that
// counts is enough; wrong values in other places are ignored.
class KeyCheck final
{
public:
    KeyCheck(std::string accessKey, std::string controlKey);

    // Takes a /k/KEY prefix off head.path and head.target and returns KEY; empty without one.
    [[nodiscard]] static std::string takePathKey(RequestHead &head);

    // Whether a right key came along, and sets head.keyPlace. Open routes, and model routes while
    // no access key is set, always pass; control routes never pass without one.
    [[nodiscard]] bool admits(RequestHead &head, RouteClass routeClass,
                              std::string_view pathKey) const;

    // Removes x-headway-key and every header whose value is one of our keys, alone or after a
    // scheme, so that none of them can be relayed.
    void strip(RequestHead &head) const;

private:
    std::string m_accessKey;
    std::string m_controlKey;
};

// Slows repeated wrong keys: each answer after the third within a while is delayed, twice as long
// as the last, up to a bound; one wrong key is forgotten every `wrongKeyMost`. One counter for all
// clients, so its memory is constant and changing addresses does not help. Right keys never wait.
class WrongKeyBrake final
{
public:
    explicit WrongKeyBrake(const ListenerTimes &times);

    // How long to hold back the answer to a wrong key that arrived now.
    [[nodiscard]] std::chrono::milliseconds wrongKey(base::SteadyTime now);

private:
    ListenerTimes m_times;
    int m_recent = 0;
    base::SteadyTime m_forgotten;
};

} // namespace headway::net
