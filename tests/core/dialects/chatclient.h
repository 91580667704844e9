// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/dialects/wire.h"

// The client's side of chat completions, independent of the code under test.
namespace chatclient {

// Strict: each record is one data line and an empty line; the last one is [DONE].
inline QList<QJsonObject> chunks(const std::string &stream, bool *done = nullptr)
{
    QList<QJsonObject> list;
    bool ended = false;
    for (const QByteArray &record : QByteArray::fromStdString(stream).split('\n')) {
        if (record.isEmpty())
            continue;
        if (record == "data: [DONE]")
            ended = true;
        else if (record.startsWith("data: ") && !ended)
            list.append(QJsonDocument::fromJson(record.mid(6)).object());
        else
            qFatal("not a record: %s", record.constData());
    }
    if (done != nullptr)
        *done = ended;
    return list;
}

// A message put together as the OpenAI SDKs do it: deltas appended, calls by their index.
struct ClientCompletion
{
    QJsonObject message{{QLatin1String("role"), QLatin1String("assistant")}};
    QJsonArray calls;
    QString finishReason;
    QString reasoning; // shown, and not sent back
    QJsonObject usage;
    bool done = false;

    explicit ClientCompletion(const std::string &stream)
    {
        for (const QJsonObject &chunk : chunks(stream, &done))
            take(chunk);
        if (!calls.isEmpty())
            message[QLatin1String("tool_calls")] = calls;
    }

    void take(const QJsonObject &chunk)
    {
        if (chunk[QLatin1String("usage")].isObject())
            usage = chunk[QLatin1String("usage")].toObject();
        const QJsonArray choices = chunk[QLatin1String("choices")].toArray();
        if (choices.isEmpty())
            return;
        const QJsonObject choice = choices[0].toObject();
        if (choice[QLatin1String("finish_reason")].isString())
            finishReason = choice[QLatin1String("finish_reason")].toString();
        const QJsonObject delta = choice[QLatin1String("delta")].toObject();
        reasoning += delta[QLatin1String("reasoning_content")].toString();
        for (const QLatin1String name : {QLatin1String("content"), QLatin1String("refusal")}) {
            if (!delta[name].toString().isEmpty())
                message[name] = QString(message[name].toString() + delta[name].toString());
        }
        for (const QJsonValue call : delta[QLatin1String("tool_calls")].toArray())
            takeCall(call.toObject());
    }

    void takeCall(const QJsonObject &call)
    {
        const int index = call[QLatin1String("index")].toInt(-1);
        if (index == calls.size()) {
            QJsonObject first = call;
            first.remove(QLatin1String("index"));
            calls.append(first);
            return;
        }
        if (index < 0 || index > calls.size())
            qFatal("a call out of order");
        QJsonObject known = calls[index].toObject();
        for (const QLatin1String kind : {QLatin1String("function"), QLatin1String("custom")}) {
            QJsonObject what = known.value(kind).toObject();
            for (const QLatin1String name : {QLatin1String("arguments"), QLatin1String("input")}) {
                const QString piece = call[kind][name].toString();
                if (!piece.isEmpty())
                    what[name] = QString(what[name].toString() + piece);
            }
            if (!what.isEmpty())
                known[kind] = what;
        }
        calls[index] = known;
    }
};

} // namespace chatclient
