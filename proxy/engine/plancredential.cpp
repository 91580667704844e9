// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/plancredential.h"

#include "proxy/engine/signinstate.h"
#include "proxy/net/clock.h"
#include "proxy/net/upstream/httpsexchange.h"
#include "proxy/store/privatefile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

constexpr auto lockEvery = 50ms;
constexpr auto lockPatience = 150s; // a renewal of another process takes at most 30 s
constexpr auto afterFailure = 10s; // before the sign-in server is asked again
constexpr qint64 largestCodexFile = 1 << 20;

QByteArray readPlain(const QString &path)
{
    const QFileInfo info(path);
    QFile file(path);
    if (!info.isFile() || info.size() > largestCodexFile || !file.open(QIODevice::ReadOnly))
        return {};
    return file.read(largestCodexFile);
}

// By content: Codex writes in place, and two writes may share one time.
QByteArray fileStamp(const QString &path)
{
    if (path.isEmpty() || !QFile::exists(path))
        return QByteArrayLiteral("-");
    return QCryptographicHash::hash(readPlain(path), QCryptographicHash::Sha256);
}

} // namespace

PlanCredential::PlanCredential(PlanOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_store(m_options.storePath, m_options.useKeychain ? store::systemKeychain() : nullptr)
{
    connect(&m_store, &store::SignInStore::loaded, this, &PlanCredential::onLoaded);
    connect(&m_store, &store::SignInStore::saved, this, &PlanCredential::onSaved);
    m_lockTimer.setSingleShot(true);
    m_lockTimer.setInterval(lockEvery);
    connect(&m_lockTimer, &QTimer::timeout, this, &PlanCredential::lock);
}

PlanCredential::~PlanCredential() = default;

void PlanCredential::ask(QObject *context, Answer answer)
{
    m_waiters.push_back({context, std::move(answer)});
    if (m_step == Step::Idle)
        look();
}

void PlanCredential::refused(const std::string &token)
{
    m_refused = token;
}

QByteArray PlanCredential::stamp() const
{
    return m_store.stamp() + fileStamp(m_options.codexPath);
}

bool PlanCredential::hasChanged() const
{
    return m_step == Step::Idle && m_stamp != stamp();
}

// What was read still counts unless somebody has changed it since.
void PlanCredential::look()
{
    const QByteArray now = stamp();
    if (now == m_stamp) {
        decide();
        return;
    }
    m_stamp = now;
    m_step = Step::Looking;
    m_store.load();
}

void PlanCredential::onLoaded(const QByteArray &text)
{
    take(text);
    switch (m_step) {
    case Step::Looking:
        decide();
        break;
    case Step::Rereading:
        renewOrUse();
        break;
    case Step::Checking:
        check();
        break;
    default:
        break;
    }
}

void PlanCredential::take(const QByteArray &own)
{
    m_tokens = credentials::parseTokens({own.constData(), static_cast<std::size_t>(own.size())});
    m_origin = m_tokens ? Origin::Own : Origin::Nowhere;
    m_trouble.clear();
    if (!m_tokens && !m_options.codexPath.isEmpty() && QFile::exists(m_options.codexPath)) {
        const QByteArray file = readPlain(m_options.codexPath);
        auto codex = credentials::parseCodexSignIn(
            {file.constData(), static_cast<std::size_t>(file.size())}, m_options.issuer);
        if (codex) {
            m_tokens = *std::move(codex);
            m_origin = Origin::Codex;
        } else {
            m_trouble = QString::fromStdString(codex.error());
        }
    }
    if (!m_tokens)
        return;
    learn(*m_tokens);
    if (m_tokens->issuer != m_options.issuer) { // it goes to the server that gave it, or nowhere
        m_trouble = QStringLiteral("the stored sign-in belongs to another server");
        m_tokens.reset();
        m_origin = Origin::Nowhere;
    }
}

void PlanCredential::learn(const credentials::Tokens &tokens)
{
    for (const std::string &secret : {tokens.access, tokens.refresh, tokens.id}) {
        if (!secret.empty())
            Q_EMIT secretLearned(secret);
    }
}

bool PlanCredential::isUsable() const
{
    return m_tokens && m_tokens->access != m_refused
        && credentials::isValid(*m_tokens, net::readClock().wall);
}

bool PlanCredential::isFresh() const
{
    return isUsable() && !credentials::needsRefresh(*m_tokens, net::readClock().wall);
}

void PlanCredential::decide()
{
    if (!m_tokens) {
        const QString why
            = m_trouble.isEmpty() ? QString() : QString(QStringLiteral(" (") % m_trouble % u')');
        answer(tl::unexpected(CredentialError{
            false,
            QStringLiteral("There is no sign-in to the ChatGPT plan%1. Run: headway login chatgpt")
                .arg(why)}));
        return;
    }
    if (isFresh() || (m_origin == Origin::Codex && isUsable())) {
        answer(*m_tokens);
        return;
    }
    if (m_origin == Origin::Codex) {
        answer(tl::unexpected(CredentialError{
            false,
            QStringLiteral("Codex's sign-in to the ChatGPT plan has ended, and only Codex may "
                           "renew it. Run codex once, or: headway login chatgpt")}));
        return;
    }
    const bool askedLately = m_failure && net::readClock().steady - m_failedAt < afterFailure;
    const bool isSpent = m_tokens->refresh.empty() || m_tokens->refresh == m_spent;
    if (askedLately || isSpent) {
        renewalFailed(QStringLiteral("the sign-in cannot be renewed"), !isSpent);
        return;
    }
    m_step = Step::Locking;
    m_lockedOutSince = net::readClock().steady;
    lock();
}

void PlanCredential::lock()
{
    m_lock = m_store.tryLock();
    if (m_lock) {
        m_step = Step::Rereading;
        m_store.load();
    } else if (net::readClock().steady - m_lockedOutSince < lockPatience) {
        m_lockTimer.start();
    } else {
        renewalFailed(QStringLiteral("%1.lock cannot be had").arg(m_store.path()), true);
    }
}

// With the lock: another process may have renewed it, or signed out, while we waited.
void PlanCredential::renewOrUse()
{
    m_stamp = stamp();
    if (m_origin == Origin::Own && !isFresh() && m_tokens->refresh != m_spent) {
        renew();
        return;
    }
    m_lock.reset();
    decide();
}

void PlanCredential::renew()
{
    m_step = Step::Renewing;
    m_call = std::make_unique<net::ShortCall>();
    connect(m_call.get(), &net::ShortCall::answered, this, &PlanCredential::onAnswered);
    connect(m_call.get(), &net::ShortCall::failed, this, [this](const QString &reason) {
        m_call.release()->deleteLater();
        renewalFailed(reason, true);
    });
    net::HttpsRequest request;
    request.target = "/oauth/token";
    request.headers = {{"content-type", "application/json"}, {"accept", "application/json"}};
    request.body = credentials::refreshBody(*m_tokens);
    m_call->start(m_options.server, std::move(request));
}

void PlanCredential::onAnswered(const net::UpgradeReply &reply)
{
    m_call.release()->deleteLater();
    auto result
        = credentials::readRefresh(*m_tokens, reply.status, reply.body, net::readClock().wall);
    if (auto *renewed = std::get_if<credentials::Refreshed>(&result)) {
        learn(renewed->tokens);
        m_tokens = std::move(renewed->tokens);
        m_failure.reset();
        m_renewed = m_tokens;
        // The old refresh token is worth nothing now: the new one is kept before it is used.
        m_step = Step::Saving;
        m_store.save(QByteArray::fromStdString(credentials::serialized(*m_tokens)));
        return;
    }
    if (const auto *lost = std::get_if<credentials::SignInLost>(&result)) {
        m_spent = m_tokens->refresh;
        m_failure = CredentialError{
            false,
            QStringLiteral("The sign-in server does not renew the sign-in to the ChatGPT plan any "
                           "more%1. Run: headway login chatgpt")
                .arg(lost->code.empty() ? QString()
                                        : QString(QStringLiteral(" (")
                                                  % QString::fromStdString(lost->code) % u')'))};
        m_step = Step::Checking; // somebody may have renewed it past our lock
        m_store.load();
        return;
    }
    renewalFailed(QString::fromStdString(std::get<credentials::RefreshFailed>(result).text), true);
}

void PlanCredential::onSaved(store::SignInStore::Place place)
{
    if (m_step != Step::Saving)
        return;
    if (place == store::SignInStore::Place::Nowhere) {
        Q_EMIT noticed("chatgpt.unsaved",
                       QStringLiteral("The renewed sign-in to the ChatGPT plan cannot be kept in "
                                      "%1; it holds for this run only.")
                           .arg(m_store.path())
                           .toStdString());
        m_stamp = stamp();
        m_lock.reset();
        answer(*m_tokens);
        return;
    }
    m_step = Step::Checking;
    m_store.load();
}

// After a renewal or its refusal: what is kept now is what counts.
void PlanCredential::check()
{
    m_stamp = stamp();
    m_lock.reset();
    const auto renewed = std::exchange(m_renewed, std::nullopt);
    if (renewed && m_origin != Origin::Own) { // the keychain took it and will not give it back
        m_tokens = renewed;
        m_origin = Origin::Own;
    }
    if (isUsable() && m_tokens->refresh != m_spent)
        answer(*m_tokens);
    else if (m_failure)
        answer(tl::unexpected(*m_failure));
    else
        decide();
}

void PlanCredential::renewalFailed(const QString &text, bool passing)
{
    m_lock.reset();
    if (m_step != Step::Idle && m_step != Step::Looking) { // it was really tried
        m_failedAt = net::readClock().steady;
        m_failure = CredentialError{
            passing,
            QStringLiteral("The sign-in to the ChatGPT plan could not be renewed: %1").arg(text)};
    }
    if (isUsable()) // the last five minutes of its life
        answer(*m_tokens);
    else if (m_failure)
        answer(tl::unexpected(*m_failure));
    else
        answer(tl::unexpected(CredentialError{
            passing,
            QStringLiteral("The sign-in to the ChatGPT plan has ended. Run: headway login "
                           "chatgpt")}));
}

void PlanCredential::note(const Result &result)
{
    live::SignIn now = signInOf(m_tokens ? &*m_tokens : nullptr, m_origin == Origin::Codex,
                                result ? nullptr : &result.error());
    if (now == m_signIn)
        return;
    m_signIn = std::move(now);
    Q_EMIT signInChanged();
}

void PlanCredential::answer(const Result &result)
{
    m_step = Step::Idle;
    note(result);
    const std::vector<Waiter> waiters = std::exchange(m_waiters, {});
    const Result copy = result; // an answer may lead to the next question
    for (const Waiter &waiter : waiters) {
        if (waiter.context)
            waiter.answer(copy);
    }
}

} // namespace headway::engine
