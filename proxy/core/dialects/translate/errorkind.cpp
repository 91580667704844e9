// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/errorkind.h"

#include <algorithm>
#include <array>
#include <string>

namespace headway::dialects {

namespace {

struct Word
{
    std::string_view word;
    ErrorKind kind;
};

// Codes and types that say what happened, whatever the status.
constexpr std::array<Word, 34> telling{{
    {"context_length_exceeded", ErrorKind::ContextOverflow},
    {"usage_limit_reached", ErrorKind::PlanLimit},
    {"insufficient_quota", ErrorKind::PlanLimit},
    {"credit_balance_exhausted", ErrorKind::PlanLimit},
    {"usage_not_included", ErrorKind::PlanLimit},
    {"billing_hard_limit_reached", ErrorKind::PlanLimit},
    {"rate_limit_exceeded", ErrorKind::Throttled},
    {"rate_limit_error", ErrorKind::Throttled},
    {"rate_limit", ErrorKind::Throttled},
    {"too_many_requests", ErrorKind::Throttled},
    {"slow_down", ErrorKind::Throttled},
    {"server_is_overloaded", ErrorKind::Overloaded},
    {"overloaded_error", ErrorKind::Overloaded},
    {"overloaded", ErrorKind::Overloaded},
    {"engine_overloaded", ErrorKind::Overloaded},
    // Ours to recover from; when that failed it is the connection's fault, not the client's.
    {"websocket_connection_limit_reached", ErrorKind::UpstreamFailed},
    {"server_error", ErrorKind::UpstreamFailed},
    {"internal_server_error", ErrorKind::UpstreamFailed},
    {"api_error", ErrorKind::UpstreamFailed},
    {"vector_store_timeout", ErrorKind::UpstreamFailed},
    {"invalid_api_key", ErrorKind::Authentication},
    {"authentication_error", ErrorKind::Authentication},
    {"token_expired", ErrorKind::Authentication},
    {"billing_error", ErrorKind::Billing},
    {"unsupported_country_region_territory", ErrorKind::Permission},
    {"permission_error", ErrorKind::Permission},
    {"model_not_found", ErrorKind::NotFound},
    {"not_found_error", ErrorKind::NotFound},
    {"request_too_large", ErrorKind::TooLarge},
    {"timeout_error", ErrorKind::Timeout},
    {"previous_response_not_found", ErrorKind::InvalidRequest},
    {"invalid_prompt", ErrorKind::InvalidRequest},
    {"cyber_policy", ErrorKind::InvalidRequest},
    {"bio_policy", ErrorKind::InvalidRequest},
}};

std::optional<ErrorKind> kindOfWord(std::string_view word)
{
    const auto *const found = std::find_if(
        telling.begin(), telling.end(), [word](const Word &entry) { return entry.word == word; });
    return found == telling.end() ? std::nullopt : std::optional(found->kind);
}

std::optional<ErrorKind> kindOfStatus(int status)
{
    switch (status) {
    case 401:
        return ErrorKind::Authentication;
    case 402:
        return ErrorKind::Billing;
    case 403:
        return ErrorKind::Permission;
    case 404:
        return ErrorKind::NotFound;
    case 408:
    case 504:
        return ErrorKind::Timeout;
    case 413:
        return ErrorKind::TooLarge;
    case 429:
        return ErrorKind::Throttled;
    case 503:
    case 529:
        return ErrorKind::Overloaded;
    default:
        if (status >= 400 && status < 500)
            return ErrorKind::InvalidRequest;
        return status >= 500 ? std::optional(ErrorKind::UpstreamFailed) : std::nullopt;
    }
}

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

bool hasWords(std::string_view text, std::string_view words)
{
    for (std::size_t at = text.find(words); at != std::string_view::npos;
         at = text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !isWordByte(text[at - 1]))
            && (end == text.size() || !isWordByte(text[end])))
            return true;
    }
    return false;
}

bool saysRateLimit(std::string_view message)
{
    std::string lower(message);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    constexpr std::array<std::string_view, 9> phrases{
        "rate limit",        "rate limits", "rate limited", "rate-limited", "rate limit_exceeded",
        "too many requests", "status 429",  "http 429",     "error 429",
    };
    return std::any_of(phrases.begin(), phrases.end(),
                       [&lower](std::string_view words) { return hasWords(lower, words); });
}

} // namespace

ErrorKind errorKind(std::string_view code, std::string_view type, std::optional<int> status,
                    std::string_view message)
{
    if (const auto kind = kindOfWord(code))
        return *kind;
    if (const auto kind = kindOfWord(type))
        return *kind;
    if (status) {
        if (const auto kind = kindOfStatus(*status))
            return *kind;
    }
    // Codes of the image family, of policies and the like all come under this type.
    if (type == "invalid_request_error")
        return ErrorKind::InvalidRequest;
    if (code.empty() && type.empty() && saysRateLimit(message))
        return ErrorKind::Throttled;
    return code.find("image") != std::string_view::npos || code.starts_with("invalid_")
            || code.ends_with("_policy_violation")
        ? ErrorKind::InvalidRequest
        : ErrorKind::UpstreamFailed;
}

} // namespace headway::dialects
