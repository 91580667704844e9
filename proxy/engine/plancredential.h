// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/credentials/refresh.h"
#include "proxy/core/credentials/tokens.h"
#include "proxy/core/live/snapshot.h"
#include "proxy/net/upstream/shortcall.h"
#include "proxy/store/filelock.h"
#include "proxy/store/signinstore.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headway::engine {

// Where the plan's sign-in is kept and renewed.
struct PlanOptions
{
    net::Endpoint server; // the sign-in server: scheme, host and port alone
    std::string issuer; // the same as the tokens name it, without a slash at its end
    QString storePath;
    bool useKeychain = true;
    QString codexPath; // what `codex login` left; read only. Empty: not looked at
};

// Why there is no token to show.
struct CredentialError
{
    bool passing = false; // it may work in a while; else the user has to do something
    QString text; // what happened and what to do; nothing secret
};

// The access token of the ChatGPT plan. Our own sign-in comes first; it is renewed under the lock
// that all our processes share, read again before (another may have done it) and after. What Codex
// left is shown as it is and never renewed: its refresh token works once, and using it would sign
// Codex out. However many ask at once, one renewal runs. spec/safety.md, cases B96, B97.
class PlanCredential final : public QObject
{
    Q_OBJECT

public:
    using Result = tl::expected<credentials::Tokens, CredentialError>;
    using Answer = std::function<void(const Result &)>;

    explicit PlanCredential(PlanOptions options, QObject *parent = nullptr);
    ~PlanCredential() override;

    // Answers exactly once, perhaps before it returns; not at all once `context` is gone.
    void ask(QObject *context, Answer answer);
    // The provider did not accept this token: the next one who asks gets another, or an error.
    void refused(const std::string &token);
    // Somebody has stored or removed a sign-in since the last look. Cheap enough for every second.
    [[nodiscard]] bool hasChanged() const;
    [[nodiscard]] const live::SignIn &signIn() const { return m_signIn; } // as last answered

Q_SIGNALS:
    void signInChanged();
    void secretLearned(const std::string &secret); // before it is used anywhere
    void noticed(const std::string &key, const std::string &text);

private:
    enum class Step : std::uint8_t {
        Idle,
        Looking,
        Locking,
        Rereading,
        Renewing,
        Saving,
        Checking
    };
    enum class Origin : std::uint8_t { Nowhere, Own, Codex };

    struct Waiter
    {
        QPointer<QObject> context;
        Answer answer;
    };

    void look();
    void onLoaded(const QByteArray &text);
    void take(const QByteArray &own);
    void decide();
    void lock();
    void renewOrUse();
    void renew();
    void onAnswered(const net::UpgradeReply &reply);
    void onSaved(store::SignInStore::Place place);
    void check();
    void renewalFailed(const QString &text, bool passing);
    [[nodiscard]] bool isUsable() const;
    [[nodiscard]] bool isFresh() const;
    void answer(const Result &result);
    void note(const Result &result);
    [[nodiscard]] QByteArray stamp() const;
    void learn(const credentials::Tokens &tokens);

    PlanOptions m_options;
    store::SignInStore m_store;
    std::optional<credentials::Tokens> m_tokens;
    std::optional<credentials::Tokens> m_renewed; // until it was read back
    Origin m_origin = Origin::Nowhere;
    QByteArray m_stamp; // of what m_tokens was read from
    QString m_trouble; // why Codex's file cannot be used
    std::string m_refused; // the last token the provider did not accept
    std::string m_spent; // a refresh token that will not work again
    std::optional<CredentialError> m_failure; // of the last renewal
    base::SteadyTime m_failedAt;
    std::optional<store::FileLock> m_lock;
    base::SteadyTime m_lockedOutSince;
    QTimer m_lockTimer;
    std::unique_ptr<net::ShortCall> m_call;
    std::vector<Waiter> m_waiters;
    Step m_step = Step::Idle;
    live::SignIn m_signIn{live::SignInState::Looking, {}, {}, false, {}};
};

} // namespace headway::engine
