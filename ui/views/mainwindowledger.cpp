// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of the ledger's file.
#include "ui/models/ledgersource.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/banners.h"
#include "ui/views/evidencedialog.h"
#include "ui/views/ledgerview.h"
#include "ui/views/mainwindow.h"

namespace headway::ui {

void MainWindow::setLedgerSource(std::unique_ptr<LedgerSource> source)
{
    m_places->ledger()->setSource(std::move(source));
}

void MainWindow::openEvidence()
{
    if (m_evidence == nullptr) {
        m_evidence = new EvidenceDialog(this);
        connect(m_evidence, &EvidenceDialog::wanted, this, &MainWindow::evidenceRequested);
    }
    m_evidence->setLedgerElsewhere(m_banners->link().address());
    if (m_newest) {
        const auto rate = m_newest->settings.find("rate_per_min");
        if (rate != m_newest->settings.end())
            m_evidence->setRateInForce(QString::fromStdString(rate->second.value).toDouble());
    }
    m_evidence->open();
    m_evidence->ask();
}

void MainWindow::showEvidence(const EvidenceAnswer &answer)
{
    if (m_evidence != nullptr)
        m_evidence->show(answer);
}

void MainWindow::showConservation(const ConservationState &state)
{
    m_status->showConservation(state);
}

} // namespace headway::ui
