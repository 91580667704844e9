// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/format/palette.h"

#include <QMetaType>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headway::ui {

// Something that keeps turns or records from going their way, in the words a person needs: what
// happened, what it means, what to do (spec/window.md, "Rules").
struct Trouble
{
    enum class Kind {
        // No proxy runs.
        PortTaken, // by somebody else
        AlreadyRunning, // a Headway of this user has the port
        NoUpstream,
        NotStarted, // for another reason
        // One runs.
        Silent, // the proxy gives no news
        Stopping, // it takes no new turns
        CredentialMissing,
        CredentialRejected,
        NotSignedIn, // to the plan, or no longer
        UpstreamDown,
        StarvedByPolicy, // turns get no connection; another policy would find out what is borne
        StarvedByRate, // … the set rate leaves none
        StarvedByAccount, // … the account bears no more, as far as anybody knows
        Unpaced, // the policy cannot keep the set rate
        LedgerDamaged,
        LedgerFull,
        LedgerStuck,
    };

    Kind kind = Kind::NotStarted;
    QString what;
    QString meaning;
    QString remedy;
    QString action = {}; // of the button; empty: none

    // Failed: turns do not go through. Waiting: they do, or will.
    [[nodiscard]] Meaning sign() const;
    [[nodiscard]] bool isWithoutProxy() const; // none runs

    friend bool operator==(const Trouble &, const Trouble &) = default;
};

// Of the proxy: whether the window can act for it, or somebody has to go there.
enum class Where { Here, Elsewhere };

// What a snapshot shows to be wrong, the gravest first. A provider that rejects openings now and
// then is no trouble: that is what pacing is for.
// `stall` as a StallWatch has it; a provider that cannot serve at all explains it.
[[nodiscard]] std::vector<Trouble> troublesIn(const live::Snapshot &snapshot,
                                              const std::optional<Trouble> &stall, Where where);

// Of the turns that get no new connection.
struct Starving
{
    std::uint64_t waiting = 0;
    std::uint64_t hopeless = 0; // of these: as things stand they will be refused
    std::uint64_t refused = 0; // turns, within the last minute
    std::uint64_t rejections = 0; // by the provider, likewise
    base::Milliseconds longest{0}; // that one of them has waited so far
};
[[nodiscard]] Trouble stalled(const live::Snapshot &snapshot, const Starving &starving);
[[nodiscard]] Trouble unpaced(const std::string &why); // Snapshot::unpaced

// `owner`: "127.0.0.1:17421 is held by python3 (pid 7)". `other`: "127.0.0.1:40123", or empty.
[[nodiscard]] Trouble portTaken(const QString &owner, const QString &other);
[[nodiscard]] Trouble alreadyRunning(const QString &who);
[[nodiscard]] Trouble noUpstream(const QString &why);
[[nodiscard]] Trouble notStarted(const QString &why);
[[nodiscard]] Trouble credentialMissing(const QString &what);
[[nodiscard]] Trouble silent(const QString &since);
[[nodiscard]] Trouble stopping();

} // namespace headway::ui

Q_DECLARE_METATYPE(headway::ui::Trouble::Kind)
