// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/upstreamerror.h"
#include "proxy/core/turn/recovery.h"

#include <string>

namespace headway::turn {

namespace {

using dialects::ErrorKind;
using dialects::TurnError;

bool isBlockForm(const UpgradeAnswer &answer)
{
    const bool html = answer.contentType.starts_with("text/html");
    const bool region
        = answer.body.find("unsupported_country_region_territory") != std::string_view::npos;
    return html || region || answer.mitigated;
}

// Plan limits come as a 429 with a JSON body that says so (protocol notes 2.6).
bool isPlanLimit(std::string_view body)
{
    return body.find("usage_limit_reached") != std::string_view::npos
        || body.find("insufficient_quota") != std::string_view::npos;
}

bool isJsonObject(std::string_view body)
{
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && body[first] == '{';
}

Fault failed(ErrorKind kind, int status, std::string message)
{
    TurnError error;
    error.kind = kind;
    error.upstreamStatus = status;
    error.message = std::move(message);
    return {FaultKind::UpgradeFailed, std::move(error), {}, {}};
}

// The edge that throttles says nothing, or that it throttles; a gateway that lets no WebSocket
// through explains.
bool explainsABlock(const UpgradeAnswer &answer)
{
    if (answer.status != 403 || answer.body.empty() || answer.retryAfter)
        return false;
    const TurnError error = dialects::readHttpError(answer.status, {}, answer.body, {});
    return error.kind != ErrorKind::Throttled && error.kind != ErrorKind::PlanLimit;
}

Fault rejected(const UpgradeAnswer &answer)
{
    TurnError error;
    error.kind = ErrorKind::Throttled;
    error.upstreamStatus = answer.status;
    error.retryAfter = answer.retryAfter;
    error.message = "The provider rejected a new connection with status "
        + std::to_string(answer.status)
        + " (connections opened too fast). Lower the rate or let Headway pace them.";
    Fault fault{FaultKind::Rejected, std::move(error), answer.retryAfter, {}};
    fault.mayBeBlocked = explainsABlock(answer);
    return fault;
}

} // namespace

Fault classifyUpgrade(const UpgradeAnswer &answer)
{
    const std::string status = std::to_string(answer.status);
    switch (answer.status) {
    case 401:
        return failed(ErrorKind::Authentication, 401,
                      "The provider does not accept the upstream credential (status 401). Check "
                      "the upstream key.");
    case 403:
        if (isBlockForm(answer))
            return failed(ErrorKind::Permission, 403,
                          "The provider blocks this place or program (status 403). Pacing cannot "
                          "help; check region and account.");
        return rejected(answer);
    case 429:
        if (isPlanLimit(answer.body)) {
            Fault fault = failed(ErrorKind::PlanLimit, 429,
                                 "The account's plan limit is used up (status 429).");
            fault.error.retryAfter = answer.retryAfter;
            return fault;
        }
        return rejected(answer);
    case 503:
        return rejected(answer);
    case 404:
    case 405:
    case 426:
        return failed(ErrorKind::Unreachable, answer.status,
                      "The upstream does not offer Responses over WebSocket (status " + status
                          + "). Check the upstream URL.");
    default: {
        Fault fault = failed(ErrorKind::Unreachable, answer.status,
                             "The upstream answered the upgrade with status " + status + ".");
        // 5xx passes; a retry on a new connection may work.
        if (answer.status >= 500)
            fault.kind = FaultKind::DialFailed;
        fault.mayBeBlocked = answer.status >= 400; // a redirect is not followed either way
        fault.stated = answer.retryAfter;
        return fault;
    }
    }
}

Fault classifyHttpAnswer(int status,
                         const std::vector<std::pair<std::string, std::string>> &headers,
                         std::string_view body, base::WallTime now)
{
    Fault fault;
    fault.kind = FaultKind::ErrorEvent;
    fault.error = dialects::readHttpError(status, headers, body, now);
    TurnError &error = fault.error;
    const std::string with = " (status " + std::to_string(status) + ")";
    if (status == 403 && body.empty()) {
        error.kind = ErrorKind::Throttled;
        error.message = "The provider rejected a new connection" + with + ".";
    } else if (status < 400) {
        error.kind = ErrorKind::Unreachable;
        error.message = status >= 300
            ? "The provider redirects" + with + ", which is not followed. Check the upstream URL."
            : "The provider answered without a stream of events" + with + ".";
    } else if (!isJsonObject(body) || error.message.empty()) { // a page of a gateway, or nothing
        error.message = "The provider answered the request with an error" + with + ".";
    }
    fault.stated = error.retryAfter;
    return fault;
}

} // namespace headway::turn
