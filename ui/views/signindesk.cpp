// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/signindesk.h"

#include "ui/panels/statusstrip.h"
#include "ui/views/signindialog.h"

namespace headway::ui {

SignInDesk::SignInDesk(StatusStrip *status, QWidget *window)
    : QObject(window)
    , m_status(status)
    , m_window(window)
{
}

void SignInDesk::ask()
{
    if (m_dialog == nullptr) {
        m_dialog = new SignInDialog(m_window);
        connect(m_dialog, &SignInDialog::againRequested, this, &SignInDesk::requested);
        connect(m_dialog, &QDialog::rejected, this, &SignInDesk::cancelled);
    }
    if (m_dialog->isVisible()) {
        m_dialog->activateWindow();
        return;
    }
    m_dialog->showStep(SignInStep{});
    m_dialog->open(); // not exec(): no second event loop under the proxy
    Q_EMIT requested();
}

void SignInDesk::show(const SignInStep &step)
{
    if (m_dialog == nullptr || !m_dialog->isVisible())
        return;
    if (step.phase != SignInStep::Phase::Done) {
        m_dialog->showStep(step);
        return;
    }
    m_dialog->accept();
    m_status->showMessage(true, tr("Signed in to the ChatGPT plan; the next turn goes there."));
}

} // namespace headway::ui
