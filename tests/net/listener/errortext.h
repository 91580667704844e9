// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/net/listener/rawclient.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace headway::net {

// What is wrong with an error reply, or nothing: the object of the dialect (Anthropic:
// {"type":"error","error":{"type","message"},"request_id"}, OpenAI: {"error":{"message","type",
// "param","code"}}), a message with `words` in it, and the request id in a header.
inline QByteArray errorFault(const Reply &reply, bool anthropic, const QByteArray &words)
{
    const QJsonDocument document = QJsonDocument::fromJson(reply.body);
    const QJsonObject error = document[QStringLiteral("error")].toObject();
    const QByteArray id = reply.header("request-id");
    if (reply.header("content-type") != "application/json")
        return "not announced as JSON: " + reply.head;
    if (!id.startsWith("req_"))
        return "no request id: " + reply.head;
    if (anthropic
        && (document[QStringLiteral("type")].toString() != QLatin1String("error")
            || document[QStringLiteral("request_id")].toString().toUtf8() != id))
        return "not Anthropic's error: " + reply.body;
    if (!anthropic
        && (!error.contains(QStringLiteral("param")) || !error.contains(QStringLiteral("code"))
            || reply.header("x-request-id") != id))
        return "not OpenAI's error: " + reply.body;
    if (error[QStringLiteral("type")].toString().isEmpty())
        return "no type: " + reply.body;
    if (!error[QStringLiteral("message")].toString().toUtf8().contains(words))
        return "the message does not say \"" + words + "\": " + reply.body;
    return {};
}

} // namespace headway::net
