// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a proxy elsewhere: what is said while there is no news, and what cannot be done
// from here.
#include "ui/panels/controlpanel.h"
#include "ui/panels/linkbar.h"
#include "ui/panels/overridebar.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/topstrip.h"
#include "ui/views/headactions.h"
#include "ui/views/headsview.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/turnactions.h"
#include "ui/views/turnspanel.h"

#include <QAction>

namespace headway::ui {

void MainWindow::setLink(const LinkState &link)
{
    m_link->setLink(link);
    setWindowTitle(tr("Headway – %1", "title · address of the proxy").arg(link.address));
    m_live->turns()->setSetupHint(setupHint());
    m_ledger->setElsewhere(link.address);
}

bool MainWindow::isAttached() const
{
    return m_link->isFollowing();
}

void MainWindow::showRefusal(const QString &reason)
{
    m_status->showMessage(false, reason);
}

// Old values are greyed; what would go nowhere is disabled and says why.
void MainWindow::followLink()
{
    const bool isConnected = m_link->isConnected();
    const QString reason = isConnected ? QString() : m_link->text();
    m_strip->setEnabled(m_link->isFresh());
    m_control->setEnabled(isConnected);
    m_control->setToolTip(reason);
    m_control->setAccessibleDescription(reason);
    m_overrides->setEnabled(isConnected);
    m_pauseAll->setEnabled(isConnected);
    m_passThrough->setEnabled(isConnected);
    m_live->turns()->actions()->setUnavailable(reason);
    m_heads->actions()->setUnavailable(reason);
}

} // namespace headway::ui
