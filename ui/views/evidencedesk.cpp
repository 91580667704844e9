// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/evidencedesk.h"

#include "ui/views/evidencedialog.h"

namespace headway::ui {

EvidenceDesk::EvidenceDesk(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

void EvidenceDesk::open(const QString &ledgerAt)
{
    if (m_dialog == nullptr) {
        m_dialog = new EvidenceDialog(m_window);
        connect(m_dialog, &EvidenceDialog::wanted, this, &EvidenceDesk::requested);
    }
    m_dialog->setLedgerElsewhere(ledgerAt);
    if (m_newest) {
        const auto rate = m_newest->settings.find("rate_per_min");
        if (rate != m_newest->settings.end())
            m_dialog->setRateInForce(QString::fromStdString(rate->second.value).toDouble());
    }
    m_dialog->open();
    m_dialog->ask();
}

void EvidenceDesk::show(const EvidenceAnswer &answer)
{
    if (m_dialog != nullptr)
        m_dialog->show(answer);
}

} // namespace headway::ui
