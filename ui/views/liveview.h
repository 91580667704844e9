// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/charts/timechart.h"
#include "ui/models/secondring.h"

#include <QWidget>

#include <optional>
#include <vector>

class QButtonGroup;
class QLabel;
class QToolButton;

namespace headway::ui {

class ChartStack;
class QuotaView;
class TurnsPanel;

// The fan-out as it happens: charts above, the turns in flight below.
class LiveView final : public QWidget
{
    Q_OBJECT

public:
    explicit LiveView(const SecondRing &ring, QWidget *parent = nullptr);

    void apply(const live::SnapshotPointer &snapshot);

    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    void setSpan(int seconds); // 60, 300, 900 or 3600
    void redraw() { draw(); } // at once, for a picture

    // The charts over the last `seconds` up to now, in another stack; false before the first
    // snapshot.
    bool drawInto(ChartStack &stack, int seconds) const;

    [[nodiscard]] TurnsPanel *turns() const { return m_turns; }
    [[nodiscard]] ChartStack *charts() const { return m_charts; }

Q_SIGNALS:
    void pausedChanged(bool paused);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildBar();
    void remember(const live::Snapshot &snapshot);
    void refresh();
    void showRows();
    void draw(); // all of it, at once
    void takeFrame();
    [[nodiscard]] double now() const;
    void showCrosshair(std::optional<double> at);

    const SecondRing &m_ring;
    ChartStack *m_charts;
    TurnsPanel *m_turns;
    QuotaView *m_quota;
    QButtonGroup *m_spans;
    QToolButton *m_pause;
    QLabel *m_time;
    live::SnapshotPointer m_snapshot;
    std::vector<TimeMark> m_marks; // the last hour's, ascending
    References m_references;
    int m_seconds = 300;
    bool m_paused = false;
    double m_end = 0; // right edge as drawn
    std::int64_t m_drawnSecond = 0;
    std::size_t m_drawnMarks = 0;
};

} // namespace headway::ui
