// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/upstreamaccess.h"

#include "proxy/core/credentials/webtoken.h"

#include <algorithm>
#include <utility>

namespace headway::engine {

namespace {

void put(net::RequestHeaders &headers, const std::string &name, const std::string &value)
{
    const auto known = std::find_if(headers.begin(), headers.end(),
                                    [&](const auto &header) { return header.first == name; });
    if (known == headers.end())
        headers.emplace_back(name, value);
    else
        known->second = value;
}

} // namespace

UpstreamAccess::UpstreamAccess(net::Endpoint endpoint, std::optional<PlanOptions> plan,
                               credentials::HeaderProfiles profiles, std::uint64_t seed,
                               QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_profiles(std::move(profiles))
    , m_seed(seed)
    , m_last(fingerprint(m_endpoint.key))
{
    if (!plan)
        return;
    m_endpoint.key.clear(); // a key that was set for something else is not shown to the plan
    m_plan = std::make_unique<PlanCredential>(*std::move(plan));
    connect(m_plan.get(), &PlanCredential::signInChanged, this, &UpstreamAccess::signInChanged);
    connect(m_plan.get(), &PlanCredential::secretLearned, this, &UpstreamAccess::secretLearned);
    connect(m_plan.get(), &PlanCredential::noticed, this, &UpstreamAccess::noticed);
}

void UpstreamAccess::ask(std::string_view model, QObject *context, Answer answer)
{
    if (!m_plan) {
        answer(pass(model, m_endpoint.key, {}));
        return;
    }
    m_plan->ask(context,
                [this, model = std::string(model),
                 answer = std::move(answer)](const PlanCredential::Result &tokens) {
                    if (!tokens) {
                        answer(tl::unexpected(tokens.error()));
                        return;
                    }
                    const credentials::Claims claims
                        = credentials::readClaims(tokens->id.empty() ? tokens->access : tokens->id);
                    const std::string account = credentials::accountOf(*tokens);
                    Pass given = pass(model, tokens->access,
                                      credentials::planHeaders(account, claims.fedramp));
                    given.account = account;
                    if (given.credential != m_last) {
                        m_last = given.credential;
                        Q_EMIT credentialChanged(given.credential, account);
                    }
                    answer(std::move(given));
                });
}

UpstreamAccess::Pass UpstreamAccess::pass(std::string_view model, const std::string &key,
                                          credentials::Headers own) const
{
    Pass pass;
    pass.endpoint = m_endpoint;
    pass.endpoint.key = key;
    pass.headers = std::move(own);
    for (const auto &[name, value] : m_profiles.of(model))
        put(pass.headers, name, value);
    pass.credential = fingerprint(key);
    return pass;
}

live::SignIn UpstreamAccess::signIn() const
{
    return m_plan ? m_plan->signIn() : live::SignIn{};
}

void UpstreamAccess::lookAgain()
{
    if (m_plan && m_plan->hasChanged())
        ask({}, this, [](const Result &) {});
}

bool UpstreamAccess::refused(const std::string &key)
{
    if (!m_plan)
        return false;
    m_plan->refused(key);
    return true;
}

base::Fingerprint UpstreamAccess::fingerprint(std::string_view key) const
{
    return base::fingerprint(key, m_seed);
}

} // namespace headway::engine
