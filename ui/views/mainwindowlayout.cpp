// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers of its shape, and how it comes back.
#include "ui/models/windowstate.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/mainwindow.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>

namespace headway::ui {

namespace {

constexpr int layoutVersion = 1; // another one is not restored

QString headerKey(const RecordTable *table)
{
    return QStringLiteral("layout/header_") + table->objectName();
}

} // namespace

void MainWindow::setState(std::unique_ptr<WindowState> state)
{
    m_state = std::move(state);
    m_control->setSavedPresets(m_state->presets());
    m_notify->setChecked(m_state->flag(QStringLiteral("notify"), true));
    restoreLayout();
}

void MainWindow::saveLayout()
{
    m_state->setBytes(QStringLiteral("layout/geometry"), saveGeometry());
    m_state->setBytes(QStringLiteral("layout/docks"), QMainWindow::saveState(layoutVersion));
    m_state->setFlag(QStringLiteral("layout/control"), m_wantsControl);
    m_state->setFlag(QStringLiteral("layout/why"), m_wantsWhy);
    for (const RecordTable *table : findChildren<RecordTable *>())
        m_state->setBytes(headerKey(table), table->horizontalHeader()->saveState());
}

// What cannot be restored is left as it is: Qt refuses bytes it does not know.
void MainWindow::restoreLayout()
{
    const QByteArray geometry = m_state->bytes(QStringLiteral("layout/geometry"));
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    restoreState(m_state->bytes(QStringLiteral("layout/docks")), layoutVersion);
    m_wantsControl = m_state->flag(QStringLiteral("layout/control"), true);
    m_wantsWhy = m_state->flag(QStringLiteral("layout/why"), true);
    for (RecordTable *table : findChildren<RecordTable *>()) {
        const QByteArray header = m_state->bytes(headerKey(table));
        if (!header.isEmpty())
            table->horizontalHeader()->restoreState(header);
    }
    adaptToView();
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout, layoutVersion);
    m_wantsControl = true;
    m_wantsWhy = true;
    for (RecordTable *table : findChildren<RecordTable *>())
        table->resetColumns();
    resize(1440, 900);
    adaptToView();
    m_status->showMessage(true, tr("The layout is as it came."));
}

// Only a person's own choice counts, not that a place has no use for the dock.
void MainWindow::rememberDocks()
{
    m_firstLayout = QMainWindow::saveState(layoutVersion);
    connect(m_controlDock->toggleViewAction(), &QAction::triggered, this,
            [this](bool isShown) { m_wantsControl = isShown; });
    connect(m_whyDock->toggleViewAction(), &QAction::triggered, this,
            [this](bool isShown) { m_wantsWhy = isShown; });
}

} // namespace headway::ui
