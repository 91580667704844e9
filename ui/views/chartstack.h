// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/livecharts.h"
#include "ui/models/secondring.h"
#include "ui/models/steptrace.h"

#include <QWidget>

#include <deque>
#include <optional>
#include <vector>

namespace headway::ui {

class ChartGroup;
class TimeScale;

// The charts on one time axis, with one crosshair, their legends and the labels of the axis.
// Drawn only when asked; it keeps its vectors. Either all at once, or a few charts a frame, so that
// no frame pays for all of them.
class ChartStack final : public QWidget
{
    Q_OBJECT

public:
    explicit ChartStack(QWidget *parent = nullptr);

    void draw(const SecondRing &ring, const Span &span, const References &references,
              const std::vector<TimeMark> &marks, bool paused);
    // The same in parts: takes what is to be seen, which the charts show by and by.
    void begin(const SecondRing &ring, const Span &span, const References &references,
               const std::vector<TimeMark> &marks, bool paused);
    void drawNext(); // those whose turn it is; nothing when each shows what begin() took
    // How openings are paced as of a second.
    struct Pacing
    {
        StepTrace ceiling; // as `auto` has learned, in openings a minute; nothing: none in force
        StepTrace spacing; // between two openings, in milliseconds; nothing: not spaced
    };
    void notePacing(std::int64_t second, std::optional<double> ceiling,
                    std::optional<double> spacing);
    [[nodiscard]] const Pacing &pacing() const { return m_pacing; }
    void setPacing(const Pacing &pacing) { m_pacing = pacing; }
    // Seconds that one pixel stands for: a smaller move cannot be seen.
    [[nodiscard]] double secondsPerPixel(int spanSeconds) const;

    [[nodiscard]] const std::vector<TimeChart *> &charts() const { return m_charts; }
    [[nodiscard]] std::optional<double> crosshair() const { return m_crosshair; }

Q_SIGNALS:
    void crosshairMoved(std::optional<double> at); // unix seconds

private:
    ChartGroup *addChart(TimeChart *chart);
    [[nodiscard]] bool drawFirst();
    void moveCrosshair(std::optional<double> at);
    void showReadouts();
    [[nodiscard]] const Column *columnAt(double at) const;
    [[nodiscard]] const Column *newestColumn() const;

    std::vector<TimeChart *> m_charts;
    std::vector<ChartGroup *> m_groups; // of the charts, in their order
    TimeScale *m_scale;
    QWidget *m_openings = nullptr; // one of the two is visible, by policy
    QWidget *m_level = nullptr;
    Pacing m_pacing;
    std::vector<Column> m_columns;
    Span m_span;
    References m_references;
    std::vector<TimeMark> m_marks;
    std::deque<TimeChart *> m_due; // charts that do not show them yet
    std::optional<double> m_crosshair;
};

} // namespace headway::ui
