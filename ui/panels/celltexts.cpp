// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/celltexts.h"

#include <QFontMetrics>

namespace headway::ui {

namespace {

constexpr int most = 4'096; // some screens full of cells

} // namespace

CellTexts::CellTexts()
    : m_texts(most)
{
}

const QStaticText &CellTexts::text(const QString &words, int width, const QFont &font)
{
    const Key key{.words = words, .width = width, .font = font};
    if (const QStaticText *known = m_texts.object(key))
        return *known;
    QString line = words;
    line.replace(QChar::LineSeparator, QLatin1Char(' '));
    auto *text = new QStaticText(QFontMetrics(font).elidedText(line, Qt::ElideRight, width));
    text->setTextFormat(Qt::PlainText);
    text->prepare({}, font);
    m_texts.insert(key, text);
    return *text;
}

} // namespace headway::ui
