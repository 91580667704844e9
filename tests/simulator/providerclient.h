// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/provider.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QSignalSpy>
#include <QWebSocket>

namespace headway::simulator {

// The independent peer: Qt's WebSocket, which shares no code with the provider's frames.
class ProviderClient final
{
public:
    explicit ProviderClient(const QUrl &url)
        : m_url(url)
    {
        QObject::connect(&m_socket, &QWebSocket::textMessageReceived, &m_socket,
                         [this](const QString &text) { take(text); });
    }

    [[nodiscard]] bool open()
    {
        QSignalSpy connected(&m_socket, &QWebSocket::connected);
        m_socket.open(m_url);
        return connected.wait();
    }

    void send(const QJsonObject &message)
    {
        sendText(QJsonDocument(message).toJson(QJsonDocument::Compact));
    }
    void sendText(const QByteArray &text) { m_socket.sendTextMessage(QString::fromUtf8(text)); }

    // The next terminal or error event; empty when none comes.
    [[nodiscard]] QJsonObject end()
    {
        while (m_ends.isEmpty()) {
            QSignalSpy received(&m_socket, &QWebSocket::textMessageReceived);
            if (!received.wait())
                return {};
        }
        return m_ends.takeFirst();
    }

    [[nodiscard]] QJsonObject ask(const QJsonObject &message)
    {
        send(message);
        return end();
    }

    [[nodiscard]] QWebSocket &socket() { return m_socket; }
    [[nodiscard]] const QList<QJsonObject> &events() const { return m_events; }

private:
    void take(const QString &text)
    {
        const QJsonObject event = QJsonDocument::fromJson(text.toUtf8()).object();
        m_events.append(event);
        static const QStringList ends{QStringLiteral("response.completed"),
                                      QStringLiteral("response.incomplete"),
                                      QStringLiteral("response.failed"), QStringLiteral("error")};
        if (ends.contains(event.value(QLatin1String("type")).toString()))
            m_ends.append(event);
    }

    QUrl m_url;
    QWebSocket m_socket;
    QList<QJsonObject> m_events;
    QList<QJsonObject> m_ends;
};

// A scenario without any waiting; `members` are further members of the provider object.
inline Scenario quickScenario(const QByteArray &members = {})
{
    const auto scenario
        = parseScenario("{\"connect_ms\":[0,0],\"first_token_ms\":[0,0],\"turn_ms\":[0,0]"
                        + (members.isEmpty() ? QByteArray() : ',' + members) + '}');
    if (!scenario)
        qFatal("%s", scenario.error().c_str());
    return *scenario;
}

inline QJsonObject parsed(const QByteArray &json)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    if (!document.isObject())
        qFatal("not an object: %s", json.constData());
    return document.object();
}

// A create with store:false; `members` are further members, or replace nothing.
inline QJsonObject create(const QByteArray &members)
{
    return parsed("{\"type\":\"response.create\",\"model\":\"gpt-5.5\",\"store\":false," + members
                  + '}');
}

inline QString at(const QJsonObject &object, std::initializer_list<const char *> path)
{
    QJsonValue value = object;
    for (const char *key : path)
        value = value.toObject().value(QLatin1String(key));
    return value.isDouble() ? QString::number(value.toInt()) : value.toString();
}

} // namespace headway::simulator
