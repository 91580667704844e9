// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/signinstep.h"

#include <QObject>

class QWidget;

namespace headway::ui {

class SignInDialog;
class StatusStrip;

// Lets a person sign in to the ChatGPT plan. The sign-in itself is the program's to run, of which
// show() tells.
class SignInDesk final : public QObject
{
    Q_OBJECT

public:
    SignInDesk(StatusStrip *status, QWidget *window); // both outlive it

    void ask();

public Q_SLOTS:
    void show(const headway::ui::SignInStep &step);

Q_SIGNALS:
    void requested(); // another one than before, if one is under way
    void cancelled();

private:
    StatusStrip *m_status;
    QWidget *m_window;
    SignInDialog *m_dialog = nullptr;
};

} // namespace headway::ui
