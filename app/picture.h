// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"

#include <QString>

#include <functional>
#include <optional>

namespace headway::ui {
class MainWindow;
}

namespace headway::app {

// How a window is to be opened, or drawn into a file instead.
struct Picture
{
    [[nodiscard]] bool isWanted() const { return !file.isEmpty(); }

    QString file; // empty: a window on the screen
    QString view = QStringLiteral("live");
    qint64 afterSeconds = 3;
};

// What addPictureOptions() added; nothing after a message on stderr.
[[nodiscard]] std::optional<Picture> readPicture(const CommandLine &line);
// Before the window: light and dark as --dark and the picture want it.
void dress(const CommandLine &line, const Picture &picture);
// Opens the view and shows the window; false after a message on stderr: no such view.
// `before`: called when the time of a picture has come.
[[nodiscard]] bool open(ui::MainWindow &window, const Picture &picture,
                        std::function<void()> before = {});

} // namespace headway::app
