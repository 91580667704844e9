// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway::turn {

enum class Transport : std::uint8_t { WebSocket, Https };

// Why HTTPS and not WebSocket.
enum class HttpsCause : std::uint8_t {
    UpgradeRequired, // 426: the server says that it has no WebSocket here
    NoSuchRoute, // 404 or 405 to the upgrade
    Unauthorized, // 401 to the upgrade, also with a refreshed credential
    Unanswered, // twice in a row nothing came back to the upgrade, though the connection stood
    TooLarge, // this turn only
    Blocked, // the upgrade failed as long as it was tried, perhaps by something on the way
};

// By which transport an endpoint is called (spec/heads.md section 8, spec/turns.md). One for each
// endpoint and account; pure.
//
// * WebSocket first: only there can a conversation be continued.
// * A call of more than 15 MiB, or than the endpoint's own frame limit, goes by HTTPS.
// * An endpoint that answers the upgrade with 426 is called by HTTPS from then on. 404, 405 and a
//   401 that a fresh credential does not help may have other reasons, as may a
//   403 with words or a 5xx at every attempt: they are remembered once
//   HTTPS has answered a turn that WebSocket could not carry.
// * So is silence: a proxy or firewall on the way may let TCP and TLS pass and swallow the upgrade
//   ("WebSocket blocked while HTTPS works"). The specification names no count; one silence may be
//   chance, so the second in a row, of whatever turns, is worth a try over HTTPS.
// * After 30 minutes one call tries the upgrade again; meanwhile the others stay with HTTPS. If it
//   is refused again, that counts as new; if it succeeds, WebSocket is first again.
class TransportMemory final
{
public:
    static constexpr std::size_t largestFrame = std::size_t{15} << 20U;
    static constexpr base::Seconds remembered{1'800};
    static constexpr base::Seconds longestProbe{60}; // one that was never reported does not block

    explicit TransportMemory(std::size_t frameLimit = largestFrame)
        : m_frameLimit(frameLimit)
    {
    }

    [[nodiscard]] bool isTooLarge(std::size_t bytes) const { return bytes > m_frameLimit; }
    // What a call of `bytes` would take now.
    [[nodiscard]] Transport expected(std::size_t bytes, base::Now now) const;
    // The call is about to be made: as expected(), and the one that tries the upgrade again is
    // chosen here.
    [[nodiscard]] Transport choose(std::size_t bytes, base::Now now);

    // The upgrade failed for `cause`. True: the endpoint is called by HTTPS from now on, and was
    // not before.
    bool refused(HttpsCause cause, base::Now now);
    // HTTPS answered a turn that WebSocket had refused for `cause`. True: as above.
    bool proved(HttpsCause cause, base::Now now);
    void upgraded(); // an upgrade succeeded
    void answered() { m_silences = 0; } // an upgrade, whatever the answer
    void unanswered(); // an upgrade, though the connection stood: once for each dial
    // Whether upgrades are swallowed, as far as is known.
    [[nodiscard]] bool isSwallowed() const;
    // The upgrade that was tried again ended otherwise (no connection, a throttle): nobody knows.
    void undecided(base::Now now);

    // Why the endpoint is called by HTTPS; nothing while WebSocket is first.
    [[nodiscard]] const std::optional<HttpsCause> &cause() const { return m_cause; }

private:
    bool remember(HttpsCause cause, base::Now now);

    std::size_t m_frameLimit;
    std::optional<HttpsCause> m_cause;
    int m_silences = 0; // in a row
    base::SteadyTime m_probeAt;
    std::optional<base::SteadyTime> m_probing; // until
};

// For the ledger and for people: "upgrade_required" …
[[nodiscard]] std::string_view name(HttpsCause cause);
// The notice while an endpoint is called by HTTPS.
[[nodiscard]] std::string notice(HttpsCause cause);

} // namespace headway::turn
