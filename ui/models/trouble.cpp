// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/trouble.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>
#include <string_view>

namespace headway::ui {

namespace {

struct Troubles
{
    Q_DECLARE_TR_FUNCTIONS(Troubles)
};

using Kind = Trouble::Kind;

QString sentence(QString words)
{
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
}

// "rejecting (403)": 403.
int rejectedWith(std::string_view state)
{
    constexpr std::string_view before = "rejecting (";
    return state.starts_with(before) ? text(state.substr(before.size(), 3)).toInt() : 0;
}

Trouble credentialRejected(const QString &what)
{
    return {Kind::CredentialRejected, what,
            Troubles::tr("Every turn is refused until the credential is good again; nothing is "
                         "retried with it in vain."),
            Troubles::tr("For the ChatGPT plan: headway login chatgpt. For a key: set "
                         "HEADWAY_UPSTREAM_KEY and start Headway again."),
            Troubles::tr("Open Setup")};
}

// `words`: the proxy's own: what is lacking, and the commands that help.
Trouble notSignedIn(const QString &words, Where where)
{
    const bool isHere = where == Where::Here;
    const QString after = Troubles::tr("The next turn after that takes the new sign-in; nothing "
                                       "has to be started again.");
    return {Kind::NotSignedIn, sentence(words) + u'.',
            Troubles::tr("Every turn is refused until then; nothing is sent in vain."),
            isHere ? Troubles::tr("Sign in with the button: it gives a code to be entered in a "
                                  "browser.")
                    + u' ' + after
                   : Troubles::tr("Sign in where the proxy runs.") + u' ' + after,
            isHere ? Troubles::tr("Sign in…") : QString()};
}

std::optional<Trouble> upstreamTrouble(const live::Snapshot &snapshot, Where where)
{
    const std::string_view state = snapshot.upstreamState;
    const QString name = text(snapshot.upstream);
    const int status = rejectedWith(state);
    if (status == 401 && snapshot.signIn.state != live::SignInState::NotAsked)
        return notSignedIn(Troubles::tr("%1 does not take the sign-in any more (401). Run: headway "
                                        "login chatgpt")
                               .arg(name),
                           where);
    if (status == 401)
        return credentialRejected(
            Troubles::tr("%1 does not take the credential (401): it is wrong or has expired.")
                .arg(name));
    constexpr std::string_view lacking = "no credential: ";
    if (state.starts_with(lacking))
        return notSignedIn(text(state.substr(lacking.size())), where);
    constexpr std::string_view unreachable = "unreachable";
    if (state.starts_with(unreachable)) {
        std::string_view why = state.substr(unreachable.size());
        why.remove_prefix(std::min(why.find_first_not_of(": "), why.size()));
        return Trouble{
            Kind::UpstreamDown,
            why.empty() ? Troubles::tr("%1 cannot be reached.").arg(name)
                        : Troubles::tr("%1 cannot be reached: %2.").arg(name, text(why)),
            Troubles::tr("New turns wait or fail; Headway goes on trying, and turns that "
                         "run are not touched."),
            Troubles::tr("Look at the network of this machine and at the provider's "
                         "status page; headway doctor tries the connection.")};
    }
    return std::nullopt;
}

std::optional<Trouble> ledgerTrouble(const live::Snapshot &snapshot)
{
    const std::string_view state = snapshot.ledgerState;
    if (state.empty() || state == "ok")
        return std::nullopt;
    const QString what = Troubles::tr("Ledger: %1.").arg(text(state));
    const auto says
        = [state](std::string_view words) { return state.find(words) != std::string_view::npos; };
    if (says("damaged"))
        return Trouble{Kind::LedgerDamaged, what,
                       Troubles::tr("Turns are not harmed. Records from before stand in the old "
                                    "file only."),
                       Troubles::tr("Nothing has to be done; keep the old file if you need what it "
                                    "holds. headway ledger verify --ledger FILE reads it.")};
    if (says("no room left"))
        return Trouble{Kind::LedgerFull, what,
                       Troubles::tr("Turns are not harmed; records are kept in memory and written "
                                    "when there is room."),
                       Troubles::tr("Free some space on that disk, or set a smaller "
                                    "retention_mib.")};
    return Trouble{Kind::LedgerStuck, what,
                   Troubles::tr("Turns are not harmed; records are kept in memory meanwhile."),
                   Troubles::tr("Close what else uses the file, or let its folder be written; "
                                "Headway tries again by itself.")};
}

} // namespace

Meaning Trouble::sign() const
{
    switch (kind) {
    case Kind::PortTaken:
    case Kind::AlreadyRunning:
    case Kind::NoUpstream:
    case Kind::NotStarted:
    case Kind::CredentialMissing:
    case Kind::CredentialRejected:
    case Kind::NotSignedIn:
    case Kind::UpstreamDown:
        return Meaning::Failed;
    default:
        return Meaning::Waiting;
    }
}

bool Trouble::isWithoutProxy() const
{
    return kind <= Kind::NotStarted;
}

std::vector<Trouble> troublesIn(const live::Snapshot &snapshot, const std::optional<Trouble> &stall,
                                Where where)
{
    const std::optional<Trouble> upstream = upstreamTrouble(snapshot, where);
    const std::optional<Trouble> rate
        = snapshot.unpaced.empty() ? std::nullopt : std::optional(unpaced(snapshot.unpaced));
    std::vector<Trouble> all;
    for (const std::optional<Trouble> &each :
         {upstream ? upstream : stall, rate, ledgerTrouble(snapshot)})
        if (each)
            all.push_back(*each);
    return all;
}

Trouble portTaken(const QString &owner, const QString &other)
{
    return {Kind::PortTaken, sentence(owner) + u'.',
            Troubles::tr("Headway does not listen, so no client can reach it."),
            other.isEmpty()
                ? Troubles::tr("End that program and start Headway again, or give another port "
                               "with --set listen=127.0.0.1:0.")
                : Troubles::tr("End that program and start Headway again, or listen elsewhere; "
                               "clients then need the new address."),
            other.isEmpty() ? QString() : Troubles::tr("Listen on %1").arg(other)};
}

Trouble alreadyRunning(const QString &who)
{
    return {Kind::AlreadyRunning, sentence(who) + u'.',
            Troubles::tr("Your clients are served by that one; this window has no proxy of its "
                         "own."),
            Troubles::tr("Look at that one instead, or end it and start Headway again."),
            Troubles::tr("Open its window")};
}

Trouble noUpstream(const QString &why)
{
    return {Kind::NoUpstream, sentence(why) + u'.',
            Troubles::tr("Headway does not know where to send turns, so it does not listen."),
            Troubles::tr("Setup is where one is chosen."), Troubles::tr("Open Setup")};
}

Trouble notStarted(const QString &why)
{
    return {Kind::NotStarted, sentence(why) + u'.',
            Troubles::tr("Headway does not listen, so no client can reach it."),
            Troubles::tr("Put it right and start Headway again; headway doctor looks at "
                         "everything.")};
}

Trouble credentialMissing(const QString &what)
{
    return {Kind::CredentialMissing, sentence(what) + u'.',
            Troubles::tr("Headway listens, but turns will be refused."),
            Troubles::tr("Start Headway again once it is set."), Troubles::tr("Open Setup")};
}

Trouble silent(const QString &since)
{
    return {Kind::Silent, Troubles::tr("No news from the proxy for %1.").arg(since),
            Troubles::tr("It is busy or stuck. What is shown is from then; what you change now "
                         "acts when it goes on."),
            Troubles::tr("If it stays like this, quit (Ctrl+Q) and start Headway again; the "
                         "ledger keeps what was written.")};
}

Trouble stopping()
{
    return {Kind::Stopping,
            Troubles::tr("Headway is stopping."),
            Troubles::tr("It takes no new turns and lets those in flight end, for half a minute "
                         "at most."),
            {}};
}

} // namespace headway::ui
