// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chartcolors.h"

#include "ui/format/appearance.h"
#include "ui/format/palette.h"

#include <QPainter>
#include <QPalette>
#include <QPixmap>

namespace headway::ui {

namespace {

constexpr int tile = 6; // pixels; the lines of neighbouring tiles meet

}

ChartColors chartColors(const QPalette &palette)
{
    const bool dark = isDark(palette);
    return {.dark = dark,
            .ground = palette.color(QPalette::Base),
            .grid = hairline(palette),
            .text = palette.color(QPalette::Text),
            .label = secondary(palette),
            .active = color(Meaning::Active, dark),
            .waiting = color(Meaning::Waiting, dark),
            .limit = color(Meaning::Limit, dark),
            .done = color(Meaning::Done, dark)};
}

QColor faded(QColor color, double alpha)
{
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

QBrush hatched(const QColor &color, Hatch hatch)
{
    QPixmap pixmap(tile, tile);
    pixmap.fill(faded(color, 0.28));
    QPainter painter(&pixmap);
    painter.setPen(QPen(color, 1));
    if (hatch == Hatch::Dotted)
        painter.fillRect(1, 1, 2, 2, color);
    for (int at = -tile; at <= tile && hatch != Hatch::Dotted; at += tile) {
        if (hatch == Hatch::Rising)
            painter.drawLine(at, tile, at + tile, 0);
        else
            painter.drawLine(at, 0, at + tile, tile);
    }
    painter.end();
    return QBrush(pixmap);
}

QBrush kindBrush(StartKind kind, const ChartColors &colors)
{
    switch (kind) {
    case StartKind::Continued:
        return colors.active;
    case StartKind::LaneOrSpare:
        return hatched(colors.active, Hatch::Dotted);
    case StartKind::OpenedAtOnce:
        return colors.done;
    case StartKind::OpenedAfterWait:
        return hatched(colors.waiting, Hatch::Rising);
    case StartKind::Refused:
        return hatched(colors.limit, Hatch::Falling);
    }
    return colors.done;
}

} // namespace headway::ui
