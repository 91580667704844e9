// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/eventscript.h"

#include "proxy/simulator/jsontext.h"

#include <algorithm>
#include <utility>

namespace headway::simulator {

namespace {

constexpr qsizetype argumentsPerDelta = 24;

QByteArray field(const char *name, const QByteArray &json)
{
    return ",\"" + QByteArray(name) + "\":" + json;
}

QByteArray number(qsizetype value)
{
    return QByteArray::number(static_cast<qlonglong>(value));
}

// Words with the blanks before them, the way a model's tokens come.
QStringList pieces(const QString &text)
{
    QStringList parts;
    qsizetype start = 0;
    while (start < text.size()) {
        qsizetype end = text.indexOf(u' ', start + 1);
        if (end < 0)
            end = text.size();
        parts.append(text.mid(start, end - start));
        start = end;
    }
    return parts;
}

QStringList slices(const QString &text)
{
    QStringList parts;
    for (qsizetype start = 0; start < text.size(); start += argumentsPerDelta)
        parts.append(text.mid(start, argumentsPerDelta));
    return parts;
}

class Writer final
{
public:
    Writer(EventScript &script, const QByteArray &lane, Mint &mint)
        : m_script(script)
        , m_mint(mint)
        , m_lane(lane.isEmpty() ? QByteArray()
                                : field("stream_id", quoted(QString::fromUtf8(lane))))
    {
    }

    void add(const QByteArray &type, const QByteArray &fields)
    {
        const auto sequence = static_cast<qsizetype>(m_script.events.size());
        m_script.events.push_back({type,
                                   "{\"type\":\"" + type + "\",\"sequence_number\":"
                                       + number(sequence) + m_lane + fields + '}'});
    }

    void addItem(const QJsonObject &item, qsizetype index)
    {
        m_place = field("output_index", number(index));
        m_id = field("item_id", quoted(item.value(QLatin1String("id")).toString()));
        const QString type = item.value(QLatin1String("type")).toString();
        if (type == QLatin1String("message"))
            addMessage(item);
        else if (type == QLatin1String("reasoning"))
            addReasoning(item);
        else if (type == QLatin1String("function_call"))
            addCall(item, QStringLiteral("arguments"), "response.function_call_arguments");
        else if (type == QLatin1String("custom_tool_call"))
            addCall(item, QStringLiteral("input"), "response.custom_tool_call_input");
        else
            add("response.output_item.added", m_place + field("item", compactJson(item)));
        add("response.output_item.done", m_place + field("item", compactJson(item)));
    }

private:
    void addStarted(QJsonObject item, const QString &key, const QJsonValue &empty)
    {
        item.insert(key, empty);
        if (item.contains(QLatin1String("status")))
            item.insert(QStringLiteral("status"), QStringLiteral("in_progress"));
        add("response.output_item.added", m_place + field("item", compactJson(item)));
    }

    void addDeltas(const QByteArray &type, const QByteArray &place, const QStringList &parts,
                   const QByteArray &more = {})
    {
        for (const QString &part : parts)
            add(type,
                place + field("delta", quoted(part)) + more
                    + field("obfuscation", '"' + m_mint.filler() + '"'));
    }

    void addMessage(const QJsonObject &item)
    {
        addStarted(item, QStringLiteral("content"), QJsonArray());
        QJsonObject part = item.value(QLatin1String("content")).toArray().at(0).toObject();
        const QString text = part.value(QLatin1String("text")).toString();
        const QByteArray done = compactJson(part);
        part.insert(QStringLiteral("text"), QString());
        const QByteArray place = m_id + m_place + field("content_index", "0");
        const QByteArray noProbabilities = field("logprobs", "[]");
        add("response.content_part.added", place + field("part", compactJson(part)));
        addDeltas("response.output_text.delta", place, pieces(text), noProbabilities);
        add("response.output_text.done", place + field("text", quoted(text)) + noProbabilities);
        add("response.content_part.done", place + field("part", done));
    }

    void addReasoning(const QJsonObject &item)
    {
        addStarted(item, QStringLiteral("summary"), QJsonArray());
        const QJsonArray summary = item.value(QLatin1String("summary")).toArray();
        for (qsizetype i = 0; i < summary.size(); ++i) {
            const QString text = summary.at(i).toObject().value(QLatin1String("text")).toString();
            const QByteArray place = m_id + m_place + field("summary_index", number(i));
            const QByteArray empty = field("part", "{\"type\":\"summary_text\",\"text\":\"\"}");
            add("response.reasoning_summary_part.added", place + empty);
            addDeltas("response.reasoning_summary_text.delta", place, pieces(text));
            add("response.reasoning_summary_text.done", place + field("text", quoted(text)));
            add("response.reasoning_summary_part.done",
                place + field("part", compactJson(summary.at(i))));
        }
    }

    void addCall(const QJsonObject &item, const QString &key, const QByteArray &event)
    {
        addStarted(item, key, QString());
        const QString text = item.value(key).toString();
        addDeltas(event + ".delta", m_id + m_place, slices(text));
        add(event + ".done", m_id + m_place + field(key.toLatin1().constData(), quoted(text)));
    }

    EventScript &m_script;
    Mint &m_mint;
    QByteArray m_lane;
    QByteArray m_place; // "output_index" of the current item
    QByteArray m_id; // "item_id" of the current item
};

QByteArray usageJson(const AcceptedTurn &turn, const EventScript &script, const PlannedReply &plan)
{
    return "{\"input_tokens\":" + number(turn.inputTokens)
        + ",\"input_tokens_details\":{\"cached_tokens\":" + number(turn.cachedTokens)
        + ",\"cache_write_tokens\":0},\"output_tokens\":" + number(script.outputTokens)
        + ",\"output_tokens_details\":{\"reasoning_tokens\":" + number(plan.reasoningTokens)
        + "},\"total_tokens\":" + number(turn.inputTokens + script.outputTokens) + '}';
}

// The full Response object; `tail` holds what is the same in every event.
QByteArray responseJson(const QByteArray &head, const char *status, const QByteArray &outcome,
                        const QByteArray &tail)
{
    return head + field("status", '"' + QByteArray(status) + '"') + outcome + tail;
}

QByteArray echoedFields(const QJsonObject &request)
{
    const auto given = [&](const char *name, const QByteArray &fallback) {
        const QJsonValue value = request.value(QLatin1String(name));
        return field(name, value.isUndefined() ? fallback : compactJson(value));
    };
    return given("instructions", "null") + given("max_output_tokens", "null")
        + given("model", "null") + given("parallel_tool_calls", "true")
        + given("previous_response_id", "null") + given("prompt_cache_key", "null")
        + given("reasoning", "{\"effort\":\"medium\",\"summary\":null}") + given("store", "true")
        + field("temperature", "1.0")
        + given("text", "{\"format\":{\"type\":\"text\"},\"verbosity\":\"medium\"}")
        + given("tool_choice", "\"auto\"") + given("tools", "[]") + field("top_p", "1.0")
        + field("truncation", "\"disabled\"") + given("metadata", "{}")
        + field("service_tier", "\"default\"") + field("background", "false") + '}';
}

} // namespace

EventScript buildScript(const AcceptedTurn &turn, const PlannedReply &plan, const QByteArray &lane,
                        base::WallTime now, Mint &mint)
{
    EventScript script;
    script.responseId = mint.id("resp_");
    script.output = plan.items;
    script.outputTokens = estimateTokens(plan.items) + plan.reasoningTokens;

    const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    const QByteArray head = "{\"id\":" + quoted(script.responseId) + ",\"object\":\"response\""
        + field("created_at", number(static_cast<qsizetype>(seconds)));
    const QByteArray tail = echoedFields(turn.request);
    const QByteArray running
        = responseJson(head, "in_progress",
                       QByteArray(",\"error\":null,\"incomplete_details\":null,\"output\":[],"
                                  "\"usage\":null"),
                       tail);
    Writer writer(script, lane, mint);
    writer.add("response.created", field("response", running));
    writer.add("response.in_progress", field("response", running));
    for (qsizetype i = 0; i < plan.items.size(); ++i)
        writer.addItem(plan.items.at(i).toObject(), i);
    const QByteArray outcome = ",\"error\":null"
        + field("incomplete_details",
                plan.truncated ? "{\"reason\":\"max_output_tokens\"}" : "null")
        + field("output", compactJson(plan.items)) + field("usage", usageJson(turn, script, plan));
    const char *status = plan.truncated ? "incomplete" : "completed";
    script.finalResponse = responseJson(head, status, outcome, tail);
    writer.add("response." + QByteArray(status), field("response", script.finalResponse));
    return script;
}

} // namespace headway::simulator
