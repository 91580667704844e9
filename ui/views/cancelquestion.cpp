// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/cancelquestion.h"

#include "ui/format/figures.h"

#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace headway::ui {

CancelQuestion::CancelQuestion(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

// It cannot be taken back: the client gets an error and has to ask again.
void CancelQuestion::ask(quint64 turn)
{
    if (m_box)
        return;
    m_turn = turn;
    m_box = new QMessageBox(QMessageBox::Question, tr("Cancel a waiting turn"),
                            tr("Cancel %1?").arg(requestId(turn)), QMessageBox::NoButton, m_window);
    m_box->setObjectName(QStringLiteral("cancelling"));
    m_box->setAttribute(Qt::WA_DeleteOnClose);
    m_box->setInformativeText(
        tr("Its client is told that it was cancelled and does not get an answer. Nothing was sent "
           "to the provider yet. This cannot be undone."));
    QPushButton *keep = m_box->addButton(tr("Let it wait"), QMessageBox::RejectRole);
    keep->setObjectName(QStringLiteral("cancelling_no"));
    QPushButton *cancel = m_box->addButton(tr("Cancel the turn"), QMessageBox::DestructiveRole);
    cancel->setObjectName(QStringLiteral("cancelling_yes"));
    m_box->setDefaultButton(keep);
    m_box->setEscapeButton(keep);
    connect(cancel, &QPushButton::clicked, this, [this, turn] { Q_EMIT confirmed(turn); });
    m_box->open(); // not exec(): no second event loop under the proxy
}

void CancelQuestion::follow(const live::Snapshot &snapshot)
{
    if (!m_box || !m_box->isVisible())
        return;
    const auto row = std::ranges::find(snapshot.turns, base::TurnId(m_turn), &live::TurnRow::turn);
    const bool waits = row != snapshot.turns.end()
        && (row->phase == live::Phase::Queued || row->phase == live::Phase::Gate
            || row->phase == live::Phase::Backoff);
    if (waits)
        return;
    m_box->close();
    Q_EMIT overtaken();
}

} // namespace headway::ui
