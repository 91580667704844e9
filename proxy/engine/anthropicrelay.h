// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/turn/passthrough.h"
#include "proxy/engine/services.h"
#include "proxy/net/listener/exchange.h"
#include "proxy/net/upstream/httpsexchange.h"

#include <QObject>
#include <QPointer>

#include <string>

namespace headway::engine {

// One request for a claude-* model, relayed to Anthropic with the client's own credential and
// answered as Anthropic answers: body and status untouched, headers but for those of the
// connection. The credential is in memory for as long as the request takes and is written nowhere.
// Deletes itself when it is over.
class AnthropicRelay final : public QObject
{
    Q_OBJECT

public:
    struct Start
    {
        base::TurnId turn;
        net::Exchange *exchange = nullptr;
        std::string path; // "/v1/messages" …; the query goes along
        std::string model;
        std::string session; // as shown
        std::string agent;
        std::string body;
    };

    // `anthropic`: its base URL, without a key.
    AnthropicRelay(Services &services, net::Endpoint anthropic, Start start,
                   QObject *parent = nullptr);

    void abandon(); // Headway stops

Q_SIGNALS:
    void ended(); // once; then it deletes itself

private:
    void onAnswered(const net::UpgradeReply &head);
    void onReceived(std::string_view bytes);
    void onFinished();
    void onFailed(const QString &reason);
    void fail(const dialects::TurnError &error);
    void onClientGone();
    void end(const std::string &how, const std::string &errorType, const std::string &reason);
    void record(ledger::Body body);

    Services &m_services;
    base::TurnId m_turn;
    QPointer<net::Exchange> m_exchange;
    std::string m_session;
    std::string m_agent;
    net::HttpsExchange m_call;
    net::UpgradeReply m_head;
    ledger::TurnEnded m_record;
    turn::RelayedUsage m_usage;
    std::string m_body; // of an answer that is no stream, until it is whole
    base::SteadyTime m_start;
    bool m_isStream = false;
    bool m_isReadable = false; // not compressed
    bool m_over = false;
};

} // namespace headway::engine
