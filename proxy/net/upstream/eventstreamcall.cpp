// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/eventstreamcall.h"

#include "proxy/net/upstream/headertext.h"

#include <utility>

namespace headway::net {

namespace {

constexpr std::string_view streamType = "text/event-stream";
// The end mark of chat completions, which some gateways send here as well: no event of a model.
constexpr std::string_view endMark = "[DONE]";

bool hasEvents(const UpgradeReply &head)
{
    const std::string type = lowered(head.header("content-type"));
    return head.status == 200
        && trimmed(std::string_view(type).substr(0, type.find(';'))) == streamType;
}

} // namespace

EventStreamCall::EventStreamCall(QObject *parent)
    : QObject(parent)
{
    m_refusalTimer.setSingleShot(true);
    connect(&m_refusalTimer, &QTimer::timeout, this, &EventStreamCall::refuse);
    connect(&m_exchange, &HttpsExchange::connected, this, &EventStreamCall::connected);
    connect(&m_exchange, &HttpsExchange::sent, this, &EventStreamCall::sent);
    connect(&m_exchange, &HttpsExchange::answered, this, &EventStreamCall::onAnswered);
    connect(&m_exchange, &HttpsExchange::received, this, &EventStreamCall::onReceived);
    connect(&m_exchange, &HttpsExchange::finished, this, &EventStreamCall::onFinished);
    connect(&m_exchange, &HttpsExchange::failed, this, &EventStreamCall::onFailed);
}

EventStreamCall::~EventStreamCall() = default;

void EventStreamCall::start(const Endpoint &endpoint, const RequestHeaders &headers,
                            std::string body, std::unique_ptr<HttpsConnection> reused,
                            std::chrono::milliseconds timeout)
{
    HttpsRequest request;
    request.headers = headers;
    request.headers.emplace_back("Content-Type", "application/json");
    request.headers.emplace_back("Accept", streamType);
    request.body = std::move(body);
    m_exchange.start(endpoint, std::move(request), std::move(reused), timeout);
}

void EventStreamCall::setIdleTimeout(std::chrono::milliseconds timeout)
{
    m_exchange.setIdleTimeout(timeout);
}

void EventStreamCall::onAnswered(const UpgradeReply &head)
{
    if (hasEvents(head)) {
        Q_EMIT accepted(head);
        return;
    }
    m_refusal = head;
    m_refusalTimer.start(longestRefusal);
}

void EventStreamCall::onReceived(std::string_view bytes)
{
    if (m_over)
        return;
    if (m_refusal.status == 0) {
        deliver(bytes);
        return;
    }
    m_refusal.body.append(bytes.substr(0, maxBodyBytes - m_refusal.body.size()));
    if (m_refusal.body.size() == maxBodyBytes)
        refuse();
}

void EventStreamCall::deliver(std::string_view bytes)
{
    while (!m_over && !m_paused) {
        const auto event = m_events.next(bytes);
        if (m_events.isTooLarge()) {
            stop();
            Q_EMIT failed(HttpsExchange::Stage::Exchanging,
                          QStringLiteral("an event was larger than %1 MiB")
                              .arg(dialects::EventStreamReader::maxDataBytes >> 20U));
            return;
        }
        if (!event)
            return;
        if (event->data != endMark)
            Q_EMIT received(event->data, event->capacity);
    }
    if (!m_over)
        m_pending.append(bytes);
}

void EventStreamCall::deliverPending()
{
    if (m_over || m_paused)
        return;
    if (!m_pending.empty())
        deliver(std::exchange(m_pending, {}));
    if (m_over || m_paused)
        return;
    if (m_finished)
        onFinished();
    else
        m_exchange.setReadingPaused(false);
}

void EventStreamCall::setReadingPaused(bool paused)
{
    m_paused = paused;
    if (paused)
        m_exchange.setReadingPaused(true);
    else // queued: nobody expects an event from within the call
        QMetaObject::invokeMethod(this, &EventStreamCall::deliverPending, Qt::QueuedConnection);
}

void EventStreamCall::onFinished()
{
    if (m_over)
        return;
    if (!m_finished) {
        m_finished = true;
        m_bytesUp = m_exchange.bytesUp();
        m_bytesDown = m_exchange.bytesDown();
        m_connection = m_exchange.takeConnection();
    }
    if (m_refusal.status != 0) {
        refuse();
        return;
    }
    if (m_paused || !m_pending.empty())
        return;
    m_over = true;
    Q_EMIT ended();
}

void EventStreamCall::onFailed(HttpsExchange::Stage stage, const QString &reason)
{
    if (m_over)
        return;
    // A refusal whose body breaks is still a refusal.
    if (m_refusal.status != 0) {
        refuse();
        return;
    }
    stop();
    Q_EMIT failed(stage, reason);
}

void EventStreamCall::refuse()
{
    if (m_over)
        return;
    if (m_finished)
        m_over = true;
    else
        stop();
    m_refusalTimer.stop();
    Q_EMIT refused(m_refusal);
}

void EventStreamCall::stop()
{
    m_over = true;
    m_bytesUp = m_exchange.bytesUp();
    m_bytesDown = m_exchange.bytesDown();
    m_exchange.abort();
}

void EventStreamCall::abort()
{
    m_refusalTimer.stop();
    stop();
}

std::unique_ptr<HttpsConnection> EventStreamCall::takeConnection()
{
    return std::move(m_connection);
}

std::uint64_t EventStreamCall::bytesUp() const
{
    return m_over || m_finished ? m_bytesUp : m_exchange.bytesUp();
}

std::uint64_t EventStreamCall::bytesDown() const
{
    return m_over || m_finished ? m_bytesDown : m_exchange.bytesDown();
}

} // namespace headway::net
