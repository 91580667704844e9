// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/agent.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <utility>

namespace headway::simulator {

namespace {

// What a refusal says about itself, in a few words.
QString errorText(int status, const QByteArray &body)
{
    const QJsonObject error
        = QJsonDocument::fromJson(body).object().value(QLatin1String("error")).toObject();
    QString kind = error.value(QLatin1String("type")).toString();
    if (kind.isEmpty())
        kind = error.value(QLatin1String("code")).toString();
    return QStringLiteral("HTTP %1 %2").arg(status).arg(kind).trimmed();
}

} // namespace

Agent::Agent(AgentPlan plan, QObject *parent)
    : QObject(parent)
    , m_plan(std::move(plan))
    , m_random(m_plan.seed)
    , m_conversation(makeConversation(m_plan.dialect, m_plan.identity))
    , m_call(m_plan.baseUrl.host(), static_cast<quint16>(m_plan.baseUrl.port(80)), this)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_inTurn)
            send();
        else
            beginTurn();
    });
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        m_call.abort();
        takeFailure(QStringLiteral("silence"));
    });
    connect(&m_call, &HttpCall::headArrived, this, &Agent::takeHead);
    connect(&m_call, &HttpCall::bodyArrived, this, &Agent::takeBody);
    connect(&m_call, &HttpCall::finished, this, &Agent::takeEnd);
    connect(&m_call, &HttpCall::failed, this, &Agent::takeFailure);
}

void Agent::start(base::Milliseconds delay)
{
    m_pause.start(delay);
}

void Agent::stop()
{
    m_pause.stop();
    m_silence.stop();
    m_call.abort();
}

base::Milliseconds Agent::sinceStart() const
{
    return base::Milliseconds{m_clock.elapsed()};
}

QString Agent::nextPrompt()
{
    const double draw = m_random.uniform(0, 1);
    // The last turn is text, so that the agent ends with an answer and not with an open call.
    const bool last = m_plan.turns > 0 && m_turn >= m_plan.turns;
    const char *shape = last || draw < 0.3 ? "text"
        : draw < 0.45                      ? "reasoning"
        : draw < 0.9                       ? "tool"
                                           : "tools 2";
    return QStringLiteral("Step %1: look at part %2 of the tree. simulate:%3")
        .arg(m_turn)
        .arg(m_random.next() % 100'000)
        .arg(QLatin1String(shape));
}

void Agent::beginTurn()
{
    ++m_turn;
    m_inTurn = true;
    m_retries = 0;
    m_clock.start();
    const int most = m_plan.turnsPerConversation;
    if (most > 0 && m_turn > 1 && (m_turn - 1) % most == 0)
        m_conversation = makeConversation(m_plan.dialect, m_plan.identity);
    if (!m_conversation->hasUnsent())
        m_conversation->addPrompt(nextPrompt());
    Q_EMIT turnStarted();
    send();
}

void Agent::send()
{
    m_conversation->dropReply();
    m_events = SseReader();
    m_errorBody.clear();
    m_sawEvent = false;
    m_silence.start(m_plan.silence);
    QByteArray target = m_plan.baseUrl.path(QUrl::FullyEncoded).toLatin1();
    while (target.endsWith('/'))
        target.chop(1);
    m_call.post(target + m_conversation->path(), m_conversation->headers(), m_conversation->body());
}

void Agent::takeHead(const MessageHead &head)
{
    m_head = head;
    m_silence.start(m_plan.silence);
}

void Agent::takeBody(const QByteArray &bytes)
{
    m_silence.start(m_plan.silence);
    if (m_head.startLine.value(1) != "200") {
        m_errorBody.append(bytes);
        return;
    }
    m_events.append(bytes);
    while (const auto event = m_events.next()) {
        if (event->name == "ping")
            continue;
        if (!std::exchange(m_sawEvent, true))
            m_wait = sinceStart();
        m_conversation->take(*event);
    }
}

void Agent::takeEnd()
{
    const int status = m_head.startLine.value(1).toInt();
    if (status != 200)
        return retryOrLose({.status = status,
                            .overloaded = status == 529 || m_errorBody.contains("overloaded_error"),
                            .retryAfter = m_head.header("retry-after"),
                            .shouldRetry = m_head.header("x-should-retry")},
                           errorText(status, m_errorBody));
    AgentTurn turn{.error = m_conversation->error()};
    if (turn.error.isEmpty() && !m_conversation->isComplete())
        turn.error = QStringLiteral("the stream ended without its last event");
    turn.usage = m_conversation->usage();
    if (turn.error.isEmpty()) {
        turn.toolCalls = m_conversation->keepReply();
        turn.completed = turn.toolCalls >= 0;
        turn.error = m_conversation->error();
    }
    endTurn(turn);
}

void Agent::takeFailure(const QString &reason)
{
    // An honest error event comes before the cut (turns.md): it says more than the cut.
    if (!m_conversation->error().isEmpty())
        return endTurn({.error = m_conversation->error()});
    if (m_conversation->isComplete())
        return takeEnd();
    retryOrLose({}, reason);
}

void Agent::retryOrLose(const FailedAttempt &attempt, const QString &error)
{
    const auto delay = retryDelay(attempt, m_retries, m_plan.maxRetries, m_random);
    if (!delay)
        return endTurn({.error = error});
    ++m_retries;
    m_silence.stop();
    Q_EMIT retried();
    m_pause.start(*delay);
}

void Agent::endTurn(AgentTurn turn)
{
    m_silence.stop();
    m_inTurn = false;
    turn.wait = m_sawEvent ? m_wait : sinceStart();
    turn.duration = sinceStart();
    Q_EMIT turnEnded(turn);
    if (m_plan.turns > 0 && m_turn >= m_plan.turns)
        return Q_EMIT finished();
    const auto low = static_cast<double>(m_plan.think.first.count());
    const auto high = static_cast<double>(m_plan.think.second.count());
    m_pause.start(base::Milliseconds{std::llround(m_random.uniform(low, high))});
}

} // namespace headway::simulator
