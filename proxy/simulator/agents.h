// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/agent.h"

#include <QJsonObject>
#include <QMap>
#include <QObject>

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::simulator {

struct FleetOptions
{
    QUrl baseUrl;
    int count = 10; // agents, over all sessions
    int turns = 5; // per agent; 0: until stop()
    int turnsPerConversation = 0; // after which an agent begins another; 0: all in one
    int sessions = 1;
    std::pair<base::Milliseconds, base::Milliseconds> think{500, 4000};
    std::pair<base::Milliseconds, base::Milliseconds> start{0, 2000}; // of a session's main agent
    AgentDialect dialect = AgentDialect::Messages;
    QString key;
    QString model = QStringLiteral("gpt-5.5"); // not claude-*: those may be routed elsewhere
    int maxRetries = 10;
    base::Milliseconds silence{300'000};
    std::uint64_t seed = 1;
};

// http only; a path before /v1 is kept (http://127.0.0.1:17421/k/KEY).
[[nodiscard]] tl::expected<QUrl, std::string> parseBaseUrl(const QString &text);

struct FleetResult
{
    std::uint64_t offered = 0; // turns begun
    std::uint64_t completed = 0;
    std::uint64_t lost = 0;
    std::uint64_t retries = 0;
    std::uint64_t toolCalls = 0;
    TokenUsage usage; // sums over completed turns
    std::vector<base::Milliseconds> waits; // of completed turns: first request to first event
    std::vector<base::Milliseconds> durations; // of completed turns
    QMap<QString, int> errors; // of lost turns

    // {offered, completed, lost, retries, tool_calls, wait_p50_s, wait_p95_s, wait_max_s,
    // turn_p50_s, turn_p95_s, input_tokens, cached_tokens, cached_ratio, errors{text: n}}
    [[nodiscard]] QJsonObject toJson() const;
};

// Simulated agents as a load. Each session has a main agent; when its first turn has ended, the
// other agents of the session start together, the way a fan-out does. Same seed, same
// conversations.
class AgentFleet final : public QObject
{
    Q_OBJECT

public:
    explicit AgentFleet(const FleetOptions &options, QObject *parent = nullptr);

    void start();
    // Drops every connection and finishes.
    void stop();

    [[nodiscard]] const FleetResult &result() const { return m_result; }
    [[nodiscard]] int turnsInFlight() const { return m_inFlight; }

Q_SIGNALS:
    void progressed(); // result() or turnsInFlight() changed
    void finished(); // once: every agent has ended, or stop()

private:
    Agent *addAgent(const QString &sessionId, const QString &agentId);
    void fanOut(std::size_t session);
    void count(const AgentTurn &turn);

    FleetOptions m_options;
    base::Random m_random;
    FleetResult m_result;
    std::vector<std::vector<Agent *>> m_waiting; // sub-agents by session, until they start
    std::vector<Agent *> m_mains;
    int m_running = 0;
    int m_inFlight = 0;
    bool m_finished = false;
};

} // namespace headway::simulator
