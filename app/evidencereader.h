// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/evidenceanswer.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <memory>
#include <optional>

namespace headway::app {

// Reads the evidence behind a rate from the ledger beside the running program, on a thread of its
// own. One reading at a time; what is asked meanwhile replaces its answer.
class EvidenceReader final : public QObject
{
    Q_OBJECT

public:
    EvidenceReader(QString ledgerPath, QString ceilingPath, QObject *parent = nullptr);
    ~EvidenceReader() override; // waits for the reading at work

    void read(const ui::EvidenceQuestion &question);

Q_SIGNALS:
    void answered(const headway::ui::EvidenceAnswer &answer);

private:
    void take(const ui::EvidenceAnswer &answer);

    QString m_ledgerPath;
    QString m_ceilingPath;
    std::unique_ptr<QThread> m_thread;
    std::optional<ui::EvidenceQuestion> m_next;
};

} // namespace headway::app
