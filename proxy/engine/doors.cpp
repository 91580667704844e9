// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/doors.h"

#include "proxy/core/dialects/identity.h"
#include "proxy/core/dialects/planfields.h"
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/json/document.h"
#include "proxy/engine/anthropicrelay.h"
#include "proxy/engine/socketdoor.h"
#include "proxy/net/clock.h"

#include <QRandomGenerator>

#include <memory>
#include <utility>

namespace headway::engine {

namespace {

using dialects::Door;
using dialects::ErrorKind;
using dialects::TurnError;

constexpr base::Seconds upgradeRefusedEvery{60};
constexpr std::size_t bodySlack = 64; // spare bytes that the JSON reader may look at

dialects::ClientHeaders headersOf(const net::RequestHead &head)
{
    return {head.headers};
}

void respond(net::Exchange *exchange, const dialects::Answer &answer)
{
    exchange->respond(answer.status, answer.headers, answer.body);
}

tl::expected<dialects::TurnRequest, TurnError> readRequest(Door door,
                                                           std::shared_ptr<const std::string> body,
                                                           const dialects::ClientHeaders &headers)
{
    switch (door) {
    case Door::Messages:
        return dialects::readMessages(std::move(body), headers);
    case Door::ChatCompletions:
        return dialects::readChatCompletions(std::move(body), headers);
    case Door::Responses:
    case Door::ResponsesSocket:
        break;
    }
    return dialects::readResponses(std::move(body), headers, door);
}

TurnError draining()
{
    TurnError error;
    error.kind = ErrorKind::Unavailable;
    error.message = "Headway is shutting down and takes no new turns.";
    error.retryAfter = std::chrono::seconds{5};
    return error;
}

} // namespace

Doors::Doors(Services &services, Turns &turns, Rules rules, QObject *parent)
    : QObject(parent)
    , m_services(services)
    , m_turns(turns)
    , m_rules(std::move(rules))
    , m_nextTurn(QRandomGenerator::system()->generate64() | 1U)
{
}

void Doors::requested(net::Exchange *exchange)
{
    const net::RequestHead &head = exchange->head();
    switch (head.route) {
    case net::Route::Messages:
        turnRequested(exchange, Door::Messages);
        return;
    case net::Route::Responses:
        turnRequested(exchange, Door::Responses);
        return;
    case net::Route::ChatCompletions:
        turnRequested(exchange, Door::ChatCompletions);
        return;
    case net::Route::CountTokens:
        countTokens(exchange);
        return;
    case net::Route::Models:
        models(exchange);
        return;
    case net::Route::Health:
        exchange->respond(200, {{"content-type", "application/json"}}, "{\"status\":\"ok\"}");
        return;
    case net::Route::Probe:
        exchange->respond(200, {}, {});
        return;
    case net::Route::State:
        exchange->respond(200, {{"content-type", "application/json"}}, m_rules.state());
        return;
    case net::Route::Metrics:
        exchange->respond(200, {{"content-type", "text/plain; version=0.0.4; charset=utf-8"}},
                          m_rules.metrics());
        return;
    case net::Route::Feed: // an upgrade, never a request
        return;
    }
}

tl::expected<void, TurnError> Doors::route(dialects::TurnRequest &request) const
{
    if (m_draining)
        return tl::unexpected(draining());
    auto model = m_rules.models.route(request.modelAsked);
    if (!model)
        return tl::unexpected(std::move(model.error()));
    if (*model != request.model)
        dialects::setModel(request, *model);
    if (!request.identity.session.empty()) {
        std::string session = request.identity.session;
        if (m_rules.cacheKeyPerAgent && !request.identity.agent.empty())
            session += '/' + request.identity.agent;
        dialects::setCacheKey(request, m_services.installKey.cacheKey(session));
    }
    if (!request.identity.user.empty())
        request.wishes.user = m_services.installKey.userId(request.identity.user);
    dialects::grantWishes(request, m_rules.upstream);
    if (request.door == Door::Messages || request.door == Door::ChatCompletions)
        request.phases = m_services.phases;
    dialects::shape(request, m_rules.shaping());
    if (m_rules.upstream == dialects::UpstreamKind::Plan)
        dialects::keepFieldsOfPlan(request);
    return {};
}

void Doors::turnRequested(net::Exchange *exchange, Door door)
{
    const base::TurnId turn = nextTurn();
    const dialects::ClientHeaders headers = headersOf(exchange->head());
    std::string text = exchange->takeBody();
    if (door == Door::Messages && passedThrough(exchange, "/v1/messages", text))
        return;
    auto body = std::make_shared<const std::string>(std::move(text));
    const std::uint64_t bytesIn = body->size();
    auto request = readRequest(door, std::move(body), headers);
    if (!request) {
        respond(exchange, dialects::errorAnswer(door, request.error(), turn));
        return;
    }
    if (const auto routed = route(*request); !routed) {
        respond(exchange, dialects::errorAnswer(door, routed.error(), turn));
        return;
    }
    m_turns.begin({turn, std::move(*request), std::make_unique<HttpSink>(exchange),
                   m_rules.budget(), bytesIn});
}

// A claude-* model while Anthropic is an upstream (spec/turns.md). `body` is taken only then.
bool Doors::passedThrough(net::Exchange *exchange, std::string_view path, std::string &body)
{
    json::Document document;
    if (!m_rules.anthropic || m_draining || document.read(body))
        return false;
    const std::string model = document.root()["model"].text();
    if (!model.starts_with("claude-"))
        return false;
    const base::TurnId turn = nextTurn();
    // There the client's own credential is relayed, and ours must not stand in its place.
    if (exchange->head().keyPlace == net::KeyPlace::Credential) {
        TurnError error;
        error.kind = ErrorKind::Authentication;
        error.message = "Claude models are passed through with your own Anthropic credential: give "
                        "Headway's key as x-headway-key or in the path (headway env claude prints "
                        "it), and leave x-api-key and Authorization to Anthropic's.";
        respond(exchange, dialects::errorAnswer(Door::Messages, error, turn));
        return true;
    }
    const dialects::Identity identity
        = dialects::messagesIdentity(document.root(), headersOf(exchange->head()));
    AnthropicRelay::Start start;
    start.turn = turn;
    start.exchange = exchange;
    start.path = path;
    start.model = model;
    start.session = m_services.installKey.tag(identity.session);
    start.agent = m_services.installKey.tag(identity.agent);
    start.body = std::move(body);
    auto *const relay = new AnthropicRelay(m_services, *m_rules.anthropic, std::move(start), this);
    m_relays.insert(relay);
    connect(relay, &AnthropicRelay::ended, this, [this, relay] {
        m_relays.erase(relay);
        Q_EMIT relayEnded();
    });
    return true;
}

void Doors::abandonRelays()
{
    while (!m_relays.empty())
        (*m_relays.begin())->abandon();
}

// The list, or one model of it by the end of the path.
void Doors::models(net::Exchange *exchange)
{
    constexpr std::string_view list = "/models";
    const dialects::ClientHeaders headers = headersOf(exchange->head());
    const std::string &path = exchange->head().path;
    const std::size_t at = path.rfind(std::string(list) + '/');
    if (at == std::string::npos) {
        respond(exchange, dialects::modelsAnswer(m_rules.models.names(), headers, nextTurn()));
        return;
    }
    const std::string model = path.substr(at + list.size() + 1);
    const auto routed = m_rules.models.route(model);
    const Door door = headers.value("anthropic-version").empty() ? Door::Responses : Door::Messages;
    respond(exchange,
            routed ? dialects::modelAnswer(model, headers, nextTurn())
                   : dialects::errorAnswer(door, routed.error(), nextTurn()));
}

void Doors::countTokens(net::Exchange *exchange)
{
    const base::TurnId turn = nextTurn();
    std::string body = exchange->takeBody();
    if (passedThrough(exchange, "/v1/messages/count_tokens", body))
        return;
    const auto tokens = dialects::countTokens(body);
    respond(exchange,
            tokens ? dialects::countAnswer(*tokens, turn)
                   : dialects::errorAnswer(Door::Messages, tokens.error(), turn));
}

void Doors::upgraded(net::ClientSocket *socket)
{
    if (socket->head().route == net::Route::Responses)
        new SocketDoor(*this, socket);
    else
        m_rules.feed(socket);
}

// A client that tries it before plain HTTP does so at each start: one row a minute says enough.
void Doors::upgradeRefused()
{
    const base::Now now = net::readClock();
    if (m_upgradeRefusedAt && now.steady - *m_upgradeRefusedAt < upgradeRefusedEvery)
        return;
    m_upgradeRefusedAt = now.steady;
    m_services.recorder.add(
        {}, {}, {},
        ledger::Warning{"client.upgrade.refused",
                        "A client asked for a WebSocket where none is spoken; it was answered 426, "
                        "which sends it to plain HTTP.",
                        "info"},
        now.wall);
}

TurnRun *Doors::create(net::ClientSocket *socket, TurnChain &chain, const std::string &text)
{
    const base::TurnId turn = nextTurn();
    const auto refuse = [&](const TurnError &error) -> TurnRun * {
        socket->send(dialects::errorAnswer(Door::ResponsesSocket, error, turn).body);
        return nullptr;
    };
    auto body = std::make_shared<std::string>();
    body->reserve(text.size() + bodySlack);
    *body = text;
    auto request = dialects::readResponses(std::move(body), headersOf(socket->head()),
                                           Door::ResponsesSocket);
    if (!request)
        return refuse(request.error());
    if (!chain.expand(*request))
        return refuse(chain.notFound(request->previousResponseId));
    if (const auto routed = route(*request); !routed)
        return refuse(routed.error());
    return &m_turns.begin({turn, std::move(*request), std::make_unique<SocketSink>(socket),
                           m_rules.budget(), text.size()});
}

} // namespace headway::engine
