// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/proxyfixture.h"

#include <QJsonArray>
#include <QStringList>

namespace headway::tests {

// One agent as Claude Code would run it: keeps its history, sends all of it each turn, and echoes
// what it was given.
class Conversation final
{
public:
    Conversation(const ProxyFixture &proxy, QByteArray session, QByteArray agent = {})
        : m_proxy(proxy)
        , m_session(std::move(session))
        , m_agent(std::move(agent))
    {
    }

    // A turn under way; `text` becomes a user message behind the history.
    [[nodiscard]] std::unique_ptr<HttpCall> begin(const QString &text);
    // The same once more: the client tries again.
    [[nodiscard]] std::unique_ptr<HttpCall> again() const;
    // The client has the whole reply: it joins the history. False: it was no complete message.
    [[nodiscard]] bool take(const HttpCall &call);
    // Both, waiting in between.
    [[nodiscard]] bool say(const QString &text);

    [[nodiscard]] QJsonArray &messages() { return m_messages; } // to change the past
    [[nodiscard]] QString lastReply() const { return m_lastReply; }
    [[nodiscard]] int lastStatus() const { return m_lastStatus; }

private:
    const ProxyFixture &m_proxy;
    QByteArray m_session;
    QByteArray m_agent;
    QJsonArray m_messages;
    QString m_lastReply;
    int m_lastStatus = 0;
};

// A provider without any waiting that answers turn k of a conversation with the k-th text, beyond
// the list with the last.
[[nodiscard]] simulator::Scenario answering(const QStringList &texts
                                            = {QStringLiteral("one"), QStringLiteral("two"),
                                               QStringLiteral("three"), QStringLiteral("four")});

} // namespace headway::tests
