// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/providerconnection.h"

#include "proxy/simulator/postexchange.h"
#include "proxy/simulator/websocketframes.h"
#include "proxy/simulator/websocketsession.h"

#include <QTimer>

#include <cmath>

namespace headway::simulator {

namespace {

QByteArray pathOf(const MessageHead &head)
{
    const QByteArray target = head.startLine.value(1);
    const qsizetype query = target.indexOf('?');
    return query < 0 ? target : target.left(query);
}

bool wantsWebSocket(const MessageHead &head)
{
    return head.header("upgrade").toLower() == "websocket"
        && head.header("connection").toLower().contains("upgrade");
}

QByteArray errorBody(const QByteArray &message, const QByteArray &type)
{
    ApiError error;
    error.type = type;
    error.message = message;
    return "{\"error\":" + error.object() + '}';
}

// What the edge writes besides the status (protocols.md 1.6): a throttling 403 is empty.
QByteArray refusalBody(int status)
{
    if (status == 403)
        return {};
    if (status == 429)
        return errorBody("Too many connections.", "rate_limit_error");
    return errorBody("The server is not taking connections.", "server_error");
}

QByteArray inSeconds(base::Milliseconds duration)
{
    return QByteArray::number(static_cast<double>(duration.count()) / 1000.0, 'g', 12);
}

QByteArray headersOf(const MessageHead &head)
{
    QByteArray text;
    for (const auto &[name, value] : head.headers)
        text += name + ": " + value + '\n';
    return text;
}

} // namespace

ProviderConnection::ProviderConnection(ProviderState &state, QTcpSocket *socket, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_socket(socket)
    , m_number(state.nextConnection())
{
    socket->setParent(this);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(socket, &QTcpSocket::readyRead, this, &ProviderConnection::readMore);
    connect(socket, &QTcpSocket::disconnected, this, &QObject::deleteLater);
}

ProviderConnection::~ProviderConnection()
{
    m_socket->disconnect(this);
    delete m_session; // they write to the socket, a child of this
    delete m_exchange;
    m_state.tell(m_number, WireEvent::Kind::Gone);
    if (m_admitted)
        --m_state.statistics().openSockets;
}

void ProviderConnection::strike(const Fault &fault)
{
    if (m_session)
        m_session->strike(fault);
    else if (m_exchange)
        m_exchange->strike(fault);
}

void ProviderConnection::readMore()
{
    if (m_session)
        return m_session->read(m_socket->readAll());
    m_buffer.append(m_socket->readAll());
    readRequests();
}

void ProviderConnection::readRequests()
{
    while (!m_busy) {
        if (!m_head) {
            auto head = takeHead(m_buffer);
            auto reader = head && *head ? BodyReader::of(**head, false)
                                        : tl::expected<BodyReader, std::string>();
            if (!head || !reader)
                return answerAndClose(
                    httpResponse(400, errorBody("Malformed request.", "invalid_request_error")));
            if (!*head)
                return;
            m_head = std::move(**head);
            m_bodyReader = *reader;
            m_body.clear();
            if (m_head->header("expect").toLower() == "100-continue")
                m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
        }
        const auto bytes = m_bodyReader.take(m_buffer);
        if (!bytes)
            return answerAndClose(
                httpResponse(400, errorBody("Malformed body.", "invalid_request_error")));
        m_body.append(*bytes);
        if (!m_bodyReader.complete())
            return;
        const MessageHead head = std::move(*m_head);
        m_head.reset();
        handle(head, m_body);
    }
}

void ProviderConnection::handle(const MessageHead &head, const QByteArray &body)
{
    const QByteArray method = head.startLine.value(0);
    const QByteArray path = pathOf(head);
    const bool responses = path.endsWith("/responses");
    if (responses && method == "GET" && wantsWebSocket(head))
        return takeUpgrade(head);
    if (responses && method == "POST") {
        m_busy = true;
        m_exchange = new PostExchange(m_state, m_socket, m_number, this);
        connect(m_exchange, &PostExchange::done, this, [this] {
            m_exchange->deleteLater();
            m_exchange = nullptr;
            m_busy = false;
            // Not from within the exchange: the next request may already be there.
            QTimer::singleShot(0, this, &ProviderConnection::readRequests);
        });
        return m_exchange->start(body);
    }
    if (path.endsWith("/models") && method == "GET") {
        m_socket->write(
            httpResponse(200,
                         "{\"object\":\"list\",\"data\":[{\"id\":\"simulated\",\"object\":"
                         "\"model\",\"created\":1,\"owned_by\":\"headway\"}]}"));
        return;
    }
    m_socket->write(
        responses ? httpResponse(
            405, errorBody("Use POST or a WebSocket upgrade.", "invalid_request_error"))
                  : httpResponse(404, errorBody("Unknown route.", "invalid_request_error")));
}

void ProviderConnection::takeUpgrade(const MessageHead &head)
{
    m_busy = true;
    const QByteArray key = head.header("sec-websocket-key");
    if (head.header("sec-websocket-version") != "13")
        return answerAndClose(httpResponse(426, {}, {{"sec-websocket-version", "13"}}));
    if (QByteArray::fromBase64(key).size() != 16)
        return answerAndClose(
            httpResponse(400, errorBody("Bad Sec-WebSocket-Key.", "invalid_request_error")));
    const QByteArray asked = headersOf(head);
    const int delay = static_cast<int>(m_state.draw(m_state.scenario().connect).count());
    if (const auto fault = m_state.faults().onUpgrade(ProviderState::now())) {
        if (fault->kind == Fault::Kind::SwallowUpgrades) {
            ++m_state.statistics().upgradesSwallowed;
            return;
        }
        ++m_state.statistics().upgradesRejected;
        const QByteArray body
            = fault->kind == Fault::Kind::UpgradeBody ? fault->body : refusalBody(fault->status);
        const Refusal refusal{fault->status, body, fault->retryAfter, fault->headers};
        QTimer::singleShot(delay, this, [this, refusal, asked] { refuseUpgrade(refusal, asked); });
        return;
    }
    const UpgradeVerdict verdict = m_state.askUpgrade();
    m_admitted = verdict.accepted;
    QTimer::singleShot(delay, this, [this, verdict, key, asked] {
        if (verdict.accepted)
            acceptUpgrade(key, asked);
        else
            refuseUpgrade({verdict.status, refusalBody(verdict.status), verdict.retryAfter, {}},
                          asked);
    });
}

void ProviderConnection::refuseUpgrade(const Refusal &refusal, const QByteArray &asked)
{
    m_state.tell(m_number, WireEvent::Kind::Rejected, asked, refusal.status);
    auto headers = refusal.headers;
    headers.emplace_back("connection", "close");
    if (refusal.retryAfter)
        headers.emplace_back("retry-after", inSeconds(*refusal.retryAfter));
    answerAndClose(httpResponse(refusal.status, refusal.body, headers));
}

void ProviderConnection::acceptUpgrade(const QByteArray &key, const QByteArray &asked)
{
    m_state.tell(m_number, WireEvent::Kind::Opened, asked);
    QByteArray response = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n"
                          "connection: Upgrade\r\nsec-websocket-accept: "
        + acceptValue(key) + "\r\n";
    for (const auto &[name, value] : m_state.rateHeaders())
        response += name + ": " + value + "\r\n";
    m_socket->write(response + "\r\n");
    m_session = new WebSocketSession(m_state, m_socket, m_number, this);
    if (!m_buffer.isEmpty())
        m_session->read(std::exchange(m_buffer, {}));
}

void ProviderConnection::answerAndClose(const QByteArray &response)
{
    m_busy = true; // nothing more is read
    m_socket->write(response);
    m_socket->disconnectFromHost();
}

} // namespace headway::simulator
