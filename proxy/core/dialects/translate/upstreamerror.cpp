// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/upstreamerror.h"

#include "proxy/core/dialects/translate/errorkind.h"
#include "proxy/core/dialects/translate/retryhint.h"
#include "proxy/core/pacing/backoff.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headway::dialects {

namespace {

using json::Value;

bool sameName(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return a.size() == b.size()
        && std::equal(a.begin(), a.end(), b.begin(),
                      [&lower](char x, char y) { return lower(x) == lower(y); });
}

std::string scalarText(const Value &value)
{
    if (value.isString())
        return value.text();
    return value.kind() == json::Kind::Number ? std::string(value.raw()) : std::string();
}

// A number, also where it is spelled as a string.
std::optional<double> numberOf(const Value &value)
{
    if (!value.isString())
        return value.number();
    const std::string text = value.text();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

template <typename Fields, typename NameOf, typename TextOf>
std::optional<base::Milliseconds> delayInHeaders(const Fields &fields, NameOf nameOf, TextOf textOf,
                                                 base::WallTime now)
{
    std::optional<base::Milliseconds> delay;
    for (const auto &field : fields) {
        if (sameName(nameOf(field), "retry-after-ms")) {
            if (const auto exact = pacing::parseRetryAfterMs(textOf(field)))
                return exact;
        }
        if (sameName(nameOf(field), "retry-after") && !delay)
            delay = pacing::parseRetryAfter(textOf(field), now);
    }
    return delay;
}

std::optional<base::Milliseconds> delayInHeaderObject(const Value &headers, base::WallTime now)
{
    if (!headers.isObject())
        return std::nullopt;
    return delayInHeaders(
        headers, [](const Value &field) { return field.keyBody(); },
        [](const Value &field) { return scalarText(field); }, now);
}

std::optional<base::WallTime> resetTime(const Value &error)
{
    const auto seconds = numberOf(error["resets_at"]);
    // A unix time in seconds; anything else is not a reset time.
    if (!seconds || *seconds < 1e9 || *seconds > 1e11)
        return std::nullopt;
    return base::WallTime(base::Milliseconds(static_cast<std::int64_t>(*seconds * 1000)));
}

std::optional<base::Milliseconds> delayInBody(const Value &error, base::WallTime now)
{
    constexpr std::array<std::string_view, 3> fields{"retry_after_seconds", "retry_after",
                                                     "resets_in_seconds"};
    if (const auto exact = numberOf(error["retry_after_ms"]))
        return delayOfSeconds(*exact / 1000);
    for (const std::string_view field : fields) {
        if (const auto seconds = numberOf(error[field]))
            return delayOfSeconds(*seconds);
    }
    if (const auto at = resetTime(error))
        return delayOfSeconds(std::max(0.0, std::chrono::duration<double>(*at - now).count()));
    return std::nullopt;
}

void addCounts(TurnError &error)
{
    if (error.kind != ErrorKind::ContextOverflow)
        return;
    if (const auto counts = tokensInText(error.message)) {
        error.tokens = counts->first;
        error.maximumTokens = counts->second;
    }
}

TurnError readErrorObject(const Value &object, std::optional<int> status)
{
    TurnError error;
    error.message = scalarText(object["message"]);
    error.code = scalarText(object["code"]);
    // In the flat shape the type says only that it is an error.
    if (!object["type"].is("error"))
        error.type = scalarText(object["type"]);
    error.param = scalarText(object["param"]);
    error.upstreamStatus = status;
    error.kind = errorKind(error.code, error.type, status, error.message);
    if (error.kind == ErrorKind::UpstreamFailed && error.message.empty())
        error.message = "The provider failed without saying why.";
    addCounts(error);
    return error;
}

std::optional<int> statusOf(const Value &frame)
{
    for (const std::string_view name : {"status", "status_code"}) {
        const auto status = frame[name].integer();
        if (status && *status >= 100 && *status <= 999)
            return static_cast<int>(*status);
    }
    return std::nullopt;
}

} // namespace

TurnError readUpstreamError(json::Value holder, base::WallTime now)
{
    const Value inner = holder["error"];
    const Value object = inner.isObject() ? inner : holder;
    TurnError error = readErrorObject(object, statusOf(holder));
    if (inner.isString() && error.message.empty())
        error.message = inner.text();
    error.resetsAt = resetTime(object);
    error.retryAfter = delayInHeaderObject(holder["headers"], now);
    if (!error.retryAfter)
        error.retryAfter = delayInHeaderObject(object["headers"], now);
    if (!error.retryAfter)
        error.retryAfter = delayInBody(object, now);
    if (!error.retryAfter)
        error.retryAfter = delayInText(error.message);
    if (error.kind == ErrorKind::PlanLimit && !error.resetsAt && error.retryAfter)
        error.resetsAt = now + *error.retryAfter;
    return error;
}

TurnError readHttpError(int status, const HeaderList &headers, std::string_view body,
                        base::WallTime now)
{
    json::Document document;
    const bool isJson = !document.read(body).has_value();
    TurnError error = readUpstreamError(isJson ? document.root() : Value(), now);
    error.upstreamStatus = status;
    error.kind = errorKind(error.code, error.type, status, error.message);
    addCounts(error);
    const auto delay = delayInHeaders(
        headers, [](const auto &field) { return std::string_view(field.first); },
        [](const auto &field) { return std::string_view(field.second); }, now);
    if (delay)
        error.retryAfter = delay;
    return error;
}

} // namespace headway::dialects
