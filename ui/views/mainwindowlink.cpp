// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a proxy elsewhere: what is said while there is no news, and what cannot be done
// from here.
#include "ui/panels/controlpanel.h"
#include "ui/panels/topstrip.h"
#include "ui/views/banners.h"
#include "ui/views/headactions.h"
#include "ui/views/headsview.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxymenu.h"
#include "ui/views/setupdesk.h"
#include "ui/views/setupview.h"
#include "ui/views/turnactions.h"
#include "ui/views/turnspanel.h"

namespace headway::ui {

void MainWindow::setLink(const LinkState &link)
{
    m_banners->setLink(link);
    setWindowTitle(tr("Headway – %1", "title · address of the proxy").arg(link.address));
    m_setup->setElsewhere(link.address);
    m_places->ledger()->setElsewhere(link.address);
    m_places->setup()->setElsewhere(link.address);
}

bool MainWindow::isAttached() const
{
    return m_banners->isAttached();
}

// Old values are greyed; what would go nowhere is disabled and says why.
void MainWindow::followLink()
{
    const LinkBar &link = m_banners->link();
    const bool isConnected = link.isConnected();
    const QString reason = isConnected ? QString() : link.text();
    m_strip->setEnabled(link.isFresh());
    m_control->setEnabled(isConnected);
    m_control->setToolTip(reason);
    m_control->setAccessibleDescription(reason);
    m_proxyMenu->setConnected(isConnected);
    m_places->live()->turns()->actions()->setUnavailable(reason);
    m_places->heads()->actions()->setUnavailable(reason);
}

} // namespace headway::ui
