// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/celltexts.h"

#include <QStyledItemDelegate>

namespace headway::ui {

// Paints a cell's glyph in the colour of its meaning, then its text. Models know meanings, only
// the delegate knows colours.
class SignDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

private:
    void paintGround(QPainter &painter, const QStyleOptionViewItem &item) const;
    void paintText(QPainter &painter, const QRect &box, const QStyleOptionViewItem &item,
                   Qt::Alignment alignment, const QString &words) const;

    mutable CellTexts m_texts;
};

} // namespace headway::ui
