// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/conservationstate.h"

#include <QObject>
#include <QString>
#include <QThread>

namespace headway::app {

// Goes over the ledger beside the running program, and again over what was made since, on a thread
// of its own that steps back for every other one: `headway ledger verify` without its end, less
// SQLite's own check of the file.
class LedgerAuditor final : public QObject
{
    Q_OBJECT

public:
    explicit LedgerAuditor(const QString &ledgerPath, QObject *parent = nullptr);
    ~LedgerAuditor() override; // waits for the step at work

    void start();

Q_SIGNALS:
    void audited(const headway::ui::ConservationState &state);

private:
    QThread m_thread;
};

} // namespace headway::app
