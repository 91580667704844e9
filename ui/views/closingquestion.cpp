// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/closingquestion.h"

#include "ui/format/figures.h"

#include <QMessageBox>
#include <QPushButton>

namespace headway::ui {

ClosingQuestion::ClosingQuestion(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

void ClosingQuestion::ask(std::size_t turns)
{
    if (m_box)
        return;
    m_box = new QMessageBox(QMessageBox::Question, tr("Turns are in flight"), QString(),
                            QMessageBox::Cancel, m_window);
    m_box->setObjectName(QStringLiteral("closing"));
    m_box->setAttribute(Qt::WA_DeleteOnClose);
    m_box->setText(tr("Turns in flight: %1").arg(count(turns)));
    m_box->setInformativeText(
        tr("Quitting takes no new turns and lets these end, for half a minute at most; what is "
           "left then is ended with an error that its client can retry."));
    QPushButton *leave = m_box->addButton(tr("Let them end, then quit"), QMessageBox::AcceptRole);
    leave->setObjectName(QStringLiteral("closing_quit"));
    connect(leave, &QPushButton::clicked, this, &ClosingQuestion::quitChosen);
    if (m_canStay) {
        QPushButton *stay
            = m_box->addButton(tr("Keep running in the background"), QMessageBox::AcceptRole);
        stay->setObjectName(QStringLiteral("closing_stay"));
        connect(stay, &QPushButton::clicked, this, &ClosingQuestion::stayChosen);
        m_box->setDefaultButton(stay);
    } else {
        m_box->setDefaultButton(QMessageBox::Cancel);
    }
    m_box->open(); // not exec(): no second event loop under the proxy
}

} // namespace headway::ui
