// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

#include <vector>

namespace headway::ui {

// One curve of a replay under two settings on the same axes: before as a grey area, after as a
// line. Its time axis counts steps of the replay: value i lies between i and i + 1.
class ReplayChart final : public TimeChart
{
    Q_OBJECT

public:
    enum class Unit { PerSecond, Seconds, Turns };

    ReplayChart(const QString &name, Unit unit, QWidget *parent = nullptr);

    // Both have as many values; not empty.
    void showCurves(const std::vector<double> &before, const std::vector<double> &after);

    [[nodiscard]] const std::vector<Column> &columns() const { return m_columns; }
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    // Of the column whose `second` is the index of the value.
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;
    [[nodiscard]] QString leftLabel(double value) const override;
    [[nodiscard]] QString worded(double value) const;

    Unit m_unit;
    Areas m_area;
    std::vector<double> m_before;
    std::vector<double> m_after;
    std::vector<Column> m_columns; // one per value
};

} // namespace headway::ui
