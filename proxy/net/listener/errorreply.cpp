// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/errorreply.h"

#include "proxy/core/base/random.h"
#include "proxy/core/json/quote.h"
#include "proxy/net/listener/replyhead.h"

#include <chrono>
#include <cstdint>

namespace headway::net {
namespace {

std::string_view anthropicType(int status)
{
    switch (status) {
    case 401:
        return "authentication_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 413:
        return "request_too_large";
    case 503:
        return "api_error"; // overloaded_error would stop Claude Code's retries early
    default:
        return "invalid_request_error";
    }
}

std::string_view openAiType(int status)
{
    return status >= 500 && status != 505 ? "server_error" : "invalid_request_error";
}

} // namespace

std::string errorBody(ErrorDialect dialect, const Refusal &refusal, std::string_view requestId)
{
    std::string out;
    if (dialect == ErrorDialect::Anthropic) {
        out += R"({"type":"error","error":{"type":)";
        json::appendQuoted(out, anthropicType(refusal.status));
        out += R"(,"message":)";
        json::appendQuoted(out, refusal.message);
        out += R"(},"request_id":)";
        json::appendQuoted(out, requestId);
        out += '}';
        return out;
    }
    out += R"({"error":{"message":)";
    json::appendQuoted(out, refusal.message);
    out += R"(,"type":)";
    json::appendQuoted(out, openAiType(refusal.status));
    out += R"(,"param":null,"code":)";
    if (refusal.code.empty())
        out += "null";
    else
        json::appendQuoted(out, refusal.code);
    out += "}}";
    return out;
}

void appendRefusal(std::string &out, const Refusal &refusal, const RefusalPlan &plan)
{
    const std::string id = newRequestId();
    const std::string body = errorBody(plan.dialect, refusal, id);
    HeaderFields headers{{"content-type", "application/json"}, {"request-id", id}};
    if (plan.dialect == ErrorDialect::OpenAi)
        headers.emplace_back("x-request-id", id);
    headers.insert(headers.end(), refusal.headers.begin(), refusal.headers.end());
    appendReplyHead(out,
                    {.status = refusal.status,
                     .length = body.size(),
                     .isHttp10 = plan.isHttp10,
                     .keepAlive = plan.keepAlive},
                    headers);
    if (!plan.isHead)
        out += body;
}

std::string newRequestId()
{
    static base::Random random(
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr int digitCount = 24;
    constexpr int digitsPerWord = 16;
    std::string id = "req_";
    std::uint64_t bits = 0;
    for (int i = 0; i != digitCount; ++i) {
        if (i % digitsPerWord == 0)
            bits = random.next();
        id += digits[bits & 0xFU];
        bits >>= 4U;
    }
    return id;
}

} // namespace headway::net
