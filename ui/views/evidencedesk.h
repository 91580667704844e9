// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/evidenceanswer.h"

#include <QObject>

class QWidget;

namespace headway::ui {

class EvidenceDialog;

// Shows the evidence behind the rate, which is the program's to read out of the ledger.
class EvidenceDesk final : public QObject
{
    Q_OBJECT

public:
    explicit EvidenceDesk(QWidget *window); // outlives it

    // ledgerAt: address of the proxy that has the ledger; empty: it is here.
    void open(const QString &ledgerAt);
    void follow(const live::SnapshotPointer &snapshot) { m_newest = snapshot; }

public Q_SLOTS:
    void show(const headway::ui::EvidenceAnswer &answer);

Q_SIGNALS:
    void requested(const headway::ui::EvidenceQuestion &question); // answered by show()

private:
    QWidget *m_window;
    EvidenceDialog *m_dialog = nullptr;
    live::SnapshotPointer m_newest;
};

} // namespace headway::ui
