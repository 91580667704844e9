// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/wirelog.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace headway::tests {

namespace {

QString textOf(const QJsonValue &content)
{
    if (content.isString())
        return content.toString();
    QString text;
    for (const QJsonValue &part : content.toArray())
        text += part.toObject().value(QLatin1String("text")).toString();
    return text;
}

QString lineOf(const QJsonObject &item)
{
    const QString type = item.value(QLatin1String("type")).toString();
    const QString role = item.value(QLatin1String("role")).toString();
    if (!role.isEmpty())
        return role + QStringLiteral(": ") + textOf(item.value(QLatin1String("content")));
    if (type == QLatin1String("function_call"))
        return QStringLiteral("call: ") + item.value(QLatin1String("name")).toString();
    if (type == QLatin1String("function_call_output"))
        return QStringLiteral("output: ") + textOf(item.value(QLatin1String("output")));
    return type;
}

} // namespace

QString Sent::previous() const
{
    return body.value(QLatin1String("previous_response_id")).toString();
}

QString Sent::lane() const
{
    return body.value(QLatin1String("stream_id")).toString();
}

QStringList Sent::input() const
{
    QStringList lines;
    for (const QJsonValue &item : body.value(QLatin1String("input")).toArray())
        lines.append(lineOf(item.toObject()));
    return lines;
}

WireLog::WireLog(simulator::Provider &provider)
{
    connect(&provider, &simulator::Provider::wire, this, &WireLog::take);
}

void WireLog::take(const simulator::WireEvent &event)
{
    using Kind = simulator::WireEvent::Kind;
    switch (event.kind) {
    case Kind::Opened:
        m_opened.append(event.connection);
        m_upgrades.append(event.text);
        return;
    case Kind::Rejected:
        m_rejections.append(event.code);
        m_upgrades.append(event.text);
        return;
    case Kind::Create:
    case Kind::Post:
        m_sent.append({event.connection, event.kind == Kind::Post,
                       QJsonDocument::fromJson(event.text).object()});
        return;
    case Kind::Reply:
        takeReply(event.connection, event.text);
        return;
    case Kind::Ping:
        ++m_pings;
        return;
    case Kind::Close:
    case Kind::Gone:
        if (m_opened.contains(event.connection) && !m_gone.contains(event.connection))
            m_gone.append(event.connection);
        return;
    }
}

void WireLog::takeReply(std::uint64_t socket, const QByteArray &json)
{
    const QJsonObject event = QJsonDocument::fromJson(json).object();
    if (event.value(QLatin1String("type")).toString() != QLatin1String("response.completed"))
        return;
    const QJsonObject response = event.value(QLatin1String("response")).toObject();
    m_completed.append(response.value(QLatin1String("id")).toString());
    m_latest.insert(socket, m_completed.last());
}

} // namespace headway::tests
