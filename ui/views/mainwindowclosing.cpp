// SPDX-License-Identifier: GPL-3.0-or-later
// What closing the window does.
#include "ui/format/figures.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/mainwindow.h"

#include <QCloseEvent>
#include <QMessageBox>
#include <QPushButton>

namespace headway::ui {

void MainWindow::setStaysInBackground(bool canStay)
{
    m_canStay = canStay;
}

void MainWindow::quit()
{
    if (m_isQuitting)
        return; // Qt closes every window once more when the program ends
    m_isQuitting = true;
    saveLayout();
    followTroubles();
    Q_EMIT quitRequested();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_isQuitting || isAttached() || !m_newest || m_newest->turns.empty()) {
        QMainWindow::closeEvent(event);
        quit();
        return;
    }
    event->ignore();
    if (!m_closing)
        askAboutClosing();
}

void MainWindow::askAboutClosing()
{
    m_closing = new QMessageBox(QMessageBox::Question, tr("Turns are in flight"), QString(),
                                QMessageBox::Cancel, this);
    m_closing->setObjectName(QStringLiteral("closing"));
    m_closing->setAttribute(Qt::WA_DeleteOnClose);
    m_closing->setText(tr("Turns in flight: %1").arg(count(m_newest->turns.size())));
    m_closing->setInformativeText(
        tr("Quitting takes no new turns and lets these end, for half a minute at most; what is "
           "left then is ended with an error that its client can retry."));
    QPushButton *leave
        = m_closing->addButton(tr("Let them end, then quit"), QMessageBox::AcceptRole);
    leave->setObjectName(QStringLiteral("closing_quit"));
    connect(leave, &QPushButton::clicked, this, [this] {
        m_status->showMessage(true, tr("Waiting for the turns in flight; then Headway quits."));
        quit();
    });
    if (m_canStay) {
        QPushButton *stay
            = m_closing->addButton(tr("Keep running in the background"), QMessageBox::AcceptRole);
        stay->setObjectName(QStringLiteral("closing_stay"));
        connect(stay, &QPushButton::clicked, this, &QWidget::hide);
        m_closing->setDefaultButton(stay);
    } else {
        m_closing->setDefaultButton(QMessageBox::Cancel);
    }
    m_closing->open(); // not exec(): no second event loop under the proxy
}

} // namespace headway::ui
