// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legendbar.h"

#include "ui/charts/symbols.h"
#include "ui/format/appearance.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headway::ui {

LegendBar::LegendBar(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LegendBar::setItems(std::vector<LegendItem> items)
{
    m_items = std::move(items);
    update();
}

void LegendBar::setValues(std::vector<QString> values)
{
    if (values == m_values)
        return;
    m_values = std::move(values);
    update();
}

QSize LegendBar::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, static_cast<int>(fontMetrics().height() * 1.35)};
}

QSize LegendBar::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 10, sizeHint().height()};
}

void LegendBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(bolder(font()));
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF line(0, 0, width(), height());
    QRectF used;
    painter.drawText(line.adjusted(2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_title, &used);

    const QFont small = smaller(font());
    const QFontMetricsF metrics(small);
    const double gap = metrics.height() * 0.4;
    const double swatch = metrics.height() * 0.75;
    double needed = 0;
    for (const LegendItem &item : m_items)
        needed += swatch + metrics.horizontalAdvance(item.name)
            + metrics.horizontalAdvance(item.widest) + 3.2 * gap;
    const double available = width() - used.right() - 2 * gap;
    const double nameShare = needed > available ? 0 : 1; // no half names

    double x = std::max(used.right() + 2 * gap, width() - needed);
    if (nameShare == 0)
        x = used.right() + 2 * gap;
    painter.setFont(small);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const double valueWidth = metrics.horizontalAdvance(m_items[i].widest);
        const double nameWidth = nameShare * metrics.horizontalAdvance(m_items[i].name);
        if (x + swatch + nameWidth + valueWidth + 1.5 * gap > width())
            break; // nothing is cut in half
        paintSwatch(painter, m_items[i],
                    QRectF(x, (height() - swatch * 0.8) / 2, swatch, swatch * 0.8));
        x += swatch + gap * 0.7;
        painter.setPen(secondary(palette()));
        if (nameWidth > 0)
            painter.drawText(QRectF(x, 0, nameWidth + 1, height()), Qt::AlignVCenter,
                             m_items[i].name);
        x += nameWidth + gap * 0.8;
        painter.setPen(palette().color(QPalette::WindowText));
        if (i < m_values.size())
            painter.drawText(QRectF(x, 0, valueWidth, height()), Qt::AlignVCenter, m_values[i]);
        x += valueWidth + gap * 1.7;
    }
}

} // namespace headway::ui
