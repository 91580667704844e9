// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/evidenceanswer.h"

#include <QDialog>

#include <vector>

class QGridLayout;
class QLabel;
class QSpinBox;

namespace headway::ui {

class EmptyState;
class MinuteModel;
class RecordTable;
class SpanChoice;

// The table behind a rate setting, over a span of the whole ledger: what `headway ledger evidence`
// prints. It asks and is answered: the file is read elsewhere.
class EvidenceDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit EvidenceDialog(QWidget *parent = nullptr);

    // The ledger lies with a proxy at this address, out of reach; empty: it is here.
    void setLedgerElsewhere(const QString &address);
    void setRateInForce(double perMinute);
    void show(const EvidenceAnswer &answer);
    void ask(); // again, as chosen

Q_SIGNALS:
    void wanted(const headway::ui::EvidenceQuestion &question);

private:
    QWidget *buildChoice();
    void buildFigures();
    void showFigures(const ledger::Evidence &evidence);
    void showMessage(const QString &title, const QString &text);

    SpanChoice *m_span;
    QSpinBox *m_rate;
    QLabel *m_state;
    QWidget *m_content;
    EmptyState *m_empty;
    QGridLayout *m_figures;
    std::vector<QLabel *> m_values; // of the figures, in their order
    MinuteModel *m_minutes;
    RecordTable *m_table;
    QLabel *m_note;
    double m_inForce = 0;
    QString m_elsewhere;
};

} // namespace headway::ui
