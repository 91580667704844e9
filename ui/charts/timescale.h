// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <QWidget>

#include <optional>

namespace headway::ui {

// The labels of the shared time axis, once under all charts: "5 min ago … now", or, for a span that
// is over, the time since its beginning: "0 … 15 min".
class TimeScale final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeScale(QWidget *parent = nullptr);

    void setSpan(const Span &span, bool paused);
    void setElapsed(double seconds);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString label(int part) const; // 0 … parts, from the left

    Span m_span;
    bool m_paused = false;
    std::optional<double> m_elapsed; // the whole span, seconds
};

} // namespace headway::ui
