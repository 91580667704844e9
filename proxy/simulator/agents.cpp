// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/agents.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway::simulator {

namespace {

constexpr double fanOutSpreadMs = 50; // measured: 6 agents within 50 ms

QString hex(base::Random &random, int digits)
{
    QString text;
    while (text.size() < digits)
        text += QString::number(random.next(), 16).rightJustified(16, u'0');
    return text.left(digits);
}

QString uuid(base::Random &random)
{
    return hex(random, 8) + u'-' + hex(random, 4) + QStringLiteral("-4") + hex(random, 3)
        + QStringLiteral("-a") + hex(random, 3) + u'-' + hex(random, 12);
}

base::Milliseconds draw(base::Random &random, double low, double high)
{
    return base::Milliseconds{std::llround(random.uniform(low, high))};
}

// Nearest rank, in seconds; 0 without values.
double percentile(std::vector<base::Milliseconds> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank
        = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return static_cast<double>(values[std::max<std::size_t>(rank, 1) - 1].count()) / 1000.0;
}

} // namespace

tl::expected<QUrl, std::string> parseBaseUrl(const QString &text)
{
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.scheme() != QLatin1String("http") || url.host().isEmpty())
        return tl::unexpected("base URL '" + text.toStdString()
                              + "': expected http://HOST:PORT, with a path prefix where needed");
    return url;
}

QJsonObject FleetResult::toJson() const
{
    const auto whole = [](std::uint64_t value) { return static_cast<qint64>(value); };
    QJsonObject byError;
    for (auto it = errors.constBegin(); it != errors.constEnd(); ++it)
        byError.insert(it.key(), it.value());
    const double ratio = usage.input > 0
        ? static_cast<double>(usage.cached) / static_cast<double>(usage.input)
        : 0;
    return {{QStringLiteral("offered"), whole(offered)},
            {QStringLiteral("completed"), whole(completed)},
            {QStringLiteral("lost"), whole(lost)},
            {QStringLiteral("retries"), whole(retries)},
            {QStringLiteral("tool_calls"), whole(toolCalls)},
            {QStringLiteral("wait_p50_s"), percentile(waits, 0.5)},
            {QStringLiteral("wait_p95_s"), percentile(waits, 0.95)},
            {QStringLiteral("wait_max_s"), percentile(waits, 1)},
            {QStringLiteral("turn_p50_s"), percentile(durations, 0.5)},
            {QStringLiteral("turn_p95_s"), percentile(durations, 0.95)},
            {QStringLiteral("input_tokens"), usage.input},
            {QStringLiteral("cached_tokens"), usage.cached},
            {QStringLiteral("cached_ratio"), ratio},
            {QStringLiteral("errors"), byError}};
}

AgentFleet::AgentFleet(const FleetOptions &options, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_random(options.seed)
{
    const int sessions = std::max(1, std::min(m_options.sessions, m_options.count));
    m_waiting.resize(static_cast<std::size_t>(sessions));
    QStringList ids;
    for (int i = 0; i < m_options.count; ++i) {
        const auto session = static_cast<std::size_t>(i % sessions);
        if (i < sessions)
            ids.append(uuid(m_random));
        const QString id = ids.at(static_cast<qsizetype>(session));
        if (i < sessions)
            m_mains.push_back(addAgent(id, {}));
        else
            m_waiting[session].push_back(addAgent(id, u'a' + hex(m_random, 16)));
    }
}

Agent *AgentFleet::addAgent(const QString &sessionId, const QString &agentId)
{
    auto *agent = new Agent({.baseUrl = m_options.baseUrl,
                             .dialect = m_options.dialect,
                             .identity = {.sessionId = sessionId,
                                          .agentId = agentId,
                                          .key = m_options.key,
                                          .model = m_options.model},
                             .turns = m_options.turns,
                             .turnsPerConversation = m_options.turnsPerConversation,
                             .think = m_options.think,
                             .maxRetries = m_options.maxRetries,
                             .silence = m_options.silence,
                             .seed = m_random.next()},
                            this);
    ++m_running;
    connect(agent, &Agent::turnStarted, this, [this] {
        ++m_result.offered;
        ++m_inFlight;
        Q_EMIT progressed();
    });
    connect(agent, &Agent::retried, this, [this] {
        ++m_result.retries;
        Q_EMIT progressed();
    });
    connect(agent, &Agent::turnEnded, this, &AgentFleet::count);
    connect(agent, &Agent::finished, this, [this] {
        if (--m_running == 0 && !std::exchange(m_finished, true))
            Q_EMIT finished();
    });
    return agent;
}

void AgentFleet::start()
{
    for (std::size_t session = 0; session < m_mains.size(); ++session) {
        Agent *main = m_mains[session];
        connect(main, &Agent::turnEnded, this, [this, session] { fanOut(session); });
        main->start(draw(m_random, static_cast<double>(m_options.start.first.count()),
                         static_cast<double>(m_options.start.second.count())));
    }
    if (m_mains.empty() && !std::exchange(m_finished, true))
        Q_EMIT finished();
}

void AgentFleet::fanOut(std::size_t session)
{
    for (Agent *agent : std::exchange(m_waiting[session], {}))
        agent->start(draw(m_random, 0, fanOutSpreadMs));
}

void AgentFleet::count(const AgentTurn &turn)
{
    --m_inFlight;
    if (turn.completed) {
        ++m_result.completed;
        m_result.toolCalls += static_cast<std::uint64_t>(turn.toolCalls);
        m_result.usage.input += turn.usage.input;
        m_result.usage.cached += turn.usage.cached;
        m_result.usage.output += turn.usage.output;
        m_result.waits.push_back(turn.wait);
        m_result.durations.push_back(turn.duration);
    } else {
        ++m_result.lost;
        ++m_result.errors[turn.error];
    }
    Q_EMIT progressed();
}

void AgentFleet::stop()
{
    for (Agent *agent : findChildren<Agent *>(Qt::FindDirectChildrenOnly))
        agent->stop();
    m_inFlight = 0;
    if (!std::exchange(m_finished, true))
        Q_EMIT finished();
}

} // namespace headway::simulator
