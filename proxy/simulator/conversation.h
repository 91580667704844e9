// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/ssereader.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <memory>

namespace headway::simulator {

enum class AgentDialect : std::uint8_t { Messages, Responses };

// Who an agent is; the proxy tells conversations apart by it.
struct AgentIdentity
{
    QString sessionId; // UUID
    QString agentId; // empty: the session's main agent
    QString key; // access key; empty: none is sent
    QString model;
};

struct TokenUsage
{
    qint64 input = 0; // cached ones included
    qint64 cached = 0;
    qint64 output = 0;
};

// What an agent says and remembers in one dialect. A turn: addPrompt() unless calls are open,
// body(), take() for each event until isComplete() or error(), then keepReply(). A turn that is
// given up leaves the history as it was: the next one sends the same again.
class Conversation
{
public:
    virtual ~Conversation() = default;

    [[nodiscard]] virtual QByteArray path() const = 0; // below the base URL
    [[nodiscard]] virtual QByteArray headers() const = 0; // whole lines
    [[nodiscard]] virtual QByteArray body() const = 0;
    virtual void addPrompt(const QString &text) = 0;
    [[nodiscard]] virtual bool hasUnsent() const = 0; // something waits for a reply
    virtual void take(const ServerSentEvent &event) = 0;
    // Adds the reply as it was received and answers its tool calls. Returns their number, or −1
    // when the reply cannot be echoed; error() then says why.
    [[nodiscard]] virtual int keepReply() = 0;
    virtual void dropReply() = 0;

    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] const QString &error() const { return m_error; }
    [[nodiscard]] const TokenUsage &usage() const { return m_usage; }

protected:
    Conversation() = default;

    bool m_complete = false;
    QString m_error; // the stream's own error, empty while there is none
    TokenUsage m_usage; // of the current reply
};

[[nodiscard]] std::unique_ptr<Conversation> makeConversation(AgentDialect dialect,
                                                             const AgentIdentity &identity);

} // namespace headway::simulator
