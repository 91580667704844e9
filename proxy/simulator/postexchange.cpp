// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/postexchange.h"

#include "proxy/simulator/websocketsession.h"

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace headway::simulator {

namespace {

QByteArray reasonPhrase(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 426:
        return "Upgrade Required";
    case 429:
        return "Too Many Requests";
    case 503:
        return "Service Unavailable";
    default:
        return "Status";
    }
}

} // namespace

QByteArray httpResponse(int status, const QByteArray &body,
                        const std::vector<std::pair<QByteArray, QByteArray>> &headers)
{
    QByteArray text
        = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reasonPhrase(status) + "\r\n";
    for (const auto &[name, value] : headers)
        text += name + ": " + value + "\r\n";
    if (!body.isEmpty())
        text += body.startsWith('<') ? "content-type: text/html; charset=UTF-8\r\n"
                                     : "content-type: application/json\r\n";
    return text + "content-length: " + QByteArray::number(static_cast<qlonglong>(body.size()))
        + "\r\n\r\n" + body;
}

PostExchange::PostExchange(ProviderState &state, QTcpSocket *socket, std::uint64_t connection,
                           QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_socket(socket)
    , m_connection(connection)
{
}

PostExchange::~PostExchange()
{
    if (!m_inFlight)
        return;
    if (!m_ended)
        ++m_state.statistics().cancelled;
    --m_state.statistics().responsesInFlight;
}

void PostExchange::start(const QByteArray &body)
{
    m_state.tell(m_connection, WireEvent::Kind::Post, body);
    Statistics &statistics = m_state.statistics();
    ++statistics.creates;
    ++statistics.responsesInFlight;
    m_inFlight = true;
    statistics.largestInFlight = std::max(statistics.largestInFlight, statistics.responsesInFlight);

    const QJsonDocument document = QJsonDocument::fromJson(body);
    if (!document.isObject())
        return fail(badRequest("We could not parse the JSON body of your request.", {}));
    const QJsonObject request = document.object();
    m_streams = request.value(QLatin1String("stream")).toBool();
    if (const auto error = checkFields(
            request, {.overWebSocket = false, .planEndpoint = m_state.scenario().planEndpoint}))
        return fail(*error);
    const QString id = request.value(QLatin1String("previous_response_id")).toString();
    const ChainContext *parent = id.isEmpty() ? nullptr : m_state.stored(id);
    if (!id.isEmpty() && !parent)
        return fail(badRequest("Previous response with id '" + id.toUtf8() + "' not found.",
                               "previous_response_id", "previous_response_not_found"));
    const std::optional<Fault> fault = m_state.faults().onTurn(ProviderState::now());
    if (fault && fault->kind != Fault::Kind::EmptyCompleted && fault->afterEvents == 0)
        return applyFault(*fault);
    auto turn = m_state.begin(request, parent, false, {},
                              fault && fault->kind == Fault::Kind::EmptyCompleted);
    if (!turn)
        return fail(turn.error());
    run(std::move(*turn), fault);
}

void PostExchange::run(RunningTurn turn, const std::optional<Fault> &fault)
{
    auto *responder = new Responder(std::move(turn.script), turn.pace, m_socket, this);
    connect(responder, &Responder::eventDue, this, &PostExchange::send);
    connect(responder, &Responder::finished, this,
            [this, responder, accepted = std::move(turn.accepted)] {
                complete(accepted, responder->script());
            });
    if (fault && fault->afterEvents > 0) {
        responder->stopAfter(static_cast<std::size_t>(fault->afterEvents));
        connect(responder, &Responder::stopped, this, [this, fault] { applyFault(*fault); });
    }
    responder->start();
}

void PostExchange::send(const ScriptEvent &event)
{
    if (!m_ended)
        m_state.tell(m_connection, WireEvent::Kind::Reply, event.json);
    if (m_streams)
        sendChunk("event: " + event.type + "\ndata: " + event.json + "\n\n");
}

void PostExchange::sendChunk(const QByteArray &bytes)
{
    if (m_ended)
        return;
    if (!std::exchange(m_headSent, true)) {
        QByteArray head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
                          "cache-control: no-cache\r\n";
        for (const auto &[name, value] : m_state.rateHeaders())
            head += name + ": " + value + "\r\n";
        m_socket->write(head + "transfer-encoding: chunked\r\n\r\n");
    }
    m_socket->write(QByteArray::number(static_cast<qlonglong>(bytes.size()), 16) + "\r\n" + bytes
                    + "\r\n");
}

void PostExchange::complete(const AcceptedTurn &turn, const EventScript &script)
{
    (void)m_state.complete(turn, script);
    m_inFlight = false;
    --m_state.statistics().responsesInFlight;
    m_socket->write(m_streams ? QByteArray("0\r\n\r\n")
                              : httpResponse(200, script.finalResponse, m_state.rateHeaders()));
    Q_EMIT done();
}

void PostExchange::fail(const ApiError &error)
{
    const QByteArray &name = error.code.isEmpty() ? error.message : error.code;
    ++m_state.statistics().errors[name.toStdString()];
    m_inFlight = false;
    --m_state.statistics().responsesInFlight;
    if (m_headSent) {
        sendChunk("event: error\ndata: " + error.frame({}) + "\n\n");
        m_socket->write("0\r\n\r\n");
        return Q_EMIT done();
    }
    auto headers = m_state.rateHeaders();
    if (error.retryAfterSeconds)
        headers.emplace_back("retry-after", QByteArray::number(*error.retryAfterSeconds));
    m_socket->write(httpResponse(error.status, "{\"error\":" + error.object() + '}', headers));
    Q_EMIT done();
}

void PostExchange::applyFault(const Fault &fault)
{
    if (fault.kind == Fault::Kind::Silence)
        return; // without frames there are no pongs to withhold
    if (fault.kind == Fault::Kind::ErrorEvent)
        return fail(faultError(fault));
    strike(fault);
}

void PostExchange::strike(const Fault &fault)
{
    if (std::exchange(m_ended, true) || fault.kind == Fault::Kind::Silence)
        return;
    if (fault.kind == Fault::Kind::Reset)
        resetConnection(m_socket);
    else
        m_socket->disconnectFromHost();
}

} // namespace headway::simulator
