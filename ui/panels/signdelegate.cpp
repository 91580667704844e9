// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/signdelegate.h"

#include "ui/format/palette.h"
#include "ui/models/tableroles.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

namespace headway::ui {

namespace {

const QStyle &styleOf(const QStyleOptionViewItem &item)
{
    return item.widget != nullptr ? *item.widget->style() : *QApplication::style();
}

QColor inkOf(const QStyleOptionViewItem &item)
{
    QPalette::ColorGroup group = QPalette::Disabled;
    if (item.state.testFlag(QStyle::State_Enabled))
        group = item.state.testFlag(QStyle::State_Active) ? QPalette::Normal : QPalette::Inactive;
    return item.palette.color(
        group,
        item.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Text);
}

} // namespace

void SignDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    paintGround(*painter, item);

    const int margin
        = styleOf(item).pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, item.widget) + 1;
    QRect box = item.rect.adjusted(margin, 0, -margin, 0);
    const QColor ink = inkOf(item);
    painter->save();
    painter->setClipRect(item.rect, Qt::IntersectClip);
    painter->setFont(item.font);
    const QString glyph = index.data(GlyphRole).toString();
    if (!glyph.isEmpty()) {
        const auto meaning = static_cast<Meaning>(index.data(MeaningRole).toInt());
        const int width = item.fontMetrics.horizontalAdvance(QStringLiteral("▶")) + 4;
        painter->setPen(item.state.testFlag(QStyle::State_Selected) ? ink
                                                                    : color(meaning, item.palette));
        paintText(*painter, QRect(box.left(), box.top(), width, box.height()), item,
                  Qt::AlignCenter, glyph);
        box.setLeft(box.left() + width + 4);
    }
    painter->setPen(ink);
    paintText(*painter, box, item, glyph.isEmpty() ? item.displayAlignment : Qt::AlignLeft,
              item.text);
    painter->restore();
}

void SignDelegate::paintGround(QPainter &painter, const QStyleOptionViewItem &item) const
{
    const QStyle &style = styleOf(item);
    style.drawPrimitive(QStyle::PE_PanelItemViewItem, &item, &painter, item.widget);
    if (!item.state.testFlag(QStyle::State_HasFocus))
        return;
    QStyleOptionFocusRect focus;
    focus.QStyleOption::operator=(item);
    focus.rect = style.subElementRect(QStyle::SE_ItemViewItemFocusRect, &item, item.widget);
    focus.state |= QStyle::State_KeyboardFocusChange | QStyle::State_Item;
    focus.backgroundColor = item.palette.color(
        item.state.testFlag(QStyle::State_Selected) ? QPalette::Highlight : QPalette::Window);
    style.drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, item.widget);
}

void SignDelegate::paintText(QPainter &painter, const QRect &box, const QStyleOptionViewItem &item,
                             Qt::Alignment alignment, const QString &words) const
{
    if (words.isEmpty() || box.width() <= 0)
        return;
    const QStaticText &text = m_texts.text(words, box.width(), item.font);
    const QSize size = text.size().toSize();
    const QRect place = QStyle::alignedRect(
        item.direction, (alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter, size, box);
    painter.drawStaticText(place.topLeft(), text);
}

} // namespace headway::ui
