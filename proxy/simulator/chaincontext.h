// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/mint.h"

#include <QByteArray>
#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QString>

#include <optional>

namespace headway::simulator {

// How the provider refuses: the `error` object of the REST API and of error frames.
struct ApiError
{
    int status = 400;
    QByteArray type = QByteArrayLiteral("invalid_request_error");
    QByteArray code; // empty: null
    QByteArray message;
    QByteArray param; // empty: null
    std::optional<int> retryAfterSeconds; // also as headers{"retry-after"}

    // The object, without the frame around it.
    [[nodiscard]] QByteArray object() const;
    // {"type":"error","status":…,"error":{…},"headers":{…}?}; `lane` empty: no stream_id.
    [[nodiscard]] QByteArray frame(const QByteArray &lane) const;
};

[[nodiscard]] ApiError badRequest(const QByteArray &message, const QByteArray &param,
                                  const QByteArray &code = {});

// What the provider keeps of a conversation: enough to judge the next input, not the texts. Value
// type: a fork copies it.
struct ChainContext
{
    QHash<QString, QString> calls; // call id → item type, all that were ever made
    QSet<QString> open; // calls without an output
    qsizetype tokens = 0; // of everything up to here, about 4 characters each
    int modelTurns = 0; // runs of model items
    bool endsWithModel = false; // the newest item is the model's
    bool endsWithToolOutput = false;
    bool isSubagent = false; // its first user messages carry SUBAGENT-n
    QString lastUserText; // of the user items after the newest model item
    QJsonArray addedTools; // from additional_tools items
    QByteArray settings; // digest of what a cached prompt depends on: tools and effort
};

// Appends input items in order and says what the real provider would say against them: shapes, call
// pairing, duplicate ids, reasoning that it did not make. Open calls are judged by the caller, at
// the end. Source: protocols.md 1.4, 3.1.
[[nodiscard]] std::optional<ApiError> appendInput(ChainContext &context, const QJsonArray &items,
                                                  const Mint &mint);

// Appends what the model said.
void appendOutput(ChainContext &context, const QJsonArray &items);

// Open calls are an error for the turn that follows them.
[[nodiscard]] std::optional<ApiError> checkAnswered(const ChainContext &context);

[[nodiscard]] qsizetype estimateTokens(const QJsonArray &items);

} // namespace headway::simulator
