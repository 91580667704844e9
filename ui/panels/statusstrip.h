// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/conservationstate.h"
#include "ui/models/processcost.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace headway::ui {

class ElidedLabel;
class ExportProgress;
class FigureLabel;
class SignLabel;

// The line at the foot: the last change with its Undo, messages, notices, the ledger.
class StatusStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusStrip(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);
    void setUndoPossible(bool isPossible);
    // An answer to something the user asked for; stays until the next change or message.
    void showMessage(bool ok, const QString &text);

    void showExport(std::optional<quint64> records, double share); // at work; share 0 to 1
    void finishExport();
    // What the ledger on disk says of itself; never called where it is out of reach.
    void showConservation(const ConservationState &state);

Q_SIGNALS:
    void undoRequested();
    void exportCancelled();

private:
    void showLedger(const live::Snapshot &snapshot);
    void showCost();

    SignLabel *m_message;
    QPushButton *m_undo;
    ExportProgress *m_export;
    SignLabel *m_notices;
    SignLabel *m_ledger;
    SignLabel *m_conserved;
    FigureLabel *m_cost;
    ProcessCostMeter m_meter;
};

} // namespace headway::ui
