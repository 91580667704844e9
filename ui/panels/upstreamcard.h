// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/upstreamchoice.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace headway::ui {

class SignLabel;
class UpstreamForm;

// Where turns go, and whose sign-in they carry, with the way to another one.
class UpstreamCard final : public QWidget
{
    Q_OBJECT

public:
    explicit UpstreamCard(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot); // the same again costs nothing
    // The proxy runs at that address: its sign-in is made there.
    void setElsewhere(const QString &address);
    // While none is in use one can be chosen: the program can keep what is said.
    void offerChoice();
    void withdrawChoice(); // one was taken
    void showRefusal(const QString &reason); // of what was chosen

Q_SIGNALS:
    void signInRequested();
    void chosen(const headway::ui::UpstreamChoice &choice);

private:
    void showSignIn();

    std::string m_upstream;
    std::string m_state;
    live::SignIn m_signIn;
    QString m_elsewhere;
    QLabel *m_name;
    SignLabel *m_word;
    QLabel *m_text;
    QPushButton *m_button;
    UpstreamForm *m_form;
    bool m_isOffered = false;
};

} // namespace headway::ui
