// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/planstandin.h"

#include "tests/support/webtoken.h"

#include <QDateTime>
#include <QHostAddress>
#include <QJsonDocument>
#include <QUrl>
#include <QUrlQuery>

namespace headway::tests {

namespace {

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace

PlanStandIn::PlanStandIn(quint16 providerPort)
    : m_providerPort(providerPort)
{
    if (!listen(QHostAddress::LocalHost))
        qFatal("no port to listen on");
}

QByteArray PlanStandIn::issuer() const
{
    return QByteArray("http://127.0.0.1:" + QByteArray::number(serverPort()));
}

QString PlanStandIn::responsesUrl() const
{
    return QString(QString::fromLatin1(issuer()) + QLatin1String("/backend-api/codex/responses"));
}

QJsonObject PlanStandIn::mint(qint64 seconds)
{
    const QByteArray number = QByteArray::number(++m_minted);
    const QJsonObject account{
        {QStringLiteral("chatgpt_account_id"), QStringLiteral("acc-stand-in")},
        {QStringLiteral("chatgpt_plan_type"), QStringLiteral("pro")}};
    const QJsonObject profile{{QStringLiteral("email"), QLatin1String(email)}};
    const QJsonObject claims{
        {QStringLiteral("iss"), QString::fromLatin1(issuer())},
        {QStringLiteral("exp"), double(QDateTime::currentSecsSinceEpoch() + seconds)},
        {QStringLiteral("https://api.openai.com/auth"), account},
        {QStringLiteral("https://api.openai.com/profile"), profile}};
    const QByteArray access
        = QByteArray::fromStdString(webToken(claims, marker + QByteArray("access" + number)));
    const QByteArray id
        = QByteArray::fromStdString(webToken(claims, marker + QByteArray("id" + number)));
    m_access.insert(access);
    m_refresh = marker + QByteArray("refresh" + number);
    return {{QStringLiteral("access_token"), QString::fromLatin1(access)},
            {QStringLiteral("id_token"), QString::fromLatin1(id)},
            {QStringLiteral("refresh_token"), QString::fromLatin1(m_refresh)}};
}

QByteArray PlanStandIn::signIn(qint64 seconds)
{
    QJsonObject tokens = mint(seconds);
    tokens.insert(QStringLiteral("issuer"), QString::fromLatin1(issuer()));
    return compact(tokens);
}

QByteArray PlanStandIn::codexSignIn(qint64 seconds)
{
    return compact({{QStringLiteral("auth_mode"), QStringLiteral("chatgpt")},
                    {QStringLiteral("tokens"), mint(seconds)},
                    {QStringLiteral("last_refresh"), QStringLiteral("2026-11-24T16:00:00Z")}});
}

void PlanStandIn::incomingConnection(qintptr handle)
{
    auto *const socket = new QTcpSocket(this);
    socket->setSocketDescriptor(handle);
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
    connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
        m_raw.remove(socket);
        socket->deleteLater();
    });
}

void PlanStandIn::read(QTcpSocket *socket)
{
    QByteArray &raw = m_raw[socket];
    raw += socket->readAll();
    const qsizetype end = raw.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QList<QByteArray> lines = raw.left(end).split('\n');
    Request request;
    request.line = lines.at(0).trimmed();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        request.headers.insert(line.left(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
    }
    const qsizetype length = request.headers.value("content-length").toLongLong();
    if (request.line.contains(" /backend-api/")) {
        const QByteArray bearer = request.headers.value("authorization");
        const bool known
            = bearer.startsWith("Bearer ") && m_access.contains(bearer.mid(7));
        if (!known && raw.size() < end + 4 + length)
            return; // an answer before the end of the request might get lost
        m_requests << request.line;
        ++m_doors;
        m_door = request.headers;
        if (known) {
            passOn(socket, m_raw.take(socket));
        } else {
            ++m_refusedDoors; // such servers like to quote what they were given
            reply(socket, 401,
                  QByteArray("{\"error\":{\"message\":\"bad token " + bearer + "\"}}"));
        }
        return;
    }
    if (raw.size() < end + 4 + length)
        return;
    request.body = raw.mid(end + 4, length);
    m_requests << request.line;
    answer(socket, request);
}

void PlanStandIn::passOn(QTcpSocket *socket, const QByteArray &raw)
{
    auto *const provider = new QTcpSocket(socket);
    socket->disconnect(this);
    connect(socket, &QTcpSocket::readyRead, provider,
            [socket, provider] { provider->write(socket->readAll()); });
    connect(provider, &QTcpSocket::readyRead, socket,
            [socket, provider] { socket->write(provider->readAll()); });
    connect(provider, &QTcpSocket::disconnected, socket, &QTcpSocket::disconnectFromHost);
    connect(socket, &QTcpSocket::disconnected, provider, &QTcpSocket::disconnectFromHost);
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    provider->connectToHost(QHostAddress(QHostAddress::LocalHost), m_providerPort);
    provider->write(raw); // before what follows it
}

void PlanStandIn::answer(QTcpSocket *socket, const Request &request)
{
    const QJsonObject body = QJsonDocument::fromJson(request.body).object();
    if (request.line.startsWith("POST /oauth/token ")) {
        if (holding)
            m_held.append({socket, request.body});
        else
            answerTokens(socket, request);
    } else if (request.line.startsWith("POST /api/accounts/deviceauth/usercode ")) {
        reply(socket, 200,
              QByteArray(R"({"device_auth_id":")" + QByteArray(marker)
                         + R"(device","user_code":"ABCD-EFGH","interval":"1"})"));
    } else if (request.line.startsWith("POST /api/accounts/deviceauth/token ")) {
        const bool known
            = body.value(QStringLiteral("user_code")).toString() == QLatin1String("ABCD-EFGH");
        if (++m_polls <= pendingPolls || !known)
            reply(socket, 403, {});
        else
            reply(socket, 200,
                  QByteArray(R"({"authorization_code":")" + QByteArray(marker)
                             + R"(grant","code_challenge":"c","code_verifier":")"
                             + QByteArray(marker) + R"(verifier"})"));
    } else {
        reply(socket, 404, {});
    }
}

void PlanStandIn::answerTokens(QTcpSocket *socket, const Request &request)
{
    const QJsonObject body = QJsonDocument::fromJson(request.body).object();
    if (body.isEmpty()) { // the form of a sign-in
        const QUrlQuery form(QString::fromLatin1(request.body));
        const bool right
            = form.queryItemValue(QStringLiteral("code")).startsWith(QLatin1String(marker))
            && form.queryItemValue(QStringLiteral("code_verifier"))
                   .startsWith(QLatin1String(marker));
        reply(socket, right ? 200 : 400, right ? compact(mint(lifetime)) : QByteArray());
        return;
    }
    const QByteArray refresh = body.value(QStringLiteral("refresh_token")).toString().toLatin1();
    if (refusal != 0) {
        reply(socket, refusal, refusalBody);
    } else if (refresh == m_refresh) {
        ++m_redeemed;
        reply(socket, 200, compact(mint(lifetime)));
    } else {
        ++m_reused;
        reply(socket, 400,
              QByteArray(R"({"error":{"code":"refresh_token_reused","message":"used: )" + refresh
                         + R"("}})"));
    }
}

void PlanStandIn::release()
{
    holding = false;
    for (const auto &[socket, body] : std::exchange(m_held, {})) {
        if (socket)
            answerTokens(socket, {{}, {}, body});
    }
}

void PlanStandIn::reply(QTcpSocket *socket, int status, const QByteArray &body)
{
    socket->write(
        QByteArray("HTTP/1.1 " + QByteArray::number(status)
                   + " Stand-In\r\nContent-Type: application/json\r\nConnection: close\r\n"
                     "Content-Length: "
                   + QByteArray::number(body.size()) + "\r\n\r\n" + body));
    socket->disconnectFromHost();
}

} // namespace headway::tests
