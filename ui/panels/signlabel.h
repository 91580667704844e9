// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/format/words.h"

#include <QWidget>

class QLabel;

namespace headway::ui {

class ElidedLabel;

// A coloured glyph and a word.
class SignLabel final : public QWidget
{
    Q_OBJECT

public:
    explicit SignLabel(QWidget *parent = nullptr);

    void setWord(const Word &word);
    [[nodiscard]] QString text() const { return m_word.text; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void recolor();

    Word m_word;
    QLabel *m_glyph;
    ElidedLabel *m_text;
};

} // namespace headway::ui
