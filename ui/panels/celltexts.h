// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QFont>
#include <QStaticText>
#include <QString>

#include <cstddef>

namespace headway::ui {

// Texts of cells, elided and laid out. A table is painted ten times a second and says mostly what
// it said before; to shape every text anew was a quarter of what the window cost. Keeps the latest.
class CellTexts final
{
public:
    CellTexts();

    // On one line of this width; valid until the next call.
    [[nodiscard]] const QStaticText &text(const QString &words, int width, const QFont &font);

private:
    struct Key
    {
        QString words;
        int width;
        QFont font;

        friend bool operator==(const Key &, const Key &) = default;
        friend std::size_t qHash(const Key &key, std::size_t seed) noexcept
        {
            return qHashMulti(seed, key.words, key.width); // the font is nearly always the same
        }
    };

    QCache<Key, QStaticText> m_texts;
};

} // namespace headway::ui
