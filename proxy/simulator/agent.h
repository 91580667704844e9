// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/simulator/conversation.h"
#include "proxy/simulator/httpcall.h"
#include "proxy/simulator/retryrule.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QUrl>

#include <memory>
#include <utility>

namespace headway::simulator {

struct AgentPlan
{
    QUrl baseUrl; // http://HOST:PORT[/PREFIX]
    AgentDialect dialect = AgentDialect::Messages;
    AgentIdentity identity;
    int turns = 1; // 0: until stopped
    int turnsPerConversation = 0; // then it begins another; 0: all in one
    std::pair<base::Milliseconds, base::Milliseconds> think; // between turns
    int maxRetries = 10;
    base::Milliseconds silence{300'000}; // a stream silent that long is dropped and retried
    std::uint64_t seed = 1;
};

// How one turn went.
struct AgentTurn
{
    bool completed = false;
    QString error; // why it was lost
    base::Milliseconds wait{0}; // first request to first event
    base::Milliseconds duration{0}; // first request to the end
    TokenUsage usage{};
    int toolCalls = 0;
};

// One simulated agent: its own connection, a growing conversation, tool results for tool calls, and
// the retries of the real client. A turn is one request for one reply; one that ends without its
// terminal event, with a stream error, or with the retries exhausted is lost, and the next turn
// asks for the same again.
class Agent final : public QObject
{
    Q_OBJECT

public:
    Agent(AgentPlan plan, QObject *parent);

    void start(base::Milliseconds delay);
    // Drops the connection, like a killed process; no signal follows.
    void stop();

Q_SIGNALS:
    void turnStarted();
    void retried();
    void turnEnded(const headway::simulator::AgentTurn &turn);
    void finished(); // the last turn has ended

private:
    void beginTurn();
    void send();
    void takeHead(const MessageHead &head);
    void takeBody(const QByteArray &bytes);
    void takeEnd();
    void takeFailure(const QString &reason);
    void retryOrLose(const FailedAttempt &attempt, const QString &error);
    void endTurn(AgentTurn turn);
    [[nodiscard]] QString nextPrompt();
    [[nodiscard]] base::Milliseconds sinceStart() const;

    AgentPlan m_plan;
    base::Random m_random;
    std::unique_ptr<Conversation> m_conversation;
    HttpCall m_call;
    QTimer m_pause; // thinking, or backing off
    QTimer m_silence;
    QElapsedTimer m_clock; // of the turn
    SseReader m_events;
    MessageHead m_head;
    QByteArray m_errorBody;
    base::Milliseconds m_wait{0};
    bool m_sawEvent = false;
    bool m_inTurn = false;
    int m_turn = 0; // begun so far
    int m_retries = 0; // of this turn
};

} // namespace headway::simulator
