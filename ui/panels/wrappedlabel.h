// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace headway::ui {

// Plain text over as many lines as it takes; an endless word, name or path does not widen the
// window.
class WrappedLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(QWidget *parent = nullptr)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setMinimumWidth(1);
    }
};

} // namespace headway::ui
