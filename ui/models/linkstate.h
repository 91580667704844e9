// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

namespace headway::ui {

// How a window stands with a proxy elsewhere.
struct LinkState
{
    enum class Phase {
        Connecting,
        Live, // snapshots come
        Waiting, // until the next attempt
        Refused, // there will be no further attempt
    };

    Phase phase = Phase::Connecting;
    QString address; // "wss://proxy.example:443"
    QString trouble; // a sentence without a full stop; empty: none so far
    qint64 retryInMs = 0; // Waiting

    friend bool operator==(const LinkState &, const LinkState &) = default;
};

} // namespace headway::ui

Q_DECLARE_METATYPE(headway::ui::LinkState)
