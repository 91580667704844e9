// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/elidedlabel.h"

#include <QPainter>

#include <algorithm>

namespace headway::ui {

ElidedLabel::ElidedLabel(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString &text)
{
    QString line = text;
    line.replace(u'\n', u' ');
    if (m_text == line)
        return;
    const int before = sizeHint().width();
    m_text = line;
    setToolTip(line.toHtmlEscaped());
    setAccessibleName(line);
    if (sizeHint().width() != before) // else the whole window would be laid out for a digit
        updateGeometry();
    update();
}

QString ElidedLabel::shownText() const
{
    return fontMetrics().elidedText(m_text, Qt::ElideRight, width());
}

QSize ElidedLabel::sizeHint() const
{
    // A hint beyond any screen would push the neighbours away.
    const int wanted = fontMetrics().horizontalAdvance(m_text) + 2;
    return {std::min(wanted, fontMetrics().averageCharWidth() * 60), fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 6),
            fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shownText());
}

} // namespace headway::ui
