// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timescale.h"

#include "ui/charts/timechart.h"
#include "ui/format/appearance.h"
#include "ui/format/figures.h"

#include <QPainter>

namespace headway::ui {

namespace {

constexpr int parts = 5; // as many as the charts have grid columns

}

TimeScale::TimeScale(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimeScale::setSpan(const Span &span, bool paused)
{
    const bool sameLabels = m_span.seconds == span.seconds && m_paused == paused;
    m_span = span;
    m_paused = paused;
    if (!sameLabels)
        update();
}

void TimeScale::setElapsed(double seconds)
{
    m_elapsed = seconds;
    update();
}

QSize TimeScale::sizeHint() const
{
    return {200, static_cast<int>(fontMetrics().height() * 1.1)};
}

QString TimeScale::label(int part) const
{
    if (m_elapsed)
        return part == 0 ? decimal(0) : duration(*m_elapsed * 1000 * part / parts);
    if (part == parts && m_paused)
        return clockTime(
            base::WallTime(base::Milliseconds(static_cast<qint64>(m_span.end * 1000))));
    if (part == parts)
        return tr("now");
    const int seconds = m_span.seconds * (parts - part) / parts;
    return seconds % 60 == 0 ? tr("−%1 min", "before now").arg(seconds / 60)
                             : tr("−%1 s", "before now").arg(seconds);
}

void TimeScale::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QFont small = smaller(font());
    painter.setFont(small);
    painter.setPen(secondary(palette()));
    const QFontMetricsF metrics(small);
    const QMarginsF margins = plotMargins(metrics);
    const double left = margins.left();
    const double plot = width() - left - margins.right();
    double free = width();
    for (int part = parts; part >= 0; --part) { // the newest first: older ones give way
        const QString words = label(part);
        const double wide = metrics.horizontalAdvance(words) + 2;
        const double x = left + plot * part / parts - wide / 2;
        if (x + wide > free && part != parts)
            continue;
        painter.drawText(QRectF(x, 0, wide, height()), Qt::AlignCenter, words);
        free = x - metrics.horizontalAdvance(u'0');
    }
}

} // namespace headway::ui
