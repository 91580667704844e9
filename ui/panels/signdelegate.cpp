// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/signdelegate.h"

#include "ui/format/palette.h"
#include "ui/models/tableroles.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

namespace headway::ui {

void SignDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const QString glyph = index.data(GlyphRole).toString();
    if (glyph.isEmpty()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle *style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    const QString words = item.text;
    item.text.clear();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const bool isSelected = item.state.testFlag(QStyle::State_Selected);
    const auto meaning = static_cast<Meaning>(index.data(MeaningRole).toInt());
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, item.widget) + 1;
    const int glyphWidth = item.fontMetrics.horizontalAdvance(QStringLiteral("▶")) + 4;
    QRect box = item.rect.adjusted(margin, 0, -margin, 0);
    const QColor ink = item.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(isSelected ? ink : color(meaning, item.palette));
    painter->drawText(QRect(box.left(), box.top(), glyphWidth, box.height()), Qt::AlignCenter,
                      glyph);
    box.setLeft(box.left() + glyphWidth + 4);
    painter->setPen(ink);
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(words, Qt::ElideRight, box.width()));
    painter->restore();
}

} // namespace headway::ui
