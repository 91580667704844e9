// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/padlock.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>

namespace headway::ui {

QPixmap padlock(bool isClosed, const QColor &color, int size, double scale)
{
    QPixmap pixmap(QSize(1, 1) * static_cast<int>(std::ceil(size * scale)));
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / 16.0, size / 16.0); // drawn on a grid of 16
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(isClosed ? 3 : 1, 7.5, 10, 7.5), 1.5, 1.5);
    // The shackle: over the body, or swung open beside it.
    const double left = isClosed ? 4.9 : 9.2;
    QPainterPath shackle(QPointF(left, 8));
    shackle.lineTo(left, 4.4);
    shackle.arcTo(QRectF(left, 1.5, isClosed ? 6.2 : 5.4, 5.8), 180, -180);
    shackle.lineTo(left + (isClosed ? 6.2 : 5.4), isClosed ? 8 : 6);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.7));
    painter.drawPath(shackle);
    return pixmap;
}

} // namespace headway::ui
