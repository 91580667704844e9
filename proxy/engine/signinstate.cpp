// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/signinstate.h"

#include "proxy/core/credentials/webtoken.h"

namespace headway::engine {

live::SignIn signInOf(const credentials::Tokens *tokens, bool isOfCodex,
                      const CredentialError *error)
{
    using State = live::SignInState;
    live::SignIn signIn;
    signIn.state = State::SignedIn;
    if (error != nullptr) {
        signIn.state = error->passing ? State::Unrenewed : State::Lacking;
        signIn.trouble = error->text.toStdString();
    }
    if (tokens == nullptr || signIn.state == State::Lacking)
        return signIn;
    const credentials::Claims claims
        = credentials::readClaims(tokens->id.empty() ? tokens->access : tokens->id);
    signIn.who = claims.email.empty() ? credentials::accountOf(*tokens) : claims.email;
    signIn.plan = claims.plan;
    signIn.isOfCodex = isOfCodex;
    return signIn;
}

} // namespace headway::engine
