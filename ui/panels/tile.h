// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/format/palette.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace headway::ui {

class FigureLabel;

// One number a person looks for, large, with its caption below.
class Tile final : public QWidget
{
    Q_OBJECT

public:
    Tile(const QString &name, const QString &caption, QWidget *parent = nullptr);

    // A meaning colours a glyph before the number; none: the number alone.
    void setValue(const QString &value, std::optional<Meaning> meaning = {});
    [[nodiscard]] QString value() const { return m_shown; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void restyle();

    QLabel *m_glyph;
    FigureLabel *m_value;
    QLabel *m_caption;
    QString m_shown;
    std::optional<Meaning> m_meaning;
};

} // namespace headway::ui
