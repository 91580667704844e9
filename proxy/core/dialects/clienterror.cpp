// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/clienterror.h"

#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headway::dialects {

namespace {

// Claude Code gives the turn up at once when it is told to wait longer, and ignores zero; the SDKs
// of the chat door take a longer wait for none at all and come back within seconds.
constexpr std::int64_t longestTaken = 60;
// Where nobody stated a delay: long enough for a burst to pass.
constexpr std::int64_t unstatedDelay = 5;

struct Row
{
    ErrorKind kind;
    int messagesStatus;
    std::string_view messagesType;
    int responsesStatus;
    std::string_view responsesType;
    std::string_view responsesCode;
};

constexpr std::array<Row, 15> table{{
    {ErrorKind::InvalidRequest, 400, "invalid_request_error", 400, "invalid_request_error", ""},
    {ErrorKind::ContextOverflow, 400, "invalid_request_error", 400, "invalid_request_error",
     "context_length_exceeded"},
    {ErrorKind::Authentication, 401, "authentication_error", 401, "authentication_error",
     "invalid_api_key"},
    {ErrorKind::Billing, 402, "billing_error", 402, "billing_error", "insufficient_quota"},
    {ErrorKind::Permission, 403, "permission_error", 403, "permission_error", ""},
    {ErrorKind::NotFound, 404, "not_found_error", 404, "invalid_request_error", "model_not_found"},
    {ErrorKind::TooLarge, 413, "request_too_large", 413, "invalid_request_error",
     "request_too_large"},
    {ErrorKind::RefusedByUs, 429, "rate_limit_error", 429, "rate_limit_error",
     "rate_limit_exceeded"},
    {ErrorKind::Throttled, 429, "rate_limit_error", 429, "rate_limit_error", "rate_limit_exceeded"},
    {ErrorKind::PlanLimit, 429, "rate_limit_error", 429, "usage_limit_reached",
     "usage_limit_reached"},
    {ErrorKind::Overloaded, 529, "overloaded_error", 503, "server_error", "server_is_overloaded"},
    {ErrorKind::UpstreamFailed, 500, "api_error", 500, "server_error", "server_error"},
    // Nobody answered there: a gateway's fault, told apart from a server's own.
    {ErrorKind::Unreachable, 502, "api_error", 502, "server_error", "server_error"},
    {ErrorKind::Timeout, 504, "timeout_error", 504, "server_error", "server_error"},
    // Not overloaded_error: that makes Claude Code give up after three requests.
    {ErrorKind::Unavailable, 503, "api_error", 503, "server_error", "server_error"},
}};

const Row &rowOf(ErrorKind kind)
{
    const auto *const found = std::find_if(table.begin(), table.end(),
                                           [kind](const Row &row) { return row.kind == kind; });
    return found == table.end() ? table[11] : *found;
}

bool hasDelay(ErrorKind kind)
{
    return kind == ErrorKind::RefusedByUs || kind == ErrorKind::Throttled
        || kind == ErrorKind::PlanLimit || kind == ErrorKind::Unavailable;
}

std::optional<std::int64_t> retrySeconds(Door door, const TurnError &error)
{
    if (!hasDelay(error.kind) && !(error.kind == ErrorKind::Overloaded && error.retryAfter))
        return std::nullopt;
    std::int64_t seconds = unstatedDelay;
    if (error.retryAfter)
        seconds = (error.retryAfter->count() + 999) / 1000;
    const bool bounded = door == Door::Messages
        || (door == Door::ChatCompletions && error.kind != ErrorKind::PlanLimit);
    const std::int64_t most = bounded ? longestTaken : 10LL * 365 * 86400;
    return std::clamp<std::int64_t>(seconds, 1, most);
}

std::string wallText(base::WallTime at)
{
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d UTC",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text.data();
}

// "2 h 39 min", for people.
std::string spanText(base::Milliseconds span)
{
    const std::int64_t seconds = (span.count() + 999) / 1000;
    if (seconds < 120)
        return std::to_string(seconds) + " s";
    if (seconds < 7200)
        return std::to_string(seconds / 60) + " min";
    if (seconds < 2 * 86400)
        return std::to_string(seconds / 3600) + " h " + std::to_string(seconds % 3600 / 60)
            + " min";
    return std::to_string(seconds / 86400) + " d " + std::to_string(seconds % 86400 / 3600) + " h";
}

std::string_view limiterOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::RefusedByUs:
        return "Headway is pacing new connections. ";
    case ErrorKind::Throttled:
        return "The provider is throttling. ";
    case ErrorKind::PlanLimit:
        return "The plan's limit is reached. ";
    default:
        return {};
    }
}

std::string overflowText(const TurnError &error)
{
    std::string text = "prompt is too long: ";
    if (error.tokens && error.maximumTokens)
        return text + std::to_string(*error.tokens) + " tokens > "
            + std::to_string(*error.maximumTokens) + " maximum";
    if (error.tokens)
        return text + std::to_string(*error.tokens) + " tokens > the model's maximum";
    return text + "more tokens than the model's maximum";
}

std::string messageOf(Door door, const TurnError &error, const ClientError &client)
{
    if (error.kind == ErrorKind::ContextOverflow && door == Door::Messages)
        return overflowText(error);
    std::string text(limiterOf(error.kind));
    text += error.message;
    if (text.empty())
        text = error.kind == ErrorKind::ContextOverflow ? overflowText(error)
                                                        : std::string(name(error.kind));
    if (error.kind == ErrorKind::PlanLimit && error.resetsAt)
        text += " It resets at " + wallText(*error.resetsAt)
            + (error.retryAfter ? " (in " + spanText(*error.retryAfter) + ")." : ".");
    if (!client.retrySeconds)
        return text;
    // The words are all that some clients see of the delay.
    const std::string seconds = std::to_string(*client.retrySeconds) + 's';
    text += " (retry after " + seconds + ')';
    if (door != Door::Messages)
        text += " Please try again in " + seconds + '.';
    return text;
}

void addOptional(std::string &out, std::string_view name, const std::string &value)
{
    out += ",\"";
    out += name;
    out += "\":";
    if (value.empty())
        out += "null";
    else
        json::appendQuoted(out, value);
}

// Clients try a request again that is answered 409, and none that is answered 400: what upstream
// said of a request is passed on as it said it. Not what it said of its own connection (407, 421,
// 426 …), which means something else on the client's.
int statusOf(const TurnError &error, int usual)
{
    constexpr std::array ofTheRequest{405, 409, 410, 412, 415, 422, 451};
    const int told = error.upstreamStatus.value_or(0);
    const bool isPassedOn = error.kind == ErrorKind::InvalidRequest
        && std::ranges::find(ofTheRequest, told) != ofTheRequest.end();
    return isPassedOn ? told : usual;
}

} // namespace

ClientError clientError(Door door, const TurnError &error)
{
    const Row &row = rowOf(error.kind);
    ClientError client;
    const bool messages = door == Door::Messages;
    client.status = statusOf(error, messages ? row.messagesStatus : row.responsesStatus);
    client.type = messages ? row.messagesType : row.responsesType;
    client.code = error.code.empty() ? std::string(row.responsesCode) : error.code;
    client.retrySeconds = retrySeconds(door, error);
    client.isFinal = error.kind == ErrorKind::PlanLimit;
    client.message = messageOf(door, error, client);
    return client;
}

std::string messagesErrorBody(const ClientError &error, base::TurnId turn)
{
    std::string body = R"({"type":"error","error":{"type":)";
    json::appendQuoted(body, error.type);
    body += ",\"message\":";
    json::appendQuoted(body, error.message);
    body += "},\"request_id\":";
    json::appendQuoted(body, requestId(turn));
    body += '}';
    return body;
}

std::string responsesErrorObject(const ClientError &client, const TurnError &error)
{
    std::string object = R"({"message":)";
    json::appendQuoted(object, client.message);
    addOptional(object, "type", client.type);
    addOptional(object, "param", error.param);
    addOptional(object, "code", client.code);
    if (error.kind == ErrorKind::PlanLimit && client.retrySeconds)
        object += ",\"resets_in_seconds\":" + std::to_string(*client.retrySeconds);
    if (error.kind == ErrorKind::PlanLimit && error.resetsAt)
        object += ",\"resets_at\":"
            + std::to_string(error.resetsAt->time_since_epoch().count() / 1000);
    object += '}';
    return object;
}

std::string responsesErrorFrame(const ClientError &client, const TurnError &error,
                                base::TurnId turn)
{
    std::string frame = R"({"type":"error","status":)" + std::to_string(client.status);
    frame += ",\"error\":" + responsesErrorObject(client, error);
    frame += ",\"headers\":{\"x-request-id\":" + json::literal(requestId(turn));
    if (client.retrySeconds)
        frame += ",\"retry-after\":\"" + std::to_string(*client.retrySeconds) + '"';
    frame += "}}";
    return frame;
}

} // namespace headway::dialects
