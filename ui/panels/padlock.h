// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>

namespace headway::ui {

// A padlock, closed or open, drawn in one colour: fonts have none on many systems. `size` is in
// logical pixels.
[[nodiscard]] QPixmap padlock(bool isClosed, const QColor &color, int size, double scale);

} // namespace headway::ui
