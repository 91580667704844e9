// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/websocketsession.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QTimer>
#include <QtEndian>

#include <algorithm>
#include <sys/socket.h>
#include <utility>

namespace headway::simulator {

namespace {

constexpr std::uint64_t maxInFlight = 16;
constexpr std::size_t maxNamedLanes = 32;

QByteArray laneOf(const QJsonObject &request)
{
    return request.value(QLatin1String("stream_id")).toString().toUtf8();
}

QString parentId(const QJsonObject &request)
{
    return request.value(QLatin1String("previous_response_id")).toString();
}

int closeCodeOf(const QByteArray &payload)
{
    constexpr int none = 1005; // RFC 6455 section 7.1.5
    return payload.size() < 2 ? none : qFromBigEndian<std::uint16_t>(payload.constData());
}

} // namespace

void resetConnection(QTcpSocket *socket)
{
    // With a linger of zero the kernel drops what is unsent and answers with RST.
    const ::linger now{1, 0};
    ::setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &now,
                 sizeof(now));
    socket->abort();
}

WebSocketSession::WebSocketSession(ProviderState &state, QTcpSocket *socket,
                                   std::uint64_t connection, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_socket(socket)
    , m_connection(connection)
    , m_frames(state.scenario().maxFrameBytes)
{
    auto *age = new QTimer(this);
    age->setSingleShot(true);
    connect(age, &QTimer::timeout, this, &WebSocketSession::expire);
    age->start(state.scenario().connectionMaxAge);
}

WebSocketSession::~WebSocketSession()
{
    if (!m_ended)
        m_state.statistics().cancelled += m_running;
    m_state.statistics().responsesInFlight -= m_running;
}

void WebSocketSession::read(QByteArrayView bytes)
{
    if (m_ended || m_dead)
        return;
    m_frames.append(bytes);
    while (const auto message = m_frames.next()) {
        take(*message);
        if (m_ended || m_dead)
            return;
    }
    if (const auto &error = m_frames.error())
        closeWith(error->closeCode, error->reason);
}

void WebSocketSession::take(const WebSocketMessage &message)
{
    switch (message.opcode) {
    case Opcode::Ping:
        m_state.tell(m_connection, WireEvent::Kind::Ping);
        m_socket->write(encodeFrame(Opcode::Pong, message.payload));
        return;
    case Opcode::Close:
        // Not our end: what was running counts as cancelled when the session goes.
        m_state.tell(m_connection, WireEvent::Kind::Close, {}, closeCodeOf(message.payload));
        m_socket->write(encodeFrame(Opcode::Close, message.payload));
        m_socket->disconnectFromHost();
        return;
    case Opcode::Binary:
        refuse(badRequest("Binary messages are not supported.", {}, "invalid_message"), {});
        return closeWith(1003, "binary message");
    case Opcode::Text:
        return takeText(message.payload);
    case Opcode::Pong:
    case Opcode::Continuation:
        return;
    }
}

void WebSocketSession::takeText(const QByteArray &text)
{
    m_state.tell(m_connection, WireEvent::Kind::Create, text);
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (!document.isObject())
        return refuse(
            badRequest("Invalid JSON: " + problem.errorString().toUtf8() + '.', {}, "invalid_json"),
            {});
    const QJsonObject request = document.object();
    const QString type = request.value(QLatin1String("type")).toString();
    if (type == QLatin1String("response.create"))
        return takeCreate(request);
    if (type == QLatin1String("response.steer"))
        return refuse(
            badRequest("Steering is not supported by this model.", {}, "steering_not_supported"),
            {});
    refuse(badRequest("Invalid value: '" + type.toUtf8()
                          + "'. Supported values are: 'response.create', 'response.steer'.",
                      "type", "invalid_value"),
           {});
}

std::optional<ApiError> WebSocketSession::checkLane(const QJsonObject &request) const
{
    static const QRegularExpression syntax(QStringLiteral("^[A-Za-z0-9_.-]{1,256}$"));
    if (!request.contains(QLatin1String("stream_id")) || !m_state.scenario().lanes)
        return std::nullopt;
    const QByteArray name = laneOf(request);
    if (!syntax.match(QString::fromUtf8(name)).hasMatch())
        return badRequest("Invalid 'stream_id'.", "stream_id", "invalid_stream_id");
    const std::size_t named = m_lanes.size() - m_lanes.count(QByteArray());
    if (m_lanes.find(name) == m_lanes.end() && named >= maxNamedLanes)
        return badRequest("This connection has used its 32 streams.", "stream_id",
                          "websocket_stream_limit_reached");
    return std::nullopt;
}

void WebSocketSession::takeCreate(const QJsonObject &request)
{
    Statistics &statistics = m_state.statistics();
    ++statistics.creates;
    if (const auto error = checkLane(request))
        return refuse(*error, laneOf(request));
    const QByteArray name = m_state.scenario().lanes ? laneOf(request) : QByteArray();
    Lane &lane = m_lanes[name];
    ++lane.outstanding;
    statistics.largestOverlap = std::max(statistics.largestOverlap, lane.outstanding);
    m_waiting.push_back({name, request});
    startWaiting();
}

void WebSocketSession::startWaiting()
{
    if (m_expired && m_running == 0)
        return expire();
    for (std::size_t i = 0; i < m_waiting.size() && m_running < maxInFlight && !m_ended;) {
        if (m_expired || m_lanes[m_waiting[i].lane].busy) {
            ++i;
            continue;
        }
        const Create create = std::move(m_waiting[i]);
        m_waiting.erase(m_waiting.begin() + static_cast<std::ptrdiff_t>(i));
        begin(create);
    }
}

tl::expected<WebSocketSession::Parent, ApiError>
WebSocketSession::parentOf(const Create &create) const
{
    const QString id = parentId(create.request);
    if (id.isEmpty())
        return Parent{};
    for (const auto &[name, lane] : m_lanes) {
        if (lane.latest && lane.latest->id == id)
            return Parent{&lane.latest->context, true, name == create.lane};
    }
    if (const ChainContext *stored = m_state.stored(id))
        return Parent{stored, false, false};
    return tl::unexpected(badRequest("Previous response with id '" + id.toUtf8() + "' not found.",
                                     "previous_response_id", "previous_response_not_found"));
}

void WebSocketSession::begin(const Create &create)
{
    Lane &lane = m_lanes[create.lane];
    lane.busy = true;
    ++m_running;
    Statistics &statistics = m_state.statistics();
    ++statistics.responsesInFlight;
    statistics.largestInFlight = std::max(statistics.largestInFlight, statistics.responsesInFlight);

    const auto parent = parentOf(create);
    if (!parent)
        return fail(create, parent.error(), false);
    if (const auto error = checkFields(create.request,
                                       {.overWebSocket = true,
                                        .lanes = m_state.scenario().lanes,
                                        .planEndpoint = m_state.scenario().planEndpoint}))
        return fail(create, *error, parent->sameLane);
    const std::optional<Fault> fault = m_state.faults().onTurn(ProviderState::now());
    if (fault && fault->kind != Fault::Kind::EmptyCompleted && fault->afterEvents == 0)
        return applyFault(create, *fault);
    auto turn = m_state.begin(create.request, parent->context, parent->cached, create.lane,
                              fault && fault->kind == Fault::Kind::EmptyCompleted);
    if (!turn)
        return fail(create, turn.error(), parent->sameLane);
    run(create, std::move(*turn), fault);
}

void WebSocketSession::run(const Create &create, RunningTurn turn,
                           const std::optional<Fault> &fault)
{
    if (m_state.scenario().planEndpoint)
        sendText(
            "{\"type\":\"codex.rate_limits\",\"plan_type\":\"plus\",\"rate_limits\":{\"allowed\":"
            "true,\"limit_reached\":false,\"primary\":{\"used_percent\":1,\"window_minutes\":300,"
            "\"reset_after_seconds\":3600}}}");
    auto *responder = new Responder(std::move(turn.script), turn.pace, m_socket, this);
    connect(responder, &Responder::eventDue, this,
            [this](const ScriptEvent &event) { sendText(event.json); });
    connect(responder, &Responder::finished, this,
            [this, responder, lane = create.lane, accepted = std::move(turn.accepted)] {
                responder->deleteLater();
                complete(lane, accepted, responder->script());
            });
    if (fault && fault->afterEvents > 0) {
        responder->stopAfter(static_cast<std::size_t>(fault->afterEvents));
        connect(responder, &Responder::stopped, this, [this, responder, create, fault] {
            responder->deleteLater();
            applyFault(create, *fault);
        });
    }
    responder->start();
}

void WebSocketSession::complete(const QByteArray &lane, const AcceptedTurn &turn,
                                const EventScript &script)
{
    if (m_dead)
        return; // it never got through
    m_lanes[lane].latest = Memory{script.responseId, m_state.complete(turn, script)};
    release(lane);
}

void WebSocketSession::fail(const Create &create, const ApiError &error, bool evict)
{
    if (m_dead)
        return;
    // A same-lane continuation that fails costs the parent its place in memory (protocols.md 1.4).
    if (evict)
        m_lanes[create.lane].latest.reset();
    refuse(error, create.lane);
    release(create.lane);
}

void WebSocketSession::applyFault(const Create &create, const Fault &fault)
{
    if (fault.kind == Fault::Kind::Silence && fault.pongs)
        return; // the lane stays busy: nothing more comes
    if (fault.kind != Fault::Kind::ErrorEvent)
        return strike(fault);
    const auto &latest = m_lanes[create.lane].latest;
    fail(create, faultError(fault), latest && latest->id == parentId(create.request));
}

void WebSocketSession::release(const QByteArray &lane)
{
    Lane &place = m_lanes[lane];
    place.busy = false;
    --place.outstanding;
    --m_running;
    --m_state.statistics().responsesInFlight;
    if (!m_ended)
        startWaiting();
}

void WebSocketSession::expire()
{
    m_expired = true;
    if (m_running > 0 || m_dead)
        return; // ends with the last running response
    refuse(badRequest("Responses websocket connection limit reached. Create a new websocket "
                      "connection to continue.",
                      {}, "websocket_connection_limit_reached"),
           {});
    closeWith(1001, "connection limit reached");
}

void WebSocketSession::sendText(const QByteArray &json)
{
    if (m_ended || m_dead)
        return;
    m_state.tell(m_connection, WireEvent::Kind::Reply, json);
    m_socket->write(encodeFrame(Opcode::Text, json));
}

void WebSocketSession::refuse(const ApiError &error, const QByteArray &lane)
{
    const QByteArray &name = error.code.isEmpty() ? error.message : error.code;
    ++m_state.statistics().errors[name.toStdString()];
    sendText(error.frame(lane));
}

void WebSocketSession::closeWith(std::uint16_t code, const QByteArray &reason)
{
    if (std::exchange(m_ended, true))
        return;
    m_socket->write(encodeClose(code, reason));
    m_socket->disconnectFromHost();
}

void WebSocketSession::strike(const Fault &fault)
{
    if (fault.kind == Fault::Kind::Close)
        return closeWith(fault.closeCode, "scenario");
    if (fault.kind == Fault::Kind::Silence) {
        m_dead = true;
        return;
    }
    if (std::exchange(m_ended, true))
        return;
    if (fault.kind == Fault::Kind::Reset)
        resetConnection(m_socket);
    else
        m_socket->disconnectFromHost();
}

} // namespace headway::simulator
