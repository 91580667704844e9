// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/figurelabel.h"

#include <QEvent>

#include <algorithm>

namespace headway::ui {

FigureLabel::FigureLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
}

void FigureLabel::setFigure(const QString &text)
{
    if (this->text() == text)
        return;
    setText(text);
    fit();
}

void FigureLabel::setLeastWidth(int pixels)
{
    m_leastWidth = pixels;
    fit();
}

// Of a widget whose size is fixed Qt tells nobody that its text is another one.
void FigureLabel::fit()
{
    QSize wanted = sizeHint();
    wanted.setWidth(std::max(wanted.width(), m_leastWidth));
    if (wanted != minimumSize() || wanted != maximumSize())
        setFixedSize(wanted);
}

void FigureLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

} // namespace headway::ui
