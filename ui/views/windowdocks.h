// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/places.h"

#include <QByteArray>
#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QStackedWidget;

namespace headway::ui {

class WindowState;

// The two docks and the rest of the window's shape: what a person made of it, what of that is
// remembered, and how it came.
class WindowDocks final : public QObject
{
    Q_OBJECT

public:
    // Once the bars are in place. control: the settings in force; trial: those that What-if tries.
    WindowDocks(QMainWindow *window, QWidget *control, QWidget *trial, QWidget *why);

    // The panels belong to Live and What-if; the other places have the width for themselves.
    // What-if has the same controls at the same place, but they only try.
    void showFor(Places::View view);
    // With the keyboard on that part of it, also when a person has closed the dock.
    void showControl(QWidget *part);

    void save(WindowState &state) const;
    // What cannot be restored is left as it is. Docks follow with the next showFor().
    void restore(const WindowState &state);
    void reset(); // likewise

    [[nodiscard]] QList<QAction *> toggles() const;

private:
    QDockWidget *add(const QString &title, const QString &name, QWidget *content,
                     Qt::DockWidgetArea area, int characters);

    QMainWindow *m_window;
    QStackedWidget *m_controls; // the settings in force, or those to try
    QWidget *m_control;
    QWidget *m_trial;
    QDockWidget *m_controlDock;
    QDockWidget *m_whyDock;
    QByteArray m_first; // docks and bars as they came
    bool m_wantsControl = true;
    bool m_wantsWhy = true;
};

} // namespace headway::ui
