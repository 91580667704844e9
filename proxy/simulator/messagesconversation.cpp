// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/messagesconversation.h"

#include "proxy/simulator/jsontext.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace headway::simulator {

namespace {

constexpr auto tools
    = R"([{"name":"Bash","description":"Runs a command in a shell and returns its output.","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"command":{"description":"The command to run","type":"string"},"timeout":{"description":"Milliseconds","type":"number"},"description":{"description":"What it does, in a few words","type":"string"}},"required":["command"],"additionalProperties":false}},{"name":"Read","description":"Reads a file.","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"file_path":{"type":"string"},"offset":{"type":"number"},"limit":{"type":"number"}},"required":["file_path"],"additionalProperties":false}},{"name":"Agent","description":"Starts a sub-agent.","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"description":{"type":"string"},"prompt":{"type":"string"},"subagent_type":{"type":"string"},"run_in_background":{"type":"boolean"}},"required":["description","prompt"],"additionalProperties":false}}])";

constexpr auto instructions
    = "You are a simulated coding agent. You read files, run commands, change a few lines at a "
      "time and "
      "check each change with the tests before you go on. You answer briefly. ";

QByteArray textBlock(const QString &text)
{
    return "{\"type\":\"text\",\"text\":" + quoted(text) + '}';
}

QByteArray withCacheControl(QByteArray block)
{
    block.chop(1);
    return block + ",\"cache_control\":{\"type\":\"ephemeral\"}}";
}

QByteArray systemBlocks(bool subagent)
{
    const QByteArray billing = subagent
        ? QByteArray("x-anthropic-billing-header: cc_version=2.1.332.5d2; cc_entrypoint=sdk-cli; "
                     "cc_is_subagent=true;")
        : QByteArray("x-anthropic-billing-header: cc_version=2.1.332.a41; cc_entrypoint=sdk-cli;");
    // Real instructions have some kilobytes.
    const QString text = QString::fromLatin1(instructions).repeated(12);
    return '[' + textBlock(QString::fromLatin1(billing)) + ','
        + withCacheControl(textBlock(QStringLiteral("You are Claude Code, simulated."))) + ','
        + withCacheControl(textBlock(text)) + ']';
}

} // namespace

MessagesConversation::MessagesConversation(const AgentIdentity &identity)
    : m_identity(identity)
{
}

QByteArray MessagesConversation::path() const
{
    return "/v1/messages?beta=true";
}

QByteArray MessagesConversation::headers() const
{
    QByteArray lines = "Accept: application/json\r\nContent-Type: application/json\r\n"
                       "User-Agent: claude-cli/2.1.332 (external, sdk-cli)\r\n"
                       "X-Claude-Code-Session-Id: "
        + m_identity.sessionId.toUtf8() + "\r\n";
    if (!m_identity.agentId.isEmpty())
        lines += "x-claude-code-agent-id: " + m_identity.agentId.toUtf8() + "\r\n";
    lines += "X-Stainless-Retry-Count: 0\r\nX-Stainless-Timeout: 600\r\n"
             "anthropic-beta: claude-code-20250219,interleaved-thinking-2025-05-14,"
             "effort-2025-11-24\r\n"
             "anthropic-version: 2023-06-01\r\n";
    if (!m_identity.key.isEmpty())
        lines += "x-api-key: " + m_identity.key.toUtf8() + "\r\n";
    return lines + "x-app: cli\r\n";
}

QByteArray MessagesConversation::render(const Message &message, bool newest)
{
    QByteArray content;
    if (!newest && !message.folded.isEmpty()) {
        content = message.folded;
    } else {
        for (std::size_t i = 0; i < message.blocks.size(); ++i) {
            const bool marked = newest && i + 1 == message.blocks.size();
            content += (i == 0 ? "" : ",")
                + (marked ? withCacheControl(message.blocks[i]) : message.blocks[i]);
        }
        content = '[' + content + ']';
    }
    return "{\"role\":\"" + message.role + "\",\"content\":" + content + '}';
}

QByteArray MessagesConversation::body() const
{
    QByteArray messages = m_history;
    for (std::size_t i = 0; i < m_pending.size(); ++i)
        messages
            += (messages.isEmpty() ? "" : ",") + render(m_pending[i], i + 1 == m_pending.size());
    const bool subagent = !m_identity.agentId.isEmpty();
    const QString userId
        = QStringLiteral("{\"device_id\":\"%1\",\"account_uuid\":\"\",\"session_id\":\"%2\"}")
              .arg(QString(64, u'0'), m_identity.sessionId);
    return "{\"model\":" + quoted(m_identity.model) + ",\"messages\":[" + messages
        + "],\"system\":" + systemBlocks(subagent) + ",\"tools\":" + tools
        + ",\"metadata\":{\"user_id\":" + quoted(userId)
        + "},\"max_tokens\":128000,\"thinking\":{\"type\":\"adaptive\",\"display\":\""
        + (subagent ? "omitted" : "updates")
        + "\"},\"context_management\":{\"edits\":[{\"type\":\"clear_thinking_20251015\",\"keep\":"
          "\"all\"}]},\"output_config\":{\"effort\":\"medium\"},\"stream\":true}";
}

void MessagesConversation::addPrompt(const QString &text)
{
    m_pending.push_back({.role = "user", .blocks = {textBlock(text)}, .folded = {}});
    if (!m_history.isEmpty())
        return;
    const QString note = QStringLiteral("Today is a simulated day. The working tree is clean.");
    m_pending.push_back({.role = "system", .blocks = {textBlock(note)}, .folded = quoted(note)});
}

void MessagesConversation::startBlock(const QJsonObject &event)
{
    const QJsonObject block = event.value(QLatin1String("content_block")).toObject();
    if (event.value(QLatin1String("index")).toInt(-1) != static_cast<int>(m_blocks.size())) {
        m_error = QStringLiteral("content blocks out of order");
        return;
    }
    m_blocks.push_back({.type = block.value(QLatin1String("type")).toString().toUtf8(),
                        .text = block.value(QLatin1String("text")).toString()
                            + block.value(QLatin1String("thinking")).toString(),
                        .signature = block.value(QLatin1String("signature")).toString(),
                        .id = block.value(QLatin1String("id")).toString(),
                        .name = block.value(QLatin1String("name")).toString(),
                        .input = block.value(QLatin1String("data")).toString()});
}

void MessagesConversation::takeDelta(const QJsonObject &event)
{
    const int index = event.value(QLatin1String("index")).toInt(-1);
    if (index < 0 || index >= static_cast<int>(m_blocks.size())) {
        m_error = QStringLiteral("delta without a content block");
        return;
    }
    Block &block = m_blocks[static_cast<std::size_t>(index)];
    const QJsonObject delta = event.value(QLatin1String("delta")).toObject();
    block.text += delta.value(QLatin1String("text")).toString();
    block.text += delta.value(QLatin1String("thinking")).toString();
    block.signature += delta.value(QLatin1String("signature")).toString();
    block.input += delta.value(QLatin1String("partial_json")).toString();
}

void MessagesConversation::takeUsage(const QJsonObject &usage)
{
    const auto read = [&](const char *name, qint64 known) {
        const QJsonValue value = usage.value(QLatin1String(name));
        return value.isDouble() ? value.toInteger() : known;
    };
    const qint64 uncached = read("input_tokens", m_usage.input - m_usage.cached);
    m_usage.cached = read("cache_read_input_tokens", m_usage.cached);
    m_usage.input = uncached + m_usage.cached;
    m_usage.output = read("output_tokens", m_usage.output);
}

void MessagesConversation::take(const ServerSentEvent &event)
{
    const QJsonObject data = QJsonDocument::fromJson(event.data).object();
    if (event.name == "message_start")
        takeUsage(data.value(QLatin1String("message"))
                      .toObject()
                      .value(QLatin1String("usage"))
                      .toObject());
    else if (event.name == "content_block_start")
        startBlock(data);
    else if (event.name == "content_block_delta")
        takeDelta(data);
    else if (event.name == "message_delta")
        takeUsage(data.value(QLatin1String("usage")).toObject());
    else if (event.name == "message_stop")
        m_complete = true;
    else if (event.name == "error")
        m_error = QStringLiteral("stream error ")
            + data.value(QLatin1String("error")).toObject().value(QLatin1String("type")).toString();
}

QByteArray MessagesConversation::blockJson(const Block &block)
{
    if (block.type == "text")
        return textBlock(block.text);
    if (block.type == "thinking")
        return "{\"type\":\"thinking\",\"thinking\":" + quoted(block.text)
            + ",\"signature\":" + quoted(block.signature) + '}';
    if (block.type == "redacted_thinking")
        return "{\"type\":\"redacted_thinking\",\"data\":" + quoted(block.input) + '}';
    const QByteArray input = block.input.isEmpty() ? QByteArray("{}") : block.input.toUtf8();
    if (!QJsonDocument::fromJson(input).isObject())
        m_error = QStringLiteral("tool input is not a JSON object");
    return "{\"type\":\"tool_use\",\"id\":" + quoted(block.id) + ",\"name\":" + quoted(block.name)
        + ",\"input\":" + input + '}';
}

int MessagesConversation::keepReply()
{
    Message reply{.role = "assistant", .blocks = {}, .folded = {}};
    Message results{.role = "user", .blocks = {}, .folded = {}};
    for (const Block &block : m_blocks) {
        if (block.type == "text" && block.text.isEmpty())
            continue;
        reply.blocks.push_back(blockJson(block));
        if (block.type == "tool_use")
            results.blocks.push_back("{\"tool_use_id\":" + quoted(block.id)
                                     + ",\"type\":\"tool_result\",\"content\":\"hello\\n\"}");
    }
    if (!m_error.isEmpty())
        return -1;
    for (const Message &message : m_pending)
        m_history += (m_history.isEmpty() ? "" : ",") + render(message, false);
    if (!reply.blocks.empty())
        m_history += ',' + render(reply, false);
    m_pending.clear();
    const auto calls = static_cast<int>(results.blocks.size());
    if (calls > 0)
        m_pending.push_back(std::move(results));
    dropReply();
    return calls;
}

void MessagesConversation::dropReply()
{
    m_blocks.clear();
    m_complete = false;
    m_error.clear();
    m_usage = {};
}

} // namespace headway::simulator
