// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/clientsetup.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::app {

// A client's own configuration with what points it at a proxy; everything else stays as it was,
// byte for byte. The message says why that cannot be, in a sentence.

// `settings`: what ~/.claude/settings.json holds, perhaps nothing.
[[nodiscard]] tl::expected<std::string, QString>
withClaudeEnvironment(std::string_view settings, const ClientSetupFacts &facts);

// `config`: what ~/.codex/config.toml holds, perhaps nothing.
[[nodiscard]] tl::expected<std::string, QString> withCodexProvider(std::string_view config,
                                                                   const ClientSetupFacts &facts);

// Why Codex would not use our provider all the same, a sentence without a full stop; empty: it
// would.
[[nodiscard]] QString codexProfileInTheWay(std::string_view config);

} // namespace headway::app
