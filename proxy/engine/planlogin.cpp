// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/planlogin.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/net/clock.h"
#include "proxy/net/upstream/httpsexchange.h"

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;
using store::SignInStore;

constexpr auto lockEvery = 100ms;
constexpr int mostLockTries = 400; // 40 s: longer than any renewal

} // namespace

PlanLogin::PlanLogin(PlanOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_store(m_options.storePath, m_options.useKeychain ? store::systemKeychain() : nullptr)
{
    m_timer.setSingleShot(true);
    connect(&m_store, &SignInStore::saved, this, [this](SignInStore::Place place) {
        m_lock.reset();
        if (place == SignInStore::Place::Nowhere)
            Q_EMIT failed(QStringLiteral("the sign-in cannot be kept in %1").arg(m_store.path()));
        else
            Q_EMIT finished(place);
    });
    connect(&m_store, &SignInStore::erased, this, [this](bool all) {
        m_lock.reset();
        if (all)
            Q_EMIT finished(SignInStore::Place::Nowhere);
        else
            Q_EMIT failed(QStringLiteral("the keychain does not answer; if it holds a sign-in, "
                                         "remove its entry headway/chatgpt-plan there"));
    });
}

// `then` gets null when there was no answer; m_reason says why.
void PlanLogin::post(const char *target, const char *contentType, const std::string &body,
                     std::function<void(const net::UpgradeReply *)> then)
{
    m_call = std::make_unique<net::ShortCall>();
    connect(m_call.get(), &net::ShortCall::answered, this,
            [this, then](const net::UpgradeReply &reply) {
                m_call.release()->deleteLater();
                then(&reply);
            });
    connect(m_call.get(), &net::ShortCall::failed, this, [this, then](const QString &reason) {
        m_call.release()->deleteLater();
        m_reason = reason;
        then(nullptr);
    });
    net::HttpsRequest request;
    request.target = target;
    request.headers = {{"content-type", contentType}, {"accept", "application/json"}};
    request.body = body;
    m_call->start(m_options.server, std::move(request));
}

void PlanLogin::signIn()
{
    post("/api/accounts/deviceauth/usercode", "application/json",
         credentials::DeviceSignIn::startBody(),
         [this](const net::UpgradeReply *reply) { onCode(reply); });
}

void PlanLogin::onCode(const net::UpgradeReply *reply)
{
    if (!reply) {
        Q_EMIT failed(m_reason);
        return;
    }
    const auto code = credentials::readDeviceCode(reply->status, reply->body);
    if (!code) {
        Q_EMIT failed(QString::fromStdString(code.error()));
        return;
    }
    m_signIn.emplace(*code, m_options.issuer, net::readClock().steady);
    connect(&m_timer, &QTimer::timeout, this, &PlanLogin::poll);
    Q_EMIT codeReady(QString::fromStdString(m_signIn->verificationUrl()),
                     QString::fromStdString(code->userCode),
                     static_cast<int>(code->lifetime / 60s));
    m_timer.start(m_signIn->interval());
}

void PlanLogin::poll()
{
    post("/api/accounts/deviceauth/token", "application/json", m_signIn->askBody(),
         [this](const net::UpgradeReply *reply) {
             const base::SteadyTime now = net::readClock().steady;
             follow(reply ? m_signIn->answered(reply->status, reply->body, now)
                          : m_signIn->unanswered(now));
         });
}

void PlanLogin::follow(const credentials::DeviceSignIn::Step &step)
{
    using credentials::DeviceSignIn;
    std::visit(base::Overloaded{
                   [&](const DeviceSignIn::Ask &ask) { m_timer.start(ask.after); },
                   [&](const DeviceSignIn::Exchange &exchange) {
                       post("/oauth/token", "application/x-www-form-urlencoded", exchange.form,
                            [this](const net::UpgradeReply *reply) { onTokens(reply); });
                   },
                   [&](const DeviceSignIn::Ended &ended) {
                       Q_EMIT failed(QString::fromStdString(ended.text));
                   },
               },
               step);
}

void PlanLogin::onTokens(const net::UpgradeReply *reply)
{
    if (!reply) {
        Q_EMIT failed(m_reason);
        return;
    }
    credentials::Tokens empty;
    empty.issuer = m_options.issuer;
    const auto tokens = reply->status == 200
        ? credentials::readTokenAnswer(std::move(empty), reply->body, net::readClock().wall)
        : std::nullopt;
    if (!tokens) {
        Q_EMIT failed(
            QStringLiteral("the sign-in server gave no tokens (status %1)").arg(reply->status));
        return;
    }
    withLock([this, text = credentials::serialized(*tokens)] {
        m_store.save(QByteArray::fromStdString(text));
    });
}

void PlanLogin::signOut()
{
    withLock([this] { m_store.erase(); });
}

// A proxy may be renewing the sign-in this very moment.
void PlanLogin::withLock(std::function<void()> then)
{
    m_lock = m_store.tryLock();
    if (m_lock) {
        then();
    } else if (++m_lockTries < mostLockTries) {
        QTimer::singleShot(lockEvery, this, [this, then = std::move(then)] { withLock(then); });
    } else {
        Q_EMIT failed(QStringLiteral("%1.lock cannot be had").arg(m_store.path()));
    }
}

} // namespace headway::engine
