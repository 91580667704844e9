// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace headway::ui {

// A label for a text that changes often. A QLabel has the whole window laid out for every digit
// that changes, and each level of that paints once more; this one only when it needs another size.
class FigureLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit FigureLabel(QWidget *parent = nullptr);

    void setFigure(const QString &text);
    void setLeastWidth(int pixels); // room for what is to come

protected:
    void changeEvent(QEvent *event) override;

private:
    void fit();

    int m_leastWidth = 0;
};

} // namespace headway::ui
