// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panelscroll.h"

#include <QEvent>
#include <QScrollBar>

namespace headway::ui {

PanelScroll::PanelScroll(const QString &name, QWidget *content, QWidget *parent)
    : QScrollArea(parent)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::NoFocus);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(content);
}

QSize PanelScroll::minimumSizeHint() const
{
    const int content = widget()->minimumSizeHint().width();
    return {content + verticalScrollBar()->sizeHint().width(), fontMetrics().height() * 4};
}

QSize PanelScroll::sizeHint() const
{
    return minimumSizeHint().expandedTo(QScrollArea::sizeHint());
}

bool PanelScroll::eventFilter(QObject *watched, QEvent *event)
{
    // A group was opened, the font has changed; a word that is another one is no reason.
    if (watched == widget() && event->type() == QEvent::LayoutRequest
        && m_told != minimumSizeHint()) {
        m_told = minimumSizeHint();
        updateGeometry();
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headway::ui
