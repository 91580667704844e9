// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/turn/transport.h"

#include <algorithm>

namespace headway::turn {

namespace {

constexpr int silencesUntilBlocked = 2;

} // namespace

Transport TransportMemory::expected(std::size_t bytes, base::Now now) const
{
    if (isTooLarge(bytes))
        return Transport::Https;
    if (!m_cause)
        return Transport::WebSocket;
    const bool probes = now.steady >= m_probeAt && (!m_probing || now.steady >= *m_probing);
    return probes ? Transport::WebSocket : Transport::Https;
}

Transport TransportMemory::choose(std::size_t bytes, base::Now now)
{
    const Transport transport = expected(bytes, now);
    if (m_cause && transport == Transport::WebSocket)
        m_probing = now.steady + longestProbe;
    return transport;
}

bool TransportMemory::refused(HttpsCause cause, base::Now now)
{
    // What is known already is known for longer; the rest waits for its proof.
    if (cause == HttpsCause::UpgradeRequired || (m_cause && cause != HttpsCause::TooLarge))
        return remember(cause, now);
    return false;
}

bool TransportMemory::proved(HttpsCause cause, base::Now now)
{
    return cause != HttpsCause::TooLarge && remember(cause, now);
}

bool TransportMemory::remember(HttpsCause cause, base::Now now)
{
    const bool isNew = !m_cause;
    m_cause = cause;
    m_probeAt = now.steady + remembered;
    m_probing.reset();
    return isNew;
}

void TransportMemory::upgraded()
{
    m_cause.reset();
    m_probing.reset();
}

void TransportMemory::unanswered()
{
    m_silences = std::min(m_silences + 1, silencesUntilBlocked);
}

bool TransportMemory::isSwallowed() const
{
    return m_cause.has_value() || m_silences >= silencesUntilBlocked;
}

void TransportMemory::undecided(base::Now now)
{
    if (!m_probing)
        return;
    m_probing.reset();
    m_probeAt = now.steady + longestProbe;
}

std::string_view name(HttpsCause cause)
{
    switch (cause) {
    case HttpsCause::UpgradeRequired:
        return "upgrade_required";
    case HttpsCause::NoSuchRoute:
        return "no_such_route";
    case HttpsCause::Unauthorized:
        return "unauthorized";
    case HttpsCause::Unanswered:
        return "upgrade_unanswered";
    case HttpsCause::TooLarge:
        return "too_large";
    case HttpsCause::Blocked:
        return "blocked";
    }
    return "";
}

std::string notice(HttpsCause cause)
{
    std::string why;
    switch (cause) {
    case HttpsCause::UpgradeRequired:
        why = "it does not offer WebSocket (status 426)";
        break;
    case HttpsCause::NoSuchRoute:
        why = "it does not know the WebSocket upgrade there (status 404 or 405)";
        break;
    case HttpsCause::Unauthorized:
        why = "it refuses the credential on WebSocket (status 401) and takes it over HTTPS";
        break;
    case HttpsCause::Unanswered:
        why = "it answers there, but not to a WebSocket upgrade; something on the way, a proxy or "
              "a firewall, may swallow it";
        break;
    case HttpsCause::TooLarge:
        why = "the request is too large for WebSocket";
        break;
    case HttpsCause::Blocked:
        why = "WebSocket is refused, by it or by something on the way, and HTTPS is not";
        break;
    }
    return "The provider is called over HTTPS: " + why
        + ". Conversations cannot be continued on a connection this way, so every turn sends its "
          "whole history. WebSocket is tried again every 30 minutes.";
}

} // namespace headway::turn
