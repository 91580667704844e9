// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/signinwords.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct SignInWords
{
    Q_DECLARE_TR_FUNCTIONS(SignInWords)
};

QString signedInAs(const live::SignIn &signIn)
{
    QString who = text(signIn.who);
    if (!signIn.plan.empty())
        who += QStringLiteral(" (") + text(signIn.plan) + u')';
    if (signIn.isOfCodex)
        return SignInWords::tr("Signed in to the ChatGPT plan as %1, with what Codex stored; only "
                               "Codex renews that.")
            .arg(who);
    return SignInWords::tr("Signed in to the ChatGPT plan as %1.").arg(who);
}

} // namespace

QString signInWords(const live::SignIn &signIn)
{
    switch (signIn.state) {
    case live::SignInState::NotAsked:
        return {};
    case live::SignInState::Looking:
        return SignInWords::tr("Looking for a sign-in to the ChatGPT plan …");
    case live::SignInState::SignedIn:
        return signedInAs(signIn);
    case live::SignInState::Unrenewed:
        return SignInWords::tr("%1 %2. The next turn tries again.")
            .arg(signedInAs(signIn), text(signIn.trouble));
    case live::SignInState::Lacking:
        return SignInWords::tr("Not signed in. %1. Every turn is refused until then.")
            .arg(text(signIn.trouble));
    }
    return {};
}

} // namespace headway::ui
