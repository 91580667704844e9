// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/chaincontext.h"

#include "proxy/simulator/inputrules.h"
#include "proxy/simulator/jsontext.h"

#include <QRegularExpression>

#include <algorithm>

namespace headway::simulator {

namespace {

QByteArray quotedOrNull(const QByteArray &text)
{
    return text.isEmpty() ? QByteArrayLiteral("null") : quoted(QString::fromUtf8(text));
}

QString typeOf(const QJsonObject &item)
{
    const QString type = item.value(QLatin1String("type")).toString();
    return type.isEmpty() && item.contains(QLatin1String("role")) ? QStringLiteral("message")
                                                                  : type;
}

// "function_call" is answered by "function_call_output", "tool_search_call" by
// "tool_search_output".
QString outputTypeOf(const QString &callType)
{
    return callType == QLatin1String("tool_search_call") ? QStringLiteral("tool_search_output")
                                                         : callType + QStringLiteral("_output");
}

QByteArray words(const QString &itemType)
{
    return QString(itemType).replace(u'_', u' ').toUtf8();
}

QString textOf(const QJsonObject &message)
{
    const QJsonValue content = message.value(QLatin1String("content"));
    if (content.isString())
        return content.toString();
    QString text;
    for (const QJsonValue &part : content.toArray())
        text += part.toObject().value(QLatin1String("text")).toString() + u'\n';
    return text;
}

bool isModelItem(const QString &type, const QJsonObject &item)
{
    return type == QLatin1String("reasoning") || type.endsWith(QLatin1String("_call"))
        || (type == QLatin1String("message")
            && item.value(QLatin1String("role")).toString() == QLatin1String("assistant"));
}

std::optional<ApiError> pairCall(ChainContext &context, const QString &type,
                                 const QJsonObject &item)
{
    const QString id = item.value(QLatin1String("call_id")).toString();
    if (id.isEmpty())
        return std::nullopt; // a call that the provider runs itself
    if (type.endsWith(QLatin1String("_call"))) {
        if (context.calls.contains(id))
            return badRequest("Duplicate call_id '" + id.toUtf8() + "' found in input.", "input");
        context.calls.insert(id, type);
        context.open.insert(id);
        return std::nullopt;
    }
    const QString call = context.calls.value(id);
    if (call.isEmpty() || outputTypeOf(call) != type)
        return badRequest("No tool call found for " + words(type) + " with call_id " + id.toUtf8()
                              + '.',
                          "input");
    if (!context.open.remove(id))
        return badRequest("Duplicate output found for call_id " + id.toUtf8() + '.', "input");
    return std::nullopt;
}

void notePlace(ChainContext &context, const QString &type, const QJsonObject &item)
{
    static const QRegularExpression subagent(QStringLiteral("SUBAGENT-[0-9]+"));
    const bool model = isModelItem(type, item);
    if (model && !context.endsWithModel)
        ++context.modelTurns;
    if (model)
        context.lastUserText.clear();
    context.endsWithModel = model;
    const bool output = type.endsWith(QLatin1String("_output"));
    const QString role = item.value(QLatin1String("role")).toString();
    // A reminder after the output does not change that the output is what waits for an answer.
    context.endsWithToolOutput
        = output || (context.endsWithToolOutput && role != QLatin1String("user") && !model);
    if (type != QLatin1String("message") || role != QLatin1String("user"))
        return;
    const QString text = textOf(item);
    context.lastUserText += text + u'\n';
    if (context.modelTurns == 0 && text.contains(subagent))
        context.isSubagent = true;
}

} // namespace

QByteArray ApiError::object() const
{
    return "{\"type\":" + quoted(QString::fromUtf8(type)) + ",\"code\":" + quotedOrNull(code)
        + ",\"message\":" + quoted(QString::fromUtf8(message)) + ",\"param\":" + quotedOrNull(param)
        + '}';
}

QByteArray ApiError::frame(const QByteArray &lane) const
{
    QByteArray text = "{\"type\":\"error\",\"status\":" + QByteArray::number(status);
    if (!lane.isEmpty())
        text += ",\"stream_id\":" + quoted(QString::fromUtf8(lane));
    text += ",\"sequence_number\":0,\"error\":" + object();
    if (retryAfterSeconds)
        text += ",\"headers\":{\"retry-after\":\"" + QByteArray::number(*retryAfterSeconds) + "\"}";
    return text + '}';
}

ApiError badRequest(const QByteArray &message, const QByteArray &param, const QByteArray &code)
{
    ApiError error;
    error.message = message;
    error.param = param;
    error.code = code;
    return error;
}

qsizetype estimateTokens(const QJsonArray &items)
{
    return items.isEmpty() ? 0 : compactJson(items).size() / 4;
}

std::optional<ApiError> appendInput(ChainContext &context, const QJsonArray &items,
                                    const Mint &mint)
{
    for (qsizetype i = 0; i < items.size(); ++i) {
        const QByteArray path = "input[" + QByteArray::number(i) + ']';
        if (!items.at(i).isObject())
            return badRequest("Invalid type for '" + path + "': expected an object.", path,
                              "invalid_type");
        const QJsonObject item = items.at(i).toObject();
        const QString type = typeOf(item);
        if (const auto error = checkItem(item, type, path, mint))
            return error;
        if (type == QLatin1String("reasoning")) {
            const QJsonObject next = items.at(i + 1).toObject();
            if (!isModelItem(typeOf(next), next))
                return badRequest("Item '" + item.value(QLatin1String("id")).toString().toUtf8()
                                      + "' of type 'reasoning' was provided without its required "
                                        "following item.",
                                  "input");
        }
        if (const auto error = pairCall(context, type, item))
            return error;
        if (type == QLatin1String("additional_tools")) {
            for (const QJsonValue &tool : item.value(QLatin1String("tools")).toArray())
                context.addedTools.append(tool);
        }
        notePlace(context, type, item);
    }
    context.tokens += estimateTokens(items);
    return std::nullopt;
}

void appendOutput(ChainContext &context, const QJsonArray &items)
{
    for (const QJsonValue &value : items) {
        const QJsonObject item = value.toObject();
        const QString type = typeOf(item);
        (void)pairCall(context, type, item);
        notePlace(context, type, item);
    }
    context.tokens += estimateTokens(items);
}

std::optional<ApiError> checkAnswered(const ChainContext &context)
{
    if (context.open.isEmpty())
        return std::nullopt;
    const QString id = *std::min_element(context.open.cbegin(), context.open.cend());
    return badRequest("No tool output found for " + words(context.calls.value(id)) + ' '
                          + id.toUtf8() + '.',
                      "input");
}

} // namespace headway::simulator
