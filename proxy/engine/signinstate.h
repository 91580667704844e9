// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/engine/plancredential.h"

namespace headway::engine {

// What a person is told of the sign-in: whose it is, out of the tokens that there are, and what is
// wrong, where there is an error. Nothing secret.
[[nodiscard]] live::SignIn signInOf(const credentials::Tokens *tokens, bool isOfCodex,
                                    const CredentialError *error);

} // namespace headway::engine
