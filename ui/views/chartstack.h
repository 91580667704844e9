// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/livecharts.h"
#include "ui/models/secondring.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace headway::ui {

class LegendBar;
class TimeScale;

// The four charts on one time axis, with one crosshair, their legends and the labels of the axis.
// Drawn only when asked; it keeps its vectors.
class ChartStack final : public QWidget
{
    Q_OBJECT

public:
    explicit ChartStack(QWidget *parent = nullptr);

    void draw(const SecondRing &ring, const Span &span, const References &references,
              const std::vector<TimeMark> &marks, bool paused);
    // Seconds that one pixel stands for: a smaller move cannot be seen.
    [[nodiscard]] double secondsPerPixel(int spanSeconds) const;

    [[nodiscard]] const std::vector<TimeChart *> &charts() const { return m_charts; }
    [[nodiscard]] std::optional<double> crosshair() const { return m_crosshair; }

Q_SIGNALS:
    void crosshairMoved(std::optional<double> at); // unix seconds

private:
    void addChart(TimeChart *chart);
    void moveCrosshair(std::optional<double> at);
    void showLegends();
    void showReadouts();
    [[nodiscard]] const Column *columnAt(double at) const;
    [[nodiscard]] const Column *newestColumn() const;

    std::vector<TimeChart *> m_charts;
    std::vector<LegendBar *> m_legends;
    TimeScale *m_scale;
    std::vector<Column> m_columns;
    std::optional<double> m_crosshair;
};

} // namespace headway::ui
