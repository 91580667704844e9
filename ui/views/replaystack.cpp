// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/replaystack.h"

#include "ui/charts/timescale.h"
#include "ui/format/figures.h"
#include "ui/views/chartgroup.h"

#include <QVBoxLayout>

#include <chrono>

namespace headway::ui {

ReplayStack::ReplayStack(QWidget *parent)
    : QWidget(parent)
    , m_scale(new TimeScale(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 2);
    layout->setSpacing(0);
    addChart(tr("Admissions/s"), ReplayChart::Unit::PerSecond);
    addChart(tr("Mean wait"), ReplayChart::Unit::Seconds);
    addChart(tr("Refusals"), ReplayChart::Unit::Turns);
    layout->addWidget(m_scale);
}

void ReplayStack::addChart(const QString &name, ReplayChart::Unit unit)
{
    auto *chart = new ReplayChart(name, unit, this);
    auto *group = new ChartGroup(chart, this);
    static_cast<QVBoxLayout *>(layout())->addWidget(group, 1);
    m_charts.push_back(chart);
    m_groups.push_back(group);
    connect(chart, &TimeChart::hovered, this, &ReplayStack::moveCrosshair);
    connect(group, &ChartGroup::tableRequested, this, [this, group, chart] {
        group->showTable(chart->columns(), [step = m_step](const Column &column) {
            return duration(step * 1'000 * static_cast<double>(column.second));
        });
    });
}

void ReplayStack::showCurves(const lab::WhatIf &curves)
{
    const lab::ReplayCurves &before = curves.before;
    const lab::ReplayCurves &after = curves.after;
    m_charts[0]->showCurves(before.admissionsPerSecond, after.admissionsPerSecond);
    m_charts[1]->showCurves(before.meanWaitSeconds, after.meanWaitSeconds);
    m_charts[2]->showCurves(before.refusals, after.refusals);
    m_step = std::chrono::duration<double>(curves.step).count();
    m_scale->setElapsed(m_step * static_cast<double>(before.refusals.size()));
    moveCrosshair(std::nullopt);
}

void ReplayStack::moveCrosshair(std::optional<double> at)
{
    m_crosshair = at;
    for (ReplayChart *chart : m_charts)
        chart->setCrosshair(at);
    showReadouts();
}

void ReplayStack::showReadouts()
{
    Column column;
    if (m_crosshair)
        column.second = static_cast<std::int64_t>(*m_crosshair);
    for (ChartGroup *group : m_groups)
        group->showReadout(m_crosshair ? &column : nullptr);
}

} // namespace headway::ui
