// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/conversation.h"

#include <QJsonObject>

#include <vector>

namespace headway::simulator {

// Speaks like Codex over HTTP (clients.md section 2.2): no instructions but a developer item, the
// whole input every time, items of the reply echoed with their ids and encrypted reasoning.
class ResponsesConversation final : public Conversation
{
public:
    explicit ResponsesConversation(const AgentIdentity &identity);

    [[nodiscard]] QByteArray path() const override;
    [[nodiscard]] QByteArray headers() const override;
    [[nodiscard]] QByteArray body() const override;
    void addPrompt(const QString &text) override;
    [[nodiscard]] bool hasUnsent() const override { return !m_pending.empty(); }
    void take(const ServerSentEvent &event) override;
    [[nodiscard]] int keepReply() override;
    void dropReply() override;

private:
    [[nodiscard]] QString threadId() const;

    AgentIdentity m_identity;
    QByteArray m_history; // items, joined with commas
    std::vector<QByteArray> m_pending;
    std::vector<QJsonObject> m_items; // of the current reply
};

} // namespace headway::simulator
