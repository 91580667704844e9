// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/signinstep.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace headway::ui {

// One sign-in to the ChatGPT plan: the code, where it is entered, and how it ended.
class SignInDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit SignInDialog(QWidget *parent = nullptr);

    void showStep(const SignInStep &step);

Q_SIGNALS:
    void againRequested();

private:
    void openPage();

    SignInStep m_step;
    QLabel *m_text;
    QLabel *m_code;
    QLabel *m_note;
    QPushButton *m_page;
    QPushButton *m_copy;
    QPushButton *m_again;
};

} // namespace headway::ui
