// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headway::ui {

class SpanChoice;

// What to export, and where to: format, span, path.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(QWidget *parent = nullptr);

    // The ledger lies with a proxy at this address, so only what the window itself makes can be
    // had; empty: it is here.
    void setLedgerElsewhere(const QString &address);

    [[nodiscard]] QString format() const; // csv, jsonl, sqlite, png or pdf
    [[nodiscard]] QString path() const;
    [[nodiscard]] qint64 sinceMsAgo() const; // 0: everything
    // A picture or a report: made by the window out of what it shows, not out of the ledger.
    [[nodiscard]] bool isOfTheCharts() const;

private:
    void browse();
    void followFormat();
    void showState();

    QComboBox *m_format;
    SpanChoice *m_span;
    QLineEdit *m_path;
    QLabel *m_note;
    QPushButton *m_accept;
    QString m_elsewhere;
};

} // namespace headway::ui
