// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chartstack.h"

#include "ui/charts/timescale.h"
#include "ui/format/figures.h"
#include "ui/views/chartgroup.h"

#include <QChart>
#include <QVBoxLayout>

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int chartsAFrame = 2; // of four: all of them within two frames

} // namespace

ChartStack::ChartStack(QWidget *parent)
    : QWidget(parent)
    , m_scale(new TimeScale(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 2);
    layout->setSpacing(0);
    addChart(new StartsChart(this));
    addChart(new WaitChart(this));
    addChart(new ReuseChart(this));
    m_openings = addChart(new OpeningsChart(this));
    m_level = addChart(new LevelChart(this));
    m_openings->hide();
    layout->addWidget(m_scale);
}

ChartGroup *ChartStack::addChart(TimeChart *chart)
{
    auto *group = new ChartGroup(chart, this);
    static_cast<QVBoxLayout *>(layout())->addWidget(group, 1);
    m_charts.push_back(chart);
    m_groups.push_back(group);
    connect(chart, &TimeChart::hovered, this, &ChartStack::moveCrosshair);
    connect(group, &ChartGroup::tableRequested, this, [this, group] {
        group->showTable(m_columns, [](const Column &column) {
            return clockTime(base::WallTime(base::Seconds(column.second)));
        });
    });
    return group;
}

void ChartStack::notePacing(std::int64_t second, std::optional<double> ceiling,
                            std::optional<double> spacing)
{
    m_pacing.ceiling.note(second, ceiling);
    m_pacing.spacing.note(second, spacing);
}

void ChartStack::draw(const SecondRing &ring, const Span &span, const References &references,
                      const std::vector<TimeMark> &marks, bool paused)
{
    begin(ring, span, references, marks, paused);
    while (!m_due.empty())
        (void)drawFirst();
}

void ChartStack::drawNext()
{
    for (int drawn = 0; drawn < chartsAFrame && !m_due.empty();)
        drawn += drawFirst() ? 1 : 0;
}

// False: it is not to be seen.
bool ChartStack::drawFirst()
{
    TimeChart *chart = m_due.front();
    m_due.pop_front();
    if (!chart->parentWidget()->isVisibleTo(this))
        return false;
    chart->draw({m_columns, m_span, m_marks, m_references});
    return true;
}

void ChartStack::begin(const SecondRing &ring, const Span &span, const References &references,
                       const std::vector<TimeMark> &marks, bool paused)
{
    const double plot = m_charts.front()->chart()->plotArea().width();
    buildColumns(ring, span, columnWidth(span.seconds, std::max(1, static_cast<int>(plot))),
                 m_columns);
    m_pacing.ceiling.fill(m_columns, &Column::ceiling);
    m_pacing.spacing.fill(m_columns, &Column::spacing);
    m_level->setVisible(references.hasBucket);
    m_openings->setVisible(!references.hasBucket);
    m_span = span;
    m_marks = marks;
    m_references = references;
    for (TimeChart *chart : m_charts)
        if (std::ranges::find(m_due, chart) == m_due.end())
            m_due.push_back(chart);
    m_scale->setSpan(span, paused);
    showReadouts();
}

double ChartStack::secondsPerPixel(int spanSeconds) const
{
    return spanSeconds / std::max(1.0, m_charts.front()->chart()->plotArea().width());
}

void ChartStack::moveCrosshair(std::optional<double> at)
{
    m_crosshair = at;
    for (TimeChart *chart : m_charts)
        chart->setCrosshair(at);
    showReadouts();
    Q_EMIT crosshairMoved(at);
}

void ChartStack::showReadouts()
{
    const Column *column = m_crosshair ? columnAt(*m_crosshair) : newestColumn();
    for (ChartGroup *group : m_groups)
        group->showReadout(column);
}

const Column *ChartStack::columnAt(double at) const
{
    for (const Column &column : m_columns)
        if (at >= static_cast<double>(column.second)
            && at < static_cast<double>(column.second + column.width))
            return &column;
    return nullptr;
}

const Column *ChartStack::newestColumn() const
{
    const auto newest = std::find_if(m_columns.rbegin(), m_columns.rend(),
                                     [](const Column &column) { return column.reported > 0; });
    return newest == m_columns.rend() ? nullptr : &*newest;
}

} // namespace headway::ui
