// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/stallwatch.h"
#include "ui/models/trouble.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace headway::ui {

// Everything that is wrong now: what the program says, what the newest snapshot shows, and that no
// snapshot comes.
class TroubleWatch final : public QObject
{
    Q_OBJECT

public:
    // silentAfterMs: without a snapshot for that long, the proxy is called silent.
    explicit TroubleWatch(qint64 silentAfterMs, QObject *parent = nullptr);

    // What keeps the proxy from running, or from serving; nothing: it runs.
    void setStanding(const std::optional<Trouble> &trouble);
    void setStopping();
    // A window on a proxy elsewhere says by its link bar that no news comes.
    void setElsewhere(bool isElsewhere) { m_isElsewhere = isElsewhere; }
    void hear(const live::SnapshotPointer &snapshot);

    [[nodiscard]] bool isSilent() const; // no news from the proxy of this window

Q_SIGNALS:
    void changed(const std::vector<headway::ui::Trouble> &troubles); // the gravest first

private:
    void look();

    qint64 m_silentAfterMs;
    std::optional<Trouble> m_standing;
    live::SnapshotPointer m_newest;
    StallWatch m_stall;
    QElapsedTimer m_heard; // the newest snapshot
    QTimer m_silence; // looks whether there is news; runs once there was
    bool m_isElsewhere = false;
    bool m_isStopping = false;
};

} // namespace headway::ui
