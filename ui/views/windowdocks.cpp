// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/windowdocks.h"

#include "ui/models/windowstate.h"
#include "ui/panels/panelscroll.h"
#include "ui/panels/recordtable.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QMainWindow>
#include <QStackedWidget>

namespace headway::ui {

namespace {

constexpr int layoutVersion = 1; // another one is not restored
constexpr QSize firstSize{1440, 900};

QString headerKey(const RecordTable *table)
{
    return QStringLiteral("layout/header_") + table->objectName();
}

} // namespace

WindowDocks::WindowDocks(QMainWindow *window, QWidget *control, QWidget *trial, QWidget *why)
    : QObject(window)
    , m_window(window)
    , m_controls(new QStackedWidget(window))
    , m_control(control)
    , m_trial(trial)
{
    m_controls->addWidget(control);
    m_controls->addWidget(trial);
    m_controlDock = add(tr("Control"), QStringLiteral("control_dock"), m_controls,
                        Qt::LeftDockWidgetArea, 42);
    m_whyDock = add(tr("Why"), QStringLiteral("why_dock"), why, Qt::RightDockWidgetArea, 36);
    m_controlDock->toggleViewAction()->setShortcut(QKeySequence(Qt::Key_F8));
    m_whyDock->toggleViewAction()->setShortcut(QKeySequence(Qt::Key_F9));
    m_first = window->saveState(layoutVersion);
    // Only a person's own choice counts, not that a place has no use for the dock.
    connect(m_controlDock->toggleViewAction(), &QAction::triggered, this,
            [this](bool isShown) { m_wantsControl = isShown; });
    connect(m_whyDock->toggleViewAction(), &QAction::triggered, this,
            [this](bool isShown) { m_wantsWhy = isShown; });
}

QDockWidget *WindowDocks::add(const QString &title, const QString &name, QWidget *content,
                              Qt::DockWidgetArea area, int characters)
{
    auto *scroll = new PanelScroll(title, content, m_window);
    auto *dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setWidget(scroll);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    m_window->addDockWidget(area, dock);
    const int width = m_window->fontMetrics().averageCharWidth() * characters;
    m_window->resizeDocks({dock}, {width}, Qt::Horizontal);
    return dock;
}

QList<QAction *> WindowDocks::toggles() const
{
    return {m_controlDock->toggleViewAction(), m_whyDock->toggleViewAction()};
}

void WindowDocks::showFor(Places::View view)
{
    const bool isLive = view == Places::View::Live;
    const bool tries = view == Places::View::WhatIf;
    m_controls->setCurrentWidget(tries ? m_trial : m_control);
    m_controlDock->setWindowTitle(tries ? tr("Settings to try") : tr("Control"));
    m_controlDock->setVisible((isLive || tries) && m_wantsControl);
    m_whyDock->setVisible(isLive && m_wantsWhy);
}

void WindowDocks::showControl(QWidget *part)
{
    m_wantsControl = true;
    m_controlDock->show();
    m_controlDock->raise();
    if (part == nullptr)
        return;
    part->setFocus(Qt::ShortcutFocusReason);
    static_cast<PanelScroll *>(m_controlDock->widget())->ensureWidgetVisible(part);
}

void WindowDocks::save(WindowState &state) const
{
    state.setBytes(QStringLiteral("layout/geometry"), m_window->saveGeometry());
    state.setBytes(QStringLiteral("layout/docks"), m_window->saveState(layoutVersion));
    state.setFlag(QStringLiteral("layout/control"), m_wantsControl);
    state.setFlag(QStringLiteral("layout/why"), m_wantsWhy);
    for (const RecordTable *table : m_window->findChildren<RecordTable *>())
        state.setBytes(headerKey(table), table->horizontalHeader()->saveState());
}

// Qt refuses bytes it does not know.
void WindowDocks::restore(const WindowState &state)
{
    const QByteArray geometry = state.bytes(QStringLiteral("layout/geometry"));
    if (!geometry.isEmpty())
        m_window->restoreGeometry(geometry);
    m_window->restoreState(state.bytes(QStringLiteral("layout/docks")), layoutVersion);
    m_wantsControl = state.flag(QStringLiteral("layout/control"), true);
    m_wantsWhy = state.flag(QStringLiteral("layout/why"), true);
    for (RecordTable *table : m_window->findChildren<RecordTable *>()) {
        const QByteArray header = state.bytes(headerKey(table));
        if (!header.isEmpty())
            table->horizontalHeader()->restoreState(header);
    }
}

void WindowDocks::reset()
{
    m_window->restoreState(m_first, layoutVersion);
    m_wantsControl = true;
    m_wantsWhy = true;
    for (RecordTable *table : m_window->findChildren<RecordTable *>())
        table->resetColumns();
    m_window->resize(firstSize);
}

} // namespace headway::ui
