// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/format/palette.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace headway::ui {

// What the pacer knows and does beyond the settings: the state of its door with a countdown, who
// waits before it, and what `auto` has learned, which is never more than an estimate. Takes no room
// where there is nothing to say.
class EstimateView final : public QWidget
{
    Q_OBJECT

public:
    explicit EstimateView(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);

protected:
    void changeEvent(QEvent *event) override;

private:
    void showDoor(const live::Snapshot &snapshot);
    void showEstimate(const live::Snapshot &snapshot);
    void recolor();

    QWidget *m_doorLine;
    QLabel *m_doorGlyph;
    QLabel *m_door;
    QLabel *m_gated;
    QWidget *m_learned;
    QLabel *m_estimate;
    QProgressBar *m_confidence;
    QLabel *m_trust; // confidence in words, and age
    Meaning m_meaning = Meaning::Done;
};

} // namespace headway::ui
