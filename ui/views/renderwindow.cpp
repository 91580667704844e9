// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/renderwindow.h"

#include "ui/views/chartstack.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"

#include <QCoreApplication>
#include <QLayout>

namespace headway::ui {

QImage renderWindow(MainWindow &window, const QSize &size)
{
    // Visible for layouts and charts, yet never on a screen.
    if (!window.isVisible())
        window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(size);
    window.show();
    // Layouts travel as posted events through docks, splitters and charts, a level at a time.
    for (int level = 0; level < 4; ++level)
        QCoreApplication::sendPostedEvents();
    window.places()->live()->redraw();
    QCoreApplication::sendPostedEvents();
    QImage image(size, QImage::Format_RGB32);
    image.fill(window.palette().color(QPalette::Window));
    window.render(&image);
    return image;
}

} // namespace headway::ui
