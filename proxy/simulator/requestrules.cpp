// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/requestrules.h"

#include "proxy/simulator/inputrules.h"
#include "proxy/simulator/jsontext.h"
#include "proxy/simulator/toolrules.h"

#include <QCryptographicHash>

namespace headway::simulator {

namespace {

using Checked = std::optional<ApiError>;

constexpr auto createFields
    = "type access_programs background background_options client_metadata context_management "
      "conversation generate image include input instructions max_output_tokens max_tool_calls "
      "metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key "
      "prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store "
      "stream stream_id stream_options temperature text tool_choice tools top_logprobs top_p "
      "truncation user";

enum class Kind { Text, Boolean, Number, Object, Array };

struct FieldType
{
    const char *name;
    Kind kind;
    const char *words;
};

constexpr FieldType fieldTypes[] = {
    {"model", Kind::Text, "a string"},
    {"instructions", Kind::Text, "a string"},
    {"previous_response_id", Kind::Text, "a string"},
    {"prompt_cache_key", Kind::Text, "a string"},
    {"safety_identifier", Kind::Text, "a string"},
    {"service_tier", Kind::Text, "a string"},
    {"store", Kind::Boolean, "a boolean"},
    {"stream", Kind::Boolean, "a boolean"},
    {"generate", Kind::Boolean, "a boolean"},
    {"parallel_tool_calls", Kind::Boolean, "a boolean"},
    {"max_output_tokens", Kind::Number, "an integer"},
    {"temperature", Kind::Number, "a number"},
    {"top_p", Kind::Number, "a number"},
    {"reasoning", Kind::Object, "an object"},
    {"text", Kind::Object, "an object"},
    {"metadata", Kind::Object, "an object"},
    {"client_metadata", Kind::Object, "an object"},
    {"include", Kind::Array, "an array"},
    {"tools", Kind::Array, "an array"},
};

bool isKind(const QJsonValue &value, Kind kind)
{
    switch (kind) {
    case Kind::Text:
        return value.isString();
    case Kind::Boolean:
        return value.isBool();
    case Kind::Number:
        return value.isDouble();
    case Kind::Object:
        return value.isObject();
    case Kind::Array:
        return value.isArray();
    }
    return false;
}

Checked checkTypes(const QJsonObject &request)
{
    for (const FieldType &field : fieldTypes) {
        const QJsonValue value = request.value(QLatin1String(field.name));
        if (value.isUndefined() || value.isNull() || isKind(value, field.kind))
            continue;
        return badRequest("Invalid type for '" + QByteArray(field.name) + "': expected "
                              + field.words + '.',
                          field.name, "invalid_type");
    }
    return std::nullopt;
}

ApiError unsupported(const char *name)
{
    return badRequest("Unsupported parameter: '" + QByteArray(name) + "'.", name,
                      "unsupported_parameter");
}

Checked checkPlanEndpoint(const QJsonObject &request, const RequestRules &rules)
{
    if (request.value(QLatin1String("store")).toBool(true))
        return badRequest("Store must be set to false", "store");
    if (!rules.overWebSocket && request.contains(QLatin1String("previous_response_id")))
        return unsupported("previous_response_id");
    for (const char *name :
         {"max_output_tokens", "temperature", "top_p", "truncation", "user", "metadata"})
    {
        if (request.contains(QLatin1String(name)))
            return unsupported(name);
    }
    return std::nullopt;
}

ApiError tooLong(const char *name, int maximum)
{
    return badRequest("Invalid '" + QByteArray(name)
                          + "': string too long. Expected a string with maximum length "
                          + QByteArray::number(maximum) + '.',
                      name, "string_above_max_length");
}

Checked checkEffort(const QJsonObject &reasoning)
{
    static const QByteArrayList efforts
        = QByteArray("none minimal low medium high xhigh max").split(' ');
    const QJsonValue effort = reasoning.value(QLatin1String("effort"));
    if (effort.isUndefined() || effort.isNull() || efforts.contains(effort.toString().toUtf8()))
        return std::nullopt;
    return badRequest("Invalid value: '" + effort.toString().toUtf8()
                          + "'. Supported values are: " + efforts.join(", ") + '.',
                      "reasoning.effort", "invalid_value");
}

Checked checkValues(const QJsonObject &request)
{
    if (request.value(QLatin1String("model")).toString().isEmpty())
        return badRequest("Missing required parameter: 'model'.", "model",
                          "missing_required_parameter");
    if (request.value(QLatin1String("background")).toBool())
        return unsupported("background");
    if (request.value(QLatin1String("max_output_tokens")).toDouble(16) < 16)
        return badRequest(
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value "
            ">= 16.",
            "max_output_tokens", "integer_below_min_value");
    for (const char *name : {"prompt_cache_key", "safety_identifier"}) {
        if (request.value(QLatin1String(name)).toString().size() > 64)
            return tooLong(name, 64);
    }
    if (request.value(QLatin1String("metadata")).toObject().size() > 16)
        return badRequest("Invalid 'metadata': too many properties. Expected at most 16.",
                          "metadata", "object_above_max_properties");
    if (request.contains(QLatin1String("conversation"))
        && request.contains(QLatin1String("previous_response_id")))
        return badRequest(
            "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.",
            "previous_response_id", "mutually_exclusive_parameters");
    return checkEffort(request.value(QLatin1String("reasoning")).toObject());
}

// What a cached prompt depends on besides the input (protocols.md 1.4: changing it gives 0 cached).
QByteArray settingsDigest(const QJsonObject &request)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const char *name : {"tools", "reasoning", "model", "text", "parallel_tool_calls"}) {
        hash.addData(compactJson(request.value(QLatin1String(name))));
    }
    return hash.result();
}

QJsonArray inputItems(const QJsonValue &input)
{
    if (!input.isString())
        return input.toArray();
    return {QJsonObject{{QStringLiteral("type"), QStringLiteral("message")},
                        {QStringLiteral("role"), QStringLiteral("user")},
                        {QStringLiteral("content"), input}}};
}

} // namespace

Checked checkFields(const QJsonObject &request, const RequestRules &rules)
{
    if (auto error = checkKeys(request, createFields, {}))
        return error;
    if (request.contains(QLatin1String("stream_id")) && (!rules.overWebSocket || !rules.lanes))
        return badRequest("Unknown parameter: 'stream_id'.", "stream_id", "unknown_parameter");
    if (auto error = checkTypes(request))
        return error;
    if (rules.planEndpoint) {
        if (auto error = checkPlanEndpoint(request, rules))
            return error;
    }
    if (auto error = checkValues(request))
        return error;
    const QJsonArray tools = request.value(QLatin1String("tools")).toArray();
    if (auto error = checkTools(tools))
        return error;
    if (auto error = checkToolChoice(request.value(QLatin1String("tool_choice")), tools))
        return error;
    return checkTextFormat(request.value(QLatin1String("text")).toObject());
}

tl::expected<AcceptedTurn, ApiError> acceptTurn(const QJsonObject &request,
                                                const ChainContext *parent, bool parentCached,
                                                const Mint &mint)
{
    const QJsonValue input = request.value(QLatin1String("input"));
    if (!input.isUndefined() && !input.isString() && !input.isArray())
        return tl::unexpected(badRequest("Invalid type for 'input': expected a string or an array.",
                                         "input", "invalid_type"));
    AcceptedTurn turn;
    turn.request = request;
    turn.generate = request.value(QLatin1String("generate")).toBool(true);
    const QJsonArray items = inputItems(input);
    if (items.isEmpty() && !parent && turn.generate)
        return tl::unexpected(
            badRequest("One of \"input\" or \"previous_response_id\" or 'prompt' or "
                       "'conversation' must be provided.",
                       "input", "missing_required_parameter"));
    const QJsonArray tools = request.value(QLatin1String("tools")).toArray();
    if (parent)
        turn.context = *parent;
    else
        turn.context.tokens = estimateTokens(tools)
            + request.value(QLatin1String("instructions")).toString().size() / 4;
    if (auto error = appendInput(turn.context, items, mint))
        return tl::unexpected(*error);
    if (auto error = checkAnswered(turn.context))
        return tl::unexpected(*error);
    const QByteArray settings = settingsDigest(request);
    if (parent && parentCached && parent->settings == settings)
        turn.cachedTokens = parent->tokens;
    turn.context.settings = settings;
    turn.inputTokens = turn.context.tokens;
    turn.tools = tools;
    for (const QJsonValue &tool : turn.context.addedTools)
        turn.tools.append(tool);
    return turn;
}

} // namespace headway::simulator
