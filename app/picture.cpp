// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/picture.h"

#include "ui/format/appearance.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"

#include <QApplication>
#include <QLayout>
#include <QTimer>

#include <utility>

namespace headway::app {

namespace {

void drawLater(ui::MainWindow &window, const Picture &picture, std::function<void()> before)
{
    const auto draw = [&window, picture, before = std::move(before)] {
        if (before)
            before();
        const bool saved = ui::renderWindow(window).save(picture.file);
        if (!saved)
            printError(QStringLiteral("cannot write %1").arg(picture.file));
        QApplication::exit(saved ? Fine : Failed);
    };
    QTimer::singleShot(std::chrono::seconds(picture.afterSeconds), &window, draw);
}

} // namespace

std::optional<Picture> readPicture(const CommandLine &line)
{
    Picture picture;
    picture.file = line.value(QStringLiteral("screenshot"));
    picture.view = line.value(QStringLiteral("view"));
    const auto after = line.number(QStringLiteral("after"), 0, 3'600);
    if (!after)
        return std::nullopt;
    picture.afterSeconds = *after;
    return picture;
}

void dress(const CommandLine &line, const Picture &picture)
{
    if (line.has(QStringLiteral("dark")))
        ui::applyAppearance(ui::Appearance::Dark);
    else
        ui::applyAppearance(picture.isWanted() ? ui::Appearance::Light : ui::Appearance::System);
}

bool open(ui::MainWindow &window, const Picture &picture, std::function<void()> before)
{
    window.resize(1440, 900);
    // Off screen there is no window manager to tell the least size to, and Qt complains that.
    if (picture.isWanted())
        window.layout()->setSizeConstraint(QLayout::SetNoConstraint);
    if (!window.showView(picture.view)) {
        printError(QStringLiteral("--view takes live, heads, ledger, what-if or setup"));
        return false;
    }
    window.show(); // also for a picture: charts lay themselves out only when shown
    if (picture.isWanted())
        drawLater(window, picture, std::move(before));
    return true;
}

} // namespace headway::app
