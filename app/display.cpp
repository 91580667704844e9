// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/display.h"

#include <QDir>
#include <QLibrary>
#include <QLibraryInfo>

namespace headway::app {

namespace {

// The platform plugins stand on these two libraries, so they are there where a window is possible.
bool answersAsX11()
{
    QLibrary xcb(QStringLiteral("xcb"), 1);
    using Connect = void *(*)(const char *, int *);
    using HasError = int (*)(void *);
    using Disconnect = void (*)(void *);
    const auto connect = reinterpret_cast<Connect>(xcb.resolve("xcb_connect"));
    const auto hasError = reinterpret_cast<HasError>(xcb.resolve("xcb_connection_has_error"));
    const auto disconnect = reinterpret_cast<Disconnect>(xcb.resolve("xcb_disconnect"));
    if (!connect || !hasError || !disconnect)
        return false;
    void *const connection = connect(nullptr, nullptr); // never null
    const bool answers = hasError(connection) == 0;
    disconnect(connection);
    return answers;
}

bool answersAsWayland()
{
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath)
                       % QStringLiteral("/platforms"));
    if (plugins.entryList({QStringLiteral("libqwayland*")}, QDir::Files).isEmpty())
        return false; // Qt cannot use it
    QLibrary wayland(QStringLiteral("wayland-client"), 0);
    using Connect = void *(*)(const char *);
    using Disconnect = void (*)(void *);
    const auto connect = reinterpret_cast<Connect>(wayland.resolve("wl_display_connect"));
    const auto disconnect = reinterpret_cast<Disconnect>(wayland.resolve("wl_display_disconnect"));
    if (!connect || !disconnect)
        return false;
    void *const display = connect(nullptr);
    if (display)
        disconnect(display);
    return display != nullptr;
}

} // namespace

QString whyNoDisplay()
{
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        return {}; // somebody has decided
    const QString x11 = qEnvironmentVariable("DISPLAY");
    const QString wayland = qEnvironmentVariable("WAYLAND_DISPLAY");
    if (x11.isEmpty() && wayland.isEmpty())
        return QStringLiteral("no display (neither DISPLAY nor WAYLAND_DISPLAY is set)");
    if (!wayland.isEmpty() && answersAsWayland())
        return {};
    if (!x11.isEmpty() && answersAsX11())
        return {};
    return x11.isEmpty()
        ? QStringLiteral("no display (WAYLAND_DISPLAY is \"%1\", which cannot be used; package "
                         "qt6-wayland may be missing)")
              .arg(wayland)
        : QStringLiteral("no display (DISPLAY is \"%1\", which does not answer)").arg(x11);
}

} // namespace headway::app
