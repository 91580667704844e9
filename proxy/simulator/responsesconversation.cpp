// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/responsesconversation.h"

#include "proxy/simulator/jsontext.h"
#include "proxy/simulator/messagesconversation.h"

#include <QJsonDocument>

namespace headway::simulator {

namespace {

constexpr auto tools
    = R"([{"type":"function","name":"exec_command","description":"Runs a command.","strict":false,"parameters":{"type":"object","properties":{"cmd":{"type":"string"},"workdir":{"type":"string"}},"required":["cmd"],"additionalProperties":false}}])";

QByteArray messageItem(const char *role, const QString &text)
{
    return "{\"type\":\"message\",\"role\":\"" + QByteArray(role)
        + "\",\"content\":[{\"type\":\"input_text\",\"text\":" + quoted(text) + "}]}";
}

} // namespace

ResponsesConversation::ResponsesConversation(const AgentIdentity &identity)
    : m_identity(identity)
{
    m_history = messageItem("developer",
                            QStringLiteral("You are a simulated coding agent. You read files, run "
                                           "commands and change a few lines at a time. ")
                                .repeated(20));
}

QString ResponsesConversation::threadId() const
{
    return m_identity.agentId.isEmpty() ? m_identity.sessionId : m_identity.agentId;
}

QByteArray ResponsesConversation::path() const
{
    return "/v1/responses";
}

QByteArray ResponsesConversation::headers() const
{
    QByteArray lines = "x-client-request-id: " + threadId().toUtf8() + "\r\nsession-id: "
        + m_identity.sessionId.toUtf8() + "\r\nthread-id: " + threadId().toUtf8()
        + "\r\naccept: text/event-stream\r\ncontent-type: application/json\r\n"
          "originator: codex_exec\r\nuser-agent: codex_exec/0.171.0 (simulated)\r\n";
    if (!m_identity.key.isEmpty())
        lines += "authorization: Bearer " + m_identity.key.toUtf8() + "\r\n";
    return lines;
}

QByteArray ResponsesConversation::body() const
{
    QByteArray input = m_history;
    for (const QByteArray &item : m_pending)
        input += ',' + item;
    return "{\"model\":" + quoted(m_identity.model) + ",\"stream\":true,\"input\":[" + input
        + "],\"tools\":" + tools
        + ",\"tool_choice\":\"auto\",\"parallel_tool_calls\":true,\"reasoning\":{\"effort\":"
          "\"medium\",\"summary\":\"auto\"},\"store\":false,\"include\":[\"reasoning.encrypted_"
          "content\"],\"prompt_cache_key\":"
        + quoted(threadId()) + ",\"text\":{\"verbosity\":\"medium\"}}";
}

void ResponsesConversation::addPrompt(const QString &text)
{
    m_pending.push_back(messageItem("user", text));
}

void ResponsesConversation::take(const ServerSentEvent &event)
{
    const QJsonObject data = QJsonDocument::fromJson(event.data).object();
    const QString type = data.value(QLatin1String("type")).toString();
    const QJsonObject response = data.value(QLatin1String("response")).toObject();
    if (type == QLatin1String("response.output_item.done")) {
        m_items.push_back(data.value(QLatin1String("item")).toObject());
    } else if (type == QLatin1String("response.completed")) {
        const QJsonObject usage = response.value(QLatin1String("usage")).toObject();
        m_usage.input = usage.value(QLatin1String("input_tokens")).toInteger();
        m_usage.cached = usage.value(QLatin1String("input_tokens_details"))
                             .toObject()
                             .value(QLatin1String("cached_tokens"))
                             .toInteger();
        m_usage.output = usage.value(QLatin1String("output_tokens")).toInteger();
        m_complete = true;
    } else if (type == QLatin1String("response.failed")
               || type == QLatin1String("response.incomplete")) {
        m_error = type + u' '
            + response.value(QLatin1String("error"))
                  .toObject()
                  .value(QLatin1String("code"))
                  .toString();
    } else if (type == QLatin1String("error")) {
        const QJsonObject error = data.value(QLatin1String("error")).toObject();
        m_error = QStringLiteral("stream error ")
            + (error.isEmpty() ? data : error).value(QLatin1String("code")).toString();
    }
}

int ResponsesConversation::keepReply()
{
    std::vector<QByteArray> outputs;
    for (const QByteArray &item : m_pending)
        m_history += ',' + item;
    for (const QJsonObject &item : m_items) {
        m_history += ',' + compactJson(item);
        const QString type = item.value(QLatin1String("type")).toString();
        if (type == QLatin1String("function_call") || type == QLatin1String("custom_tool_call"))
            outputs.push_back("{\"type\":" + quoted(type + QStringLiteral("_output"))
                              + ",\"call_id\":"
                              + quoted(item.value(QLatin1String("call_id")).toString())
                              + ",\"output\":\"hello\\n\"}");
    }
    m_pending = std::move(outputs);
    dropReply();
    return static_cast<int>(m_pending.size());
}

void ResponsesConversation::dropReply()
{
    m_items.clear();
    m_complete = false;
    m_error.clear();
    m_usage = {};
}

std::unique_ptr<Conversation> makeConversation(AgentDialect dialect, const AgentIdentity &identity)
{
    if (dialect == AgentDialect::Responses)
        return std::make_unique<ResponsesConversation>(identity);
    return std::make_unique<MessagesConversation>(identity);
}

} // namespace headway::simulator
