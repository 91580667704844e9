// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/whatif.h"
#include "ui/charts/replaychart.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace headway::ui {

class ChartGroup;
class TimeScale;

// Admissions, waits and refusals of two replays, on one time axis with one crosshair.
class ReplayStack final : public QWidget
{
    Q_OBJECT

public:
    explicit ReplayStack(QWidget *parent = nullptr);

    void showCurves(const lab::WhatIf &curves); // with one value at least

    [[nodiscard]] const std::vector<ReplayChart *> &charts() const { return m_charts; }

private:
    void addChart(const QString &name, ReplayChart::Unit unit);
    void moveCrosshair(std::optional<double> at); // in steps
    void showReadouts();

    std::vector<ReplayChart *> m_charts;
    std::vector<ChartGroup *> m_groups; // of the charts, in their order
    TimeScale *m_scale;
    std::optional<double> m_crosshair;
    double m_step = 1; // seconds
};

} // namespace headway::ui
