// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/anthropicrelay.h"

#include "proxy/core/dialects/replywriter.h"
#include "proxy/net/clock.h"

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

constexpr auto longestSilence = 600s; // the clients' own patience (protocol notes 4.1)
constexpr std::size_t mostBuffered = std::size_t{1} << 20U; // spec/safety.md
constexpr std::size_t largestAnswer = std::size_t{64} << 20U; // of one that is no stream

std::string targetOf(const net::Endpoint &anthropic, const std::string &path,
                     const std::string &query)
{
    std::string base = anthropic.url.path(QUrl::FullyEncoded).toStdString();
    while (!base.empty() && base.back() == '/')
        base.pop_back();
    return base + path + (query.empty() ? std::string() : '?' + query);
}

} // namespace

AnthropicRelay::AnthropicRelay(Services &services, net::Endpoint anthropic, Start start,
                               QObject *parent)
    : QObject(parent)
    , m_services(services)
    , m_turn(start.turn)
    , m_exchange(start.exchange)
    , m_session(std::move(start.session))
    , m_agent(std::move(start.agent))
    , m_start(net::readClock().steady)
{
    m_record.dialect = "messages";
    m_record.modelAsked = services.redact(start.model);
    m_record.model = m_record.modelAsked;
    m_record.admission = "none";
    m_record.attempts = 1;
    m_record.bytesIn = start.body.size();
    record(ledger::TurnStarted{
        m_record.dialect, m_record.modelAsked, m_record.model, {}, m_record.bytesIn});
    connect(start.exchange, &net::Exchange::clientGone, this, &AnthropicRelay::onClientGone);
    connect(start.exchange, &net::Exchange::drained, this,
            [this] { m_call.setReadingPaused(false); });
    connect(&m_call, &net::HttpsExchange::answered, this, &AnthropicRelay::onAnswered);
    connect(&m_call, &net::HttpsExchange::received, this, &AnthropicRelay::onReceived);
    connect(&m_call, &net::HttpsExchange::finished, this, &AnthropicRelay::onFinished);
    connect(&m_call, &net::HttpsExchange::failed, this,
            [this](net::HttpsExchange::Stage /*stage*/, const QString &why) { onFailed(why); });
    const net::RequestHead &head = start.exchange->head();
    net::HttpsRequest request;
    request.target = targetOf(anthropic, start.path, head.query);
    request.headers = turn::relayedRequest(head.headers);
    request.body = std::move(start.body);
    m_call.setIdleTimeout(longestSilence);
    m_call.start(anthropic, std::move(request));
}

void AnthropicRelay::abandon()
{
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::Unavailable;
    error.message = "Headway was stopped before this turn was complete. Send it again.";
    error.retryAfter = 5s;
    fail(error);
}

void AnthropicRelay::onAnswered(const net::UpgradeReply &head)
{
    m_head.status = head.status;
    m_head.headers = turn::relayedAnswer(head.headers);
    m_isStream = head.header("content-type").starts_with("text/event-stream");
    m_isReadable
        = head.header("content-encoding").empty() || head.header("content-encoding") == "identity";
    m_record.firstByteMs
        = std::chrono::duration<double, std::milli>(net::readClock().steady - m_start).count();
    if (m_isStream && m_exchange)
        m_exchange->openStream(m_head.status, m_head.headers);
}

void AnthropicRelay::onReceived(std::string_view bytes)
{
    if (m_over || !m_exchange)
        return;
    m_record.bytesOut += bytes.size();
    if (!m_isStream) {
        m_body += bytes;
        if (m_body.size() > largestAnswer)
            onFailed(QStringLiteral("the answer is too long"));
        return;
    }
    m_exchange->write(bytes);
    if (m_isReadable)
        m_usage.stream(bytes);
    if (m_exchange && m_exchange->buffered() > mostBuffered)
        m_call.setReadingPaused(true);
}

void AnthropicRelay::onFinished()
{
    if (m_over)
        return;
    if (!m_isStream && m_isReadable)
        m_usage.whole(m_body);
    const bool good = m_head.status == 200 && m_usage.errorType.empty();
    if (m_exchange && m_isStream)
        m_exchange->finish();
    else if (m_exchange)
        m_exchange->respond(m_head.status, m_head.headers, m_body);
    if (good)
        end("completed", {}, {});
    else
        end("failed", m_usage.errorType,
            "Anthropic answered with status " + std::to_string(m_head.status) + ".");
}

void AnthropicRelay::onFailed(const QString &reason)
{
    if (m_over)
        return;
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::Unreachable;
    error.message = m_services.redact("Anthropic: " + reason.toStdString());
    fail(error);
}

void AnthropicRelay::fail(const dialects::TurnError &error)
{
    m_call.abort();
    if (m_exchange && m_isStream)
        m_exchange->cut(); // what came is no whole answer, and must not look like one
    else if (m_exchange) {
        const auto answer = dialects::errorAnswer(dialects::Door::Messages, error, m_turn);
        m_exchange->respond(answer.status, answer.headers, answer.body);
    }
    end("failed", std::string(name(error.kind)), error.message);
}

void AnthropicRelay::onClientGone()
{
    if (m_over)
        return;
    m_call.abort();
    end("client_gone", {}, {});
}

void AnthropicRelay::end(const std::string &how, const std::string &errorType,
                         const std::string &reason)
{
    m_over = true;
    m_record.totalMs
        = std::chrono::duration<double, std::milli>(net::readClock().steady - m_start).count();
    m_record.inputTokens = m_usage.inputTokens + m_usage.cachedTokens + m_usage.writtenTokens;
    m_record.cachedTokens = m_usage.cachedTokens;
    m_record.cacheWriteTokens = m_usage.writtenTokens;
    m_record.outputTokens = m_usage.outputTokens;
    m_record.stopReason = m_usage.stopReason;
    m_record.end = how;
    m_record.errorType = errorType;
    m_record.reason = reason;
    record(std::move(m_record));
    deleteLater();
    Q_EMIT ended();
}

void AnthropicRelay::record(ledger::Body body)
{
    m_services.recorder.add(m_turn, m_session, m_agent, std::move(body), net::readClock().wall);
}

} // namespace headway::engine
