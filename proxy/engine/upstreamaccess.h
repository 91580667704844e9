// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/fingerprint.h"
#include "proxy/core/credentials/headerprofile.h"
#include "proxy/engine/plancredential.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/requestfields.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headway::engine {

// What each new connection or call to the upstream presents: the credential of the moment and the
// headers of the endpoint and the model. The credential goes to this endpoint only.
class UpstreamAccess final : public QObject
{
    Q_OBJECT

public:
    struct Pass
    {
        net::Endpoint endpoint; // its key is the credential
        net::RequestHeaders headers; // beside it
        base::Fingerprint credential; // of the key
        std::string account; // empty: the key stands for itself
    };
    using Result = tl::expected<Pass, CredentialError>;
    using Answer = std::function<void(const Result &)>;

    // Without `plan` the endpoint's own key is what is presented. `seed`: of the fingerprints.
    UpstreamAccess(net::Endpoint endpoint, std::optional<PlanOptions> plan,
                   credentials::HeaderProfiles profiles, std::uint64_t seed,
                   QObject *parent = nullptr);

    // As PlanCredential::ask(): exactly once, perhaps before it returns.
    void ask(std::string_view model, QObject *context, Answer answer);
    // The endpoint answered 401 to this key. True: the next Pass may hold another one.
    bool refused(const std::string &key);

    [[nodiscard]] bool isPlan() const { return m_plan != nullptr; }
    [[nodiscard]] live::SignIn signIn() const;
    // Whether somebody signed in or out since; called once a second.
    void lookAgain();
    [[nodiscard]] base::Fingerprint fingerprint(std::string_view key) const;

Q_SIGNALS:
    void credentialChanged(headway::base::Fingerprint credential, const std::string &account);
    void signInChanged(); // signIn() is another
    void secretLearned(const std::string &secret);
    void noticed(const std::string &key, const std::string &text);

private:
    [[nodiscard]] Pass pass(std::string_view model, const std::string &key,
                            credentials::Headers own) const;

    net::Endpoint m_endpoint;
    credentials::HeaderProfiles m_profiles;
    std::uint64_t m_seed;
    std::unique_ptr<PlanCredential> m_plan;
    base::Fingerprint m_last; // the credential last told
};

} // namespace headway::engine
