// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/secondring.h"

#include <QWidget>

class QPushButton;

namespace headway::ui {

class ElidedLabel;
class SignLabel;
class Tile;

// Where we listen, how much goes through, how the provider answers: true now, at a glance.
class TopStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit TopStrip(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot, const SecondRing &ring);

Q_SIGNALS:
    void copyRequested();

private:
    QWidget *buildAddress();
    QWidget *buildUpstream();
    void showAddress(const live::Snapshot &snapshot);
    void showUpstream(const live::Snapshot &snapshot);

    SignLabel *m_listening;
    QPushButton *m_copy;
    Tile *m_turnsPerSecond;
    Tile *m_inFlight;
    Tile *m_waiting;
    Tile *m_reuse;
    Tile *m_refused;
    Tile *m_failed;
    SignLabel *m_upstreamState;
    ElidedLabel *m_upstreamName;
};

} // namespace headway::ui
