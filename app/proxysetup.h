// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"
#include "proxy/core/settings/settings.h"
#include "proxy/engine/engine.h"
#include "proxy/store/paths.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::app {

class SimulatedProvider;

// What a call of the program asks for, before anything is read.
struct ProxyCall
{
    std::optional<store::Paths> paths; // empty: the user's
    bool simulate = false;
    QString scenarioFile; // empty: the default scenario
    bool lanes = false; // the simulated provider has them
    bool isLoad = false; // simulated: see loadScenario(); not paced unless a policy is set
    QString upstream; // overrides the setting; empty: the setting counts
    QString listen; // likewise
};

// Everything a proxy is made of: settings from all sources, keys, endpoint, paths.
struct ProxySetup
{
    engine::EngineOptions options;
    store::Paths paths = store::Paths::ofUser();
    std::unique_ptr<SimulatedProvider> provider; // with --simulate
};

// The composition root's one recipe. Messages say what to do.
[[nodiscard]] tl::expected<ProxySetup, QString> setUpProxy(const ProxyCall &call,
                                                           const CommandLine &commandLine);

// Why an upstream without a credential will refuse every turn, and what to do; nothing where there
// is one, or none is needed (loopback).
[[nodiscard]] std::optional<QString> missingCredential(const net::Endpoint &endpoint);

// The settings alone, as doctor and env need them; notices are collected.
[[nodiscard]] tl::expected<settings::Settings, QString>
readSettings(const store::Paths &paths, const CommandLine &commandLine,
             std::vector<std::string> &notices);
// One line each on stderr.
void printNotices(const std::vector<std::string> &notices);

// The key of the control routes: the setting, else the one in the keys' file; empty where there is
// neither. Makes no key.
[[nodiscard]] std::string controlKeyOf(const settings::Settings &settings,
                                       const store::Paths &paths);

// The upstream's credential, where there is one: OPENAI_API_KEY is used for api.openai.com only,
// any other host needs upstream_key (spec/cli.md).
[[nodiscard]] std::string upstreamKey(const settings::Settings &settings, const QUrl &url);

} // namespace headway::app
