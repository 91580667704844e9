// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/clienterror.h"
#include "proxy/core/dialects/modeltable.h"
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

// Where the provider states nothing: clients need a number.
constexpr std::uint64_t largestOutput = 128'000;

Headers jsonHeaders(base::TurnId turn)
{
    const std::string id = requestId(turn);
    return {{"Content-Type", "application/json"}, {"request-id", id}, {"x-request-id", id}};
}

std::string anthropicModel(const std::string &model)
{
    std::string out = R"({"type":"model","id":)" + json::literal(model);
    out += ",\"display_name\":" + json::literal(model);
    out += R"(,"created_at":"1970-01-01T00:00:00Z","max_input_tokens":)";
    out += std::to_string(statedWindow(model));
    out += ",\"max_tokens\":" + std::to_string(largestOutput) + '}';
    return out;
}

std::string openaiModel(const std::string &model)
{
    return R"({"id":)" + json::literal(model)
        + R"(,"object":"model","created":0,"owned_by":"headway"})";
}

bool speaksAnthropic(const ClientHeaders &headers)
{
    return !headers.value("anthropic-version").empty();
}

std::string joined(const std::vector<std::string> &models, std::string (*one)(const std::string &))
{
    std::string out;
    for (const std::string &model : models) {
        out += out.empty() ? "" : ",";
        out += one(model);
    }
    return out;
}

std::string anthropicModels(const std::vector<std::string> &models)
{
    std::string out = R"({"data":[)" + joined(models, anthropicModel) + R"(],"has_more":false)";
    out += ",\"first_id\":" + (models.empty() ? "null" : json::literal(models.front()));
    out += ",\"last_id\":" + (models.empty() ? "null" : json::literal(models.back())) + '}';
    return out;
}

} // namespace

std::string requestId(base::TurnId turn)
{
    constexpr std::string_view hex = "0123456789abcdef";
    std::string id = "req_";
    for (int shift = 60; shift >= 0; shift -= 4)
        id += hex[(turn.value() >> static_cast<unsigned>(shift)) & 0xFU];
    return id;
}

std::vector<std::pair<std::string, std::string>> streamHeaders(Door /*door*/, base::TurnId turn)
{
    const std::string id = requestId(turn);
    return {{"Content-Type", "text/event-stream; charset=utf-8"},
            {"Cache-Control", "no-cache"},
            {"X-Accel-Buffering", "no"},
            {"request-id", id},
            {"x-request-id", id}};
}

Answer errorAnswer(Door door, const TurnError &error, base::TurnId turn)
{
    const ClientError client = clientError(door, error);
    Answer answer{.status = client.status, .headers = jsonHeaders(turn), .body = {}};
    if (client.retrySeconds)
        answer.headers.emplace_back("Retry-After", std::to_string(*client.retrySeconds));
    if (client.isFinal) {
        answer.headers.emplace_back("x-should-retry", "false");
        answer.headers.emplace_back("anthropic-ratelimit-unified-status", "rejected");
        if (error.resetsAt)
            answer.headers.emplace_back(
                "anthropic-ratelimit-unified-reset",
                std::to_string(error.resetsAt->time_since_epoch().count() / 1000));
    }
    if (door == Door::Messages)
        answer.body = messagesErrorBody(client, turn);
    else if (door != Door::ResponsesSocket)
        answer.body = "{\"error\":" + responsesErrorObject(client, error) + '}';
    else
        answer.body = responsesErrorFrame(client, error, turn);
    return answer;
}

Answer countAnswer(std::uint64_t tokens, base::TurnId turn)
{
    return {.status = 200,
            .headers = jsonHeaders(turn),
            .body = "{\"input_tokens\":" + std::to_string(tokens) + '}'};
}

Answer modelsAnswer(const std::vector<std::string> &models, const ClientHeaders &headers,
                    base::TurnId turn)
{
    Answer answer{.status = 200, .headers = jsonHeaders(turn), .body = {}};
    answer.body = speaksAnthropic(headers)
        ? anthropicModels(models)
        : R"({"object":"list","data":[)" + joined(models, openaiModel) + "]}";
    return answer;
}

Answer modelAnswer(const std::string &model, const ClientHeaders &headers, base::TurnId turn)
{
    return {.status = 200,
            .headers = jsonHeaders(turn),
            .body = speaksAnthropic(headers) ? anthropicModel(model) : openaiModel(model)};
}

} // namespace headway::dialects
