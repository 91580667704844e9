// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/signlabel.h"

#include "ui/format/appearance.h"
#include "ui/panels/elidedlabel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace headway::ui {

SignLabel::SignLabel(QWidget *parent)
    : QWidget(parent)
    , m_glyph(new QLabel(this))
    , m_text(new ElidedLabel(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_glyph);
    layout->addWidget(m_text, 1);
}

void SignLabel::setWord(const Word &word)
{
    if (m_word.text == word.text && m_word.glyph == word.glyph && m_word.meaning == word.meaning)
        return;
    m_word = word;
    m_glyph->setText(QString(QChar(word.glyph)));
    m_text->setText(word.text);
    setAccessibleName(word.text);
    recolor();
}

void SignLabel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void SignLabel::recolor()
{
    m_glyph->setPalette(inked(palette(), color(m_word.meaning, palette())));
}

} // namespace headway::ui
