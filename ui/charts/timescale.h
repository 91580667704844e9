// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <QWidget>

namespace headway::ui {

// The labels of the shared time axis, once under all charts: "5 min ago … now".
class TimeScale final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeScale(QWidget *parent = nullptr);

    void setSpan(const Span &span, bool paused);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString label(int part) const; // 0 … parts, from the left

    Span m_span;
    bool m_paused = false;
};

} // namespace headway::ui
