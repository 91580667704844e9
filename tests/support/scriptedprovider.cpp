// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scriptedprovider.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QWebSocket>

#include <algorithm>

namespace headway::tests {

namespace {

QString word(QStringView text)
{
    return text.toString();
}

QJsonObject message(const QString &id, const QString &text, bool whole)
{
    QJsonArray content;
    if (whole)
        content.append(QJsonObject{{word(u"type"), word(u"output_text")},
                                   {word(u"text"), text},
                                   {word(u"annotations"), QJsonArray()}});
    return {{word(u"type"), word(u"message")},
            {word(u"id"), QString(u"msg_" + id)},
            {word(u"role"), word(u"assistant")},
            {word(u"status"), whole ? word(u"completed") : word(u"in_progress")},
            {word(u"content"), content}};
}

QJsonObject ofResponse(const char *type, const QString &id, const char *status)
{
    return {{word(u"type"), QLatin1String(type)},
            {word(u"response"),
             QJsonObject{{word(u"id"), id}, {word(u"status"), QLatin1String(status)}}}};
}

QJsonObject part(const char *type, const QString &id)
{
    return {{word(u"type"), QLatin1String(type)},
            {word(u"output_index"), 0},
            {word(u"content_index"), 0},
            {word(u"item_id"), QString(u"msg_" + id)}};
}

} // namespace

QString ScriptedProvider::Create::lane() const
{
    return frame.value(word(u"stream_id")).toString();
}

QString ScriptedProvider::Create::parent() const
{
    return frame.value(word(u"previous_response_id")).toString();
}

QStringList ScriptedProvider::Create::texts() const
{
    QStringList texts;
    for (const QJsonValue &item : frame.value(word(u"input")).toArray()) {
        const QJsonValue content = item.toObject().value(word(u"content"));
        texts.append(content.isString()
                         ? content.toString()
                         : content.toArray().at(0).toObject().value(word(u"text")).toString());
    }
    return texts;
}

QString ScriptedProvider::Create::id() const
{
    const QStringList all = texts();
    return u"resp_" + (all.isEmpty() ? QString() : all.last());
}

ScriptedProvider::ScriptedProvider()
    : m_server(word(u"scripted"), QWebSocketServer::NonSecureMode)
{
    connect(&m_server, &QWebSocketServer::newConnection, this, [this] {
        QWebSocket *const socket = m_server.nextPendingConnection();
        socket->setParent(this);
        const qsizetype index = m_sockets.size();
        m_sockets.append(socket);
        connect(socket, &QWebSocket::textMessageReceived, this, [this, index](const QString &text) {
            m_creates.append({index, QJsonDocument::fromJson(text.toUtf8()).object()});
            if (onCreate)
                onCreate(m_creates.last());
        });
    });
    if (!m_server.listen(QHostAddress(QHostAddress::LocalHost), 0))
        qFatal("the scripted provider cannot listen");
}

ScriptedProvider::~ScriptedProvider()
{
    for (QWebSocket *const socket : m_sockets)
        socket->disconnect(this);
}

QUrl ScriptedProvider::url() const
{
    QUrl url = m_server.serverUrl();
    url.setPath(word(u"/v1/responses"));
    return url;
}

qsizetype ScriptedProvider::open() const
{
    return std::count_if(m_sockets.begin(), m_sockets.end(), [](const QWebSocket *socket) {
        return socket->state() == QAbstractSocket::ConnectedState;
    });
}

void ScriptedProvider::tell(const Create &create, QJsonObject event)
{
    if (echoes && !create.lane().isEmpty())
        event.insert(word(u"stream_id"), create.lane());
    send(create.socket, event);
}

void ScriptedProvider::created(const Create &create)
{
    tell(create, ofResponse("response.created", create.id(), "in_progress"));
}

void ScriptedProvider::inProgress(const Create &create)
{
    tell(create, ofResponse("response.in_progress", create.id(), "in_progress"));
    tell(create,
         {{word(u"type"), word(u"response.output_item.added")},
          {word(u"output_index"), 0},
          {word(u"item"), message(create.id(), {}, false)}});
    tell(create, part("response.content_part.added", create.id()));
}

void ScriptedProvider::text(const Create &create, const QString &text)
{
    QJsonObject delta = part("response.output_text.delta", create.id());
    delta.insert(word(u"delta"), text);
    tell(create, delta);
}

void ScriptedProvider::complete(const Create &create, const QString &text)
{
    tell(create,
         {{word(u"type"), word(u"response.output_item.done")},
          {word(u"output_index"), 0},
          {word(u"item"), message(create.id(), text, true)}});
    QJsonObject end = ofResponse("response.completed", create.id(), "completed");
    QJsonObject response = end.value(word(u"response")).toObject();
    response.insert(
        word(u"usage"),
        QJsonObject{{word(u"input_tokens"), 100},
                    {word(u"output_tokens"), 10},
                    {word(u"total_tokens"), 110},
                    {word(u"input_tokens_details"), QJsonObject{{word(u"cached_tokens"), 80}}}});
    end.insert(word(u"response"), response);
    tell(create, end);
}

void ScriptedProvider::answer(const Create &create, const QString &reply)
{
    created(create);
    inProgress(create);
    text(create, reply);
    complete(create, reply);
}

void ScriptedProvider::refuse(const Create &create, const QJsonObject &error, bool named)
{
    const QJsonObject event{
        {word(u"type"), word(u"error")}, {word(u"status"), 400}, {word(u"error"), error}};
    if (named)
        tell(create, event);
    else
        send(create.socket, event);
}

void ScriptedProvider::send(qsizetype socket, const QJsonObject &event)
{
    m_sockets.at(socket)->sendTextMessage(
        QString::fromUtf8(QJsonDocument(event).toJson(QJsonDocument::Compact)));
}

void ScriptedProvider::close(qsizetype socket, const QString &reason)
{
    m_sockets.at(socket)->close(QWebSocketProtocol::CloseCodeGoingAway, reason);
}

} // namespace headway::tests
