// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tile.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/panels/figurelabel.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace headway::ui {

Tile::Tile(const QString &name, const QString &caption, QWidget *parent)
    : QWidget(parent)
    , m_glyph(new QLabel(this))
    , m_value(new FigureLabel(this))
    , m_caption(new QLabel(caption, this))
    , m_shown(unknown())
{
    setObjectName(name);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(10, 2, 10, 2);
    grid->setSpacing(0);
    grid->addWidget(m_glyph, 0, 0);
    grid->addWidget(m_value, 0, 1, Qt::AlignLeft);
    grid->addWidget(m_caption, 1, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    m_glyph->hide();
    m_value->setFigure(unknown());
    restyle();
}

void Tile::setValue(const QString &value, std::optional<Meaning> meaning)
{
    if (m_shown == value && m_meaning == meaning)
        return;
    m_shown = value;
    m_value->setFigure(value);
    setAccessibleName(m_caption->text() + QStringLiteral(": ") + value);
    if (m_meaning == meaning)
        return;
    m_meaning = meaning;
    m_glyph->setVisible(meaning.has_value());
    if (meaning)
        m_glyph->setText(QString(QChar(sign(*meaning).glyph)) + u' ');
    restyle();
}

void Tile::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

void Tile::restyle()
{
    const QFont big = bolder(larger(font(), 1.45));
    m_value->setFont(big);
    m_glyph->setFont(font());
    m_caption->setFont(smaller(font()));
    // Wide enough that a changing number moves nobody.
    m_value->setLeastWidth(QFontMetrics(big).horizontalAdvance(QStringLiteral("000")));
    m_caption->setPalette(inked(palette(), secondary(palette())));
    if (m_meaning)
        m_glyph->setPalette(inked(palette(), color(*m_meaning, palette())));
}

} // namespace headway::ui
