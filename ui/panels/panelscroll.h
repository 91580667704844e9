// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace headway::ui {

// Scrolls a panel up and down only: it is never narrower than what it holds, whatever the font and
// the language.
class PanelScroll final : public QScrollArea
{
    Q_OBJECT

public:
    PanelScroll(const QString &name, QWidget *content, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QSize m_told; // the least size asked for last
};

} // namespace headway::ui
