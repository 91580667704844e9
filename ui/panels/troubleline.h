// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/trouble.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace headway::ui {

class ElidedLabel;

// One trouble: in full, or on a line with the rest as its tool tip.
class TroubleLine final : public QWidget
{
    Q_OBJECT

public:
    enum class Length { Full, Short };

    TroubleLine(const Trouble &trouble, Length length, QWidget *parent = nullptr);

    // Other words on the same kind of trouble; its button stays where it is.
    void say(const Trouble &trouble);

Q_SIGNALS:
    void remedyRequested(headway::ui::Trouble::Kind kind);

private:
    void addButton(const Trouble &trouble, QGridLayout *layout);

    QLabel *m_what = nullptr; // in full
    QLabel *m_rest = nullptr;
    ElidedLabel *m_short = nullptr;
    QPushButton *m_button = nullptr;
};

} // namespace headway::ui
