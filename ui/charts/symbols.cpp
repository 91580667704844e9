// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/symbols.h"

#include <QPainter>

namespace headway::ui {

void paintSymbol(QPainter &painter, LegendItem::Shape shape, const QColor &color,
                 const QPointF &center, double size)
{
    QPolygonF outline;
    if (shape == LegendItem::Shape::Diamond)
        outline << QPointF(0, -size) << QPointF(size, 0) << QPointF(0, size) << QPointF(-size, 0);
    else if (shape == LegendItem::Shape::Triangle)
        outline << QPointF(0, -size) << QPointF(size, size) << QPointF(-size, size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawConvexPolygon(outline.translated(center));
}

void paintSwatch(QPainter &painter, const LegendItem &item, const QRectF &box)
{
    const double middle = box.center().y();
    switch (item.shape) {
    case LegendItem::Shape::Fill:
        painter.fillRect(box, item.brush);
        return;
    case LegendItem::Shape::Line:
    case LegendItem::Shape::Dashes:
        painter.setPen(QPen(item.brush.color(), 2,
                            item.shape == LegendItem::Shape::Line ? Qt::SolidLine : Qt::DashLine));
        painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle));
        return;
    case LegendItem::Shape::Dots:
        for (double x = box.left() + 1; x < box.right(); x += 4)
            painter.fillRect(QRectF(x, middle - 1, 2, 2), item.brush);
        return;
    case LegendItem::Shape::Diamond:
    case LegendItem::Shape::Triangle:
        paintSymbol(painter, item.shape, item.brush.color(), box.center(), box.height() / 2);
        return;
    }
}

} // namespace headway::ui
