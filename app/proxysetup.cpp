// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxysetup.h"

#include "app/load.h"
#include "app/plansignin.h"
#include "app/simulatedprovider.h"
#include "proxy/net/upstream/outboundproxy.h"
#include "proxy/store/keys.h"
#include "proxy/store/settingsfile.h"

#include <QFileInfo>
#include <QProcessEnvironment>

#include <utility>

namespace headway::app {

namespace {

using settings::Key;
using settings::Settings;

void add(std::vector<std::string> &texts, const std::vector<pacing::Notice> &notices)
{
    for (const pacing::Notice &notice : notices)
        texts.push_back(notice.text);
}

std::vector<std::string> words(const std::string &list)
{
    std::vector<std::string> result;
    const QStringList parts
        = QString::fromStdString(list).split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : parts)
        result.push_back(part.trimmed().toStdString());
    return result;
}

bool takesOpenAiKey(const QUrl &url)
{
    return url.host() == QLatin1String("api.openai.com");
}

tl::expected<void, QString> setUpstream(const ProxyCall &call, const store::Paths &paths,
                                        engine::EngineOptions &options)
{
    const std::string text = call.upstream.isEmpty() ? options.settings.text(Key::Upstream)
                                                     : call.upstream.toStdString();
    auto upstream = readUpstreams(text, options.settings, paths);
    if (!upstream)
        return tl::unexpected(upstream.error());
    // A malformed proxy variable is a start-up error, never a silent direct connection.
    const auto outbound = net::outboundProxy(upstream->endpoint.url, net::processEnvironment());
    if (!outbound)
        return tl::unexpected(outbound.error());
    options.endpoint = std::move(upstream->endpoint);
    options.plan = std::move(upstream->plan);
    options.anthropic = std::move(upstream->anthropic);
    options.headerProfiles = std::move(upstream->profiles);
    if (options.plan)
        return {};
    if (const auto missing = missingCredential(options.endpoint))
        options.notices.push_back(missing->toStdString());
    return {};
}

tl::expected<void, QString> setAddress(const ProxyCall &call, engine::EngineOptions &options)
{
    const QString text = call.listen.isEmpty()
        ? QString::fromStdString(options.settings.text(Key::Listen))
        : call.listen;
    const auto address = parseListenAddress(text);
    if (!address)
        return tl::unexpected(address.error());
    // Plain HTTP beyond this machine would carry keys and prompts in the clear.
    if (!address->address.isLoopback())
        return tl::unexpected(
            QStringLiteral("%1 is not a loopback address; Headway listens on this machine only")
                .arg(text));
    options.address = address->address;
    options.port = address->port;
    return {};
}

void setKeys(const ProxyCall &call, const store::Paths &paths, engine::EngineOptions &options)
{
    const store::LoadedKeys made = store::loadOrMakeKeys(paths.keysFile());
    if (!call.paths) // where a demo's keys lie for a minute is no news
        add(options.notices, made.notices);
    const std::string &access = options.settings.text(Key::AccessKey);
    const std::string &control = options.settings.text(Key::ControlKey);
    options.controlKey = control.empty() ? made.keys.control : control;
    // Under --simulate nothing can be spent, so no key is asked unless one was set.
    options.accessKey = !access.empty() ? access : call.simulate ? std::string() : made.keys.access;
}

} // namespace

std::string controlKeyOf(const Settings &settings, const store::Paths &paths)
{
    if (const std::string &own = settings.text(Key::ControlKey); !own.empty())
        return own;
    const auto keys = store::readKeysFile(paths.keysFile());
    return keys ? keys->control : std::string();
}

std::string upstreamKey(const Settings &settings, const QUrl &url)
{
    if (const std::string &own = settings.text(Key::UpstreamKey); !own.empty())
        return own;
    return takesOpenAiKey(url) ? qEnvironmentVariable("OPENAI_API_KEY").toStdString()
                               : std::string();
}

void printNotices(const std::vector<std::string> &notices)
{
    for (const std::string &notice : notices)
        printError(QString::fromStdString(notice));
}

std::optional<QString> missingCredential(const net::Endpoint &endpoint)
{
    const QString host = endpoint.url.host();
    if (!endpoint.key.empty() || net::isLoopbackHost(host))
        return std::nullopt;
    QString text = QStringLiteral("there is no credential for %1, which will refuse every turn; "
                                  "set HEADWAY_UPSTREAM_KEY")
                       .arg(host);
    if (takesOpenAiKey(endpoint.url))
        text += QStringLiteral(" or OPENAI_API_KEY");
    else if (qEnvironmentVariableIsSet("OPENAI_API_KEY"))
        text += QStringLiteral(" (OPENAI_API_KEY is used for api.openai.com only)");
    return text;
}

tl::expected<Settings, QString> readSettings(const store::Paths &paths,
                                             const CommandLine &commandLine,
                                             std::vector<std::string> &notices)
{
    Settings settings;
    add(notices, store::SettingsFile(paths.settingsFile()).readInto(settings));
    add(notices, store::readEnvironment(QProcessEnvironment::systemEnvironment(), settings));
    if (const auto set = commandLine.applySettings(settings, notices); !set)
        return tl::unexpected(set.error());
    return settings;
}

tl::expected<ProxySetup, QString> setUpProxy(const ProxyCall &call, const CommandLine &commandLine)
{
    ProxySetup setup;
    setup.paths = call.paths.value_or(store::Paths::ofUser());
    engine::EngineOptions &options = setup.options;
    auto settings = readSettings(setup.paths, commandLine, options.notices);
    if (!settings)
        return tl::unexpected(settings.error());
    options.settings = *std::move(settings);
    if (const auto set = setAddress(call, options); !set)
        return tl::unexpected(set.error());
    if (call.simulate) {
        auto scenario = call.isLoad ? loadScenario() : readScenario(call.scenarioFile, call.lanes);
        if (!scenario)
            return tl::unexpected(scenario.error());
        if (call.lanes)
            scenario->lanes = true;
        if (call.isLoad && options.settings.source(Key::Policy) == settings::Source::Default)
            (void)options.settings.set(settings::Source::Window, Key::Policy, "off");
        auto provider = SimulatedProvider::start(*std::move(scenario));
        if (!provider)
            return tl::unexpected(provider.error());
        setup.provider = *std::move(provider);
        options.endpoint = net::parseEndpoint(setup.provider->url().toStdString()).value();
        options.endpoint.name = "simulated";
        options.anyModel = true;
    } else {
        if (const auto set = setUpstream(call, setup.paths, options); !set)
            return tl::unexpected(set.error());
    }
    setKeys(call, setup.paths, options);
    options.allowedHosts = words(options.settings.text(Key::AllowedHosts));
    options.models = words(options.settings.text(Key::Models));
    const std::string &ledger = options.settings.text(Key::Ledger);
    options.ledgerPath = ledger.empty() ? setup.paths.ledgerFile() : QString::fromStdString(ledger);
    options.installKeyPath = setup.paths.installKeyFile();
    options.ceilingPath = setup.paths.ceilingFile();
    return setup;
}

} // namespace headway::app
