// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSize>

namespace headway::ui {

class MainWindow;

// A picture of the window at exactly this size, whatever the screen: one pixel of the image is one
// logical pixel. Works without a display (platform offscreen). GUI thread.
[[nodiscard]] QImage renderWindow(MainWindow &window, const QSize &size = QSize(1440, 900));

} // namespace headway::ui
