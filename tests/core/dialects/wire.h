// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/dialects/upstreamevent.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>

#include <memory>
#include <string>
#include <vector>

// What the tests of this room share: the client's side of the wire, written with Qt's own JSON.
namespace wire {

using namespace headway;

inline QJsonObject object(std::string_view json)
{
    return QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())))
        .object();
}

inline std::string text(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

inline QJsonObject fields(const dialects::TurnRequest &request)
{
    return object("{" + request.fields + "}");
}

inline QJsonArray items(const dialects::TurnRequest &request)
{
    QJsonArray array;
    for (const std::string_view item : request.input)
        array.append(object(item));
    return array;
}

struct Record
{
    QByteArray type;
    QJsonObject data;
};

// Strict: each record is an event line, a data line and an empty line.
inline QList<Record> records(const std::string &stream, bool *wellFormed = nullptr)
{
    QList<Record> list;
    bool good = true;
    const QByteArray bytes = QByteArray::fromStdString(stream);
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype end = bytes.indexOf("\n\n", at);
        const QList<QByteArray> lines
            = (end < 0 ? bytes.mid(at) : bytes.mid(at, end - at)).split('\n');
        QJsonParseError error;
        if (end >= 0 && lines.size() == 2 && lines[0].startsWith("event: ")
            && lines[1].startsWith("data: "))
        {
            const QJsonDocument document = QJsonDocument::fromJson(lines[1].mid(6), &error);
            good = good && error.error == QJsonParseError::NoError;
            list.append({lines[0].mid(7), document.object()});
        } else {
            good = false;
        }
        at = end < 0 ? bytes.size() : end + 2;
    }
    if (wellFormed != nullptr)
        *wellFormed = good;
    return list;
}

// Reads frames and feeds them to a writer.
class Upstream
{
public:
    dialects::EventReader reader;

    void send(dialects::ReplyWriter &writer, const std::string &frame, std::string &out)
    {
        const auto event = reader.read(frame, frame.size(), base::WallTime{});
        if (event)
            writer.event(*event, out);
    }
    std::string sendAll(dialects::ReplyWriter &writer, const std::vector<std::string> &frames)
    {
        std::string out;
        for (const std::string &frame : frames)
            send(writer, frame, out);
        return out;
    }
};

inline std::string created(const std::string &id = "resp_1")
{
    return R"({"type":"response.created","sequence_number":0,"response":{"id":")" + id
        + R"(","status":"in_progress","output":[]}})";
}

inline std::string added(int index, const std::string &item)
{
    return R"({"type":"response.output_item.added","output_index":)" + std::to_string(index)
        + ",\"item\":" + item + "}";
}

inline std::string done(int index, const std::string &item)
{
    return R"({"type":"response.output_item.done","output_index":)" + std::to_string(index)
        + ",\"item\":" + item + "}";
}

// `literal`: the JSON string literal of the delta.
inline std::string delta(const std::string &type, int index, const std::string &literal,
                         const std::string &more = {})
{
    return R"({"type":"response.)" + type + R"(.delta","output_index":)" + std::to_string(index)
        + more + ",\"delta\":" + literal + "}";
}

inline std::string completed(const std::string &usage = R"({"input_tokens":10,"output_tokens":1})",
                             const std::string &output = "[]")
{
    return R"({"type":"response.completed","response":{"id":"resp_1","status":"completed","output":)"
        + output + ",\"usage\":" + usage + "}}";
}

inline std::string incomplete(const std::string &reason)
{
    return R"({"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete",)"
           R"("incomplete_details":{"reason":")"
        + reason + R"("},"usage":{"input_tokens":10,"output_tokens":9}}})";
}

inline tl::expected<dialects::TurnRequest, dialects::TurnError>
read(const std::string &body, const dialects::ClientHeaders &headers = {})
{
    return dialects::readMessages(std::make_shared<const std::string>(body), headers);
}

// A Messages request with these further members.
inline std::string messagesBody(const std::string &more = {},
                                const std::string &messages = R"([{"role":"user","content":"hi"}])")
{
    return R"({"model":"m","max_tokens":900,"stream":true)" + (more.empty() ? "" : "," + more)
        + ",\"messages\":" + messages + "}";
}

// A message put together as the Anthropic SDK does it: blocks by index, deltas appended, usage and
// stop reason overwritten by message_delta. Independent of the code under test.
struct ClientMessage
{
    QJsonObject message;
    QList<QJsonObject> blocks;
    QStringList inputs; // partial_json by block
    bool stopped = false;
    bool sequential = true; // one block open at a time, indices without gaps
    int open = -1;

    void take(const Record &record)
    {
        const QJsonObject &data = record.data;
        const int index = data[QLatin1String("index")].toInt(-1);
        if (record.type == "message_start") {
            message = data[QLatin1String("message")].toObject();
        } else if (record.type == "content_block_start") {
            sequential = sequential && open < 0 && index == blocks.size();
            open = index;
            blocks.append(data[QLatin1String("content_block")].toObject());
            inputs.append(QString());
        } else if (record.type == "content_block_delta") {
            sequential = sequential && open == index && index < blocks.size();
            if (index >= 0 && index < blocks.size())
                apply(index, data[QLatin1String("delta")].toObject());
        } else if (record.type == "content_block_stop") {
            sequential = sequential && open == index;
            open = -1;
        } else if (record.type == "message_delta") {
            const QJsonObject change = data[QLatin1String("delta")].toObject();
            for (auto it = change.begin(); it != change.end(); ++it)
                message[it.key()] = it.value();
            message[QLatin1String("usage")] = data[QLatin1String("usage")];
        } else if (record.type == "message_stop") {
            stopped = true;
        }
    }

    void apply(int index, const QJsonObject &delta)
    {
        const auto append = [&](QLatin1String name) {
            blocks[index][name] = QString(blocks[index][name].toString() + delta[name].toString());
        };
        const QString type = delta[QLatin1String("type")].toString();
        if (type == QLatin1String("text_delta"))
            append(QLatin1String("text"));
        else if (type == QLatin1String("thinking_delta"))
            append(QLatin1String("thinking"));
        else if (type == QLatin1String("signature_delta"))
            append(QLatin1String("signature"));
        else if (type == QLatin1String("input_json_delta"))
            inputs[index] += delta[QLatin1String("partial_json")].toString();
    }

    // As the client sends it back in its next request.
    QJsonObject echo() const
    {
        QJsonArray content;
        for (int i = 0; i < blocks.size(); ++i) {
            QJsonObject block = blocks[i];
            if (!inputs[i].isEmpty())
                block[QLatin1String("input")]
                    = QJsonDocument::fromJson(inputs[i].toUtf8()).object();
            content.append(block);
        }
        return {{QLatin1String("role"), QLatin1String("assistant")},
                {QLatin1String("content"), content}};
    }
};

inline ClientMessage assembled(const std::string &stream)
{
    ClientMessage message;
    for (const Record &record : records(stream))
        message.take(record);
    return message;
}

} // namespace wire
