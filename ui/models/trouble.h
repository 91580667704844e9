// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/format/palette.h"

#include <QMetaType>
#include <QString>

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
[[nodiscard]] std::vector<Trouble> troublesIn(const live::Snapshot &snapshot, Where where);

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
