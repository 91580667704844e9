// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plansignin.h"

#include "app/proxysetup.h"
#include "proxy/net/upstream/outboundproxy.h"

#include <QFileInfo>

#include <utility>

namespace headway::app {

namespace {

constexpr const char *realIssuer = "https://auth.openai.com";

bool isReal(const QUrl &plan)
{
    return plan.scheme() == QLatin1String("wss") && plan.host() == QLatin1String("chatgpt.com")
        && plan.port(443) == 443;
}

std::string originOf(const QUrl &url)
{
    const QString scheme
        = url.scheme() == QLatin1String("wss") ? QStringLiteral("https") : QStringLiteral("http");
    return QString(scheme % QStringLiteral("://") % url.authority()).toStdString();
}

} // namespace

tl::expected<engine::PlanOptions, QString> planOptions(const settings::Upstreams &upstreams,
                                                       const store::Paths &paths)
{
    engine::PlanOptions options;
    options.issuer = realIssuer;
    options.storePath = paths.planSignInFile();
    options.codexPath = store::Paths::codexSignInFile();
    if (upstreams.plan) {
        const auto plan = net::parseEndpoint(upstreams.turns);
        if (!plan)
            return tl::unexpected(plan.error());
        if (!isReal(plan->url)) {
            if (!net::isLoopbackHost(plan->url.host()))
                return tl::unexpected(
                    QStringLiteral("chatgpt=URL is for a stand-in on this machine; the plan's "
                                   "sign-in is not sent to %1")
                        .arg(plan->url.host()));
            // The stand-in answers for the sign-in server too, and has a sign-in of its own.
            options.issuer = originOf(plan->url);
            options.storePath
                = QFileInfo(options.storePath).path() + QLatin1String("/chatgpt-standin.json");
            options.useKeychain = false;
        }
    }
    options.server = net::parseEndpoint(options.issuer).value();
    return options;
}

tl::expected<UpstreamSetup, QString> readUpstreams(const std::string &upstream,
                                                   const settings::Settings &settings,
                                                   const store::Paths &paths)
{
    const auto upstreams = settings::parseUpstreams(upstream);
    if (!upstreams)
        return tl::unexpected(QString::fromStdString(upstreams.error()));
    if (upstreams->turns.empty())
        return tl::unexpected(QStringLiteral(
            "no upstream is set for turns. Give openai, chatgpt or a Responses endpoint, for "
            "example HEADWAY_UPSTREAM=https://api.openai.com/v1/responses, or try headway --demo "
            "or headway serve --simulate"));
    auto endpoint = net::parseEndpoint(upstreams->turns);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    UpstreamSetup setup;
    setup.endpoint = *std::move(endpoint);
    if (!upstreams->anthropic.empty()) {
        auto anthropic = net::parseEndpoint(upstreams->anthropic);
        if (!anthropic)
            return tl::unexpected(anthropic.error());
        anthropic->name = "anthropic";
        setup.anthropic = *std::move(anthropic);
    }
    if (upstreams->plan) {
        auto plan = planOptions(*upstreams, paths);
        if (!plan)
            return tl::unexpected(plan.error());
        setup.plan = *std::move(plan);
        setup.endpoint.name = "chatgpt";
        setup.profiles = credentials::HeaderProfiles::ofPlan();
    } else {
        setup.endpoint.key = upstreamKey(settings, setup.endpoint.url);
    }
    const auto added = setup.profiles.add(settings.text(settings::Key::ModelHeaders));
    if (!added)
        return tl::unexpected(QString::fromStdString(added.error()));
    return setup;
}

} // namespace headway::app
