// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/settings/settings.h"
#include "proxy/core/settings/upstreams.h"
#include "proxy/engine/upstreamaccess.h"
#include "proxy/store/paths.h"

#include <QString>

#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace headway::app {

// Everything that says where turns go and what they carry, out of the settings.
struct UpstreamSetup
{
    net::Endpoint endpoint; // with its key, where it has one
    std::optional<engine::PlanOptions> plan;
    credentials::HeaderProfiles profiles;
    std::optional<net::Endpoint> anthropic; // base URL of the pass-through
};

// `upstream`: the setting's text, or what the command line says in its place. The message says what
// to do. The plan's sign-in goes to chatgpt.com and auth.openai.com alone, or to a stand-in on this
// machine, which never sees the real one.
[[nodiscard]] tl::expected<UpstreamSetup, QString> readUpstreams(const std::string &upstream,
                                                                 const settings::Settings &settings,
                                                                 const store::Paths &paths);

// Where the plan's sign-in is kept, for login and logout: as readUpstreams() says, and the real
// one where the setting names another upstream.
[[nodiscard]] tl::expected<engine::PlanOptions, QString>
planOptions(const settings::Upstreams &upstreams, const store::Paths &paths);

} // namespace headway::app
