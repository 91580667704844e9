// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QWebSocketServer>

#include <functional>

class QWebSocket;

namespace headway::tests {

// A provider whose every word the test decides: it keeps each response.create that came, with the
// connection it came on, and sends only what it is told to. Qt's own WebSocket, which shares no
// code with the proxy.
class ScriptedProvider final : public QObject
{
    Q_OBJECT

public:
    struct Create
    {
        qsizetype socket; // 0, 1 … in the order of opening
        QJsonObject frame;

        [[nodiscard]] QString lane() const;
        [[nodiscard]] QString parent() const; // previous_response_id
        [[nodiscard]] QStringList texts() const; // of its input items
        [[nodiscard]] QString id() const; // of its response: "resp_" and its last text
    };

    ScriptedProvider();
    ~ScriptedProvider() override;

    [[nodiscard]] QUrl url() const;
    [[nodiscard]] const QList<Create> &creates() const { return m_creates; }
    [[nodiscard]] qsizetype opened() const { return m_sockets.size(); }
    [[nodiscard]] qsizetype open() const;

    bool echoes = true; // each event names the lane of its create
    std::function<void(const Create &)> onCreate; // at once, instead of by hand

    void created(const Create &create);
    void inProgress(const Create &create);
    void text(const Create &create, const QString &text); // one delta
    void complete(const Create &create, const QString &text);
    void answer(const Create &create, const QString &text); // all of it
    void refuse(const Create &create, const QJsonObject &error, bool named = true);
    void send(qsizetype socket, const QJsonObject &event);
    void close(qsizetype socket, const QString &reason = {});

private:
    void tell(const Create &create, QJsonObject event);

    QWebSocketServer m_server;
    QList<QWebSocket *> m_sockets;
    QList<Create> m_creates;
};

} // namespace headway::tests
