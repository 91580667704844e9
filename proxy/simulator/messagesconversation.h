// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/conversation.h"

#include <QJsonObject>

#include <vector>

namespace headway::simulator {

// Speaks like Claude Code (clients.md section 1): three system blocks, a system-role message, a
// cache_control that moves with the last message, string and array content folding into each other.
// Everything received goes back byte by byte: text, thinking with its signature, tool input.
class MessagesConversation final : public Conversation
{
public:
    explicit MessagesConversation(const AgentIdentity &identity);

    [[nodiscard]] QByteArray path() const override;
    [[nodiscard]] QByteArray headers() const override;
    [[nodiscard]] QByteArray body() const override;
    void addPrompt(const QString &text) override;
    [[nodiscard]] bool hasUnsent() const override { return !m_pending.empty(); }
    void take(const ServerSentEvent &event) override;
    [[nodiscard]] int keepReply() override;
    void dropReply() override;

private:
    struct Message
    {
        QByteArray role;
        std::vector<QByteArray> blocks; // JSON objects
        QByteArray
            folded; // JSON string used instead of the blocks once it is history; may be empty
    };
    struct Block
    {
        QByteArray type;
        QString text; // text or thinking
        QString signature;
        QString id;
        QString name;
        QString input; // partial_json joined
    };

    [[nodiscard]] static QByteArray render(const Message &message, bool newest);
    [[nodiscard]] QByteArray blockJson(const Block &block);
    void startBlock(const QJsonObject &event);
    void takeDelta(const QJsonObject &event);
    void takeUsage(const QJsonObject &usage);

    AgentIdentity m_identity;
    QByteArray m_history; // rendered messages, joined with commas
    std::vector<Message> m_pending; // sent, not yet answered
    std::vector<Block> m_blocks; // of the current reply
};

} // namespace headway::simulator
