// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/door.h"
#include "proxy/core/dialects/turnerror.h"

namespace headway::dialects {

std::string_view name(Door door)
{
    switch (door) {
    case Door::Messages:
        return "messages";
    case Door::Responses:
        return "responses";
    case Door::ResponsesSocket:
        return "responses_ws";
    case Door::ChatCompletions:
        return "chat";
    }
    return {};
}

std::string_view name(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::InvalidRequest:
        return "invalid_request";
    case ErrorKind::ContextOverflow:
        return "context_overflow";
    case ErrorKind::Authentication:
        return "authentication";
    case ErrorKind::Billing:
        return "billing";
    case ErrorKind::Permission:
        return "permission";
    case ErrorKind::NotFound:
        return "not_found";
    case ErrorKind::TooLarge:
        return "too_large";
    case ErrorKind::RefusedByUs:
        return "refused_by_us";
    case ErrorKind::Throttled:
        return "throttled";
    case ErrorKind::PlanLimit:
        return "plan_limit";
    case ErrorKind::Overloaded:
        return "overloaded";
    case ErrorKind::UpstreamFailed:
        return "upstream_failed";
    case ErrorKind::Unreachable:
        return "unreachable";
    case ErrorKind::Timeout:
        return "timeout";
    case ErrorKind::Unavailable:
        return "unavailable";
    }
    return {};
}

} // namespace headway::dialects
