// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace headway::ui {

// What to export, and where to: format, span, path.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(QWidget *parent = nullptr);

    [[nodiscard]] QString format() const; // "csv" or "jsonl"
    [[nodiscard]] QString path() const;
    [[nodiscard]] qint64 sinceMsAgo() const; // 0: everything

private:
    void browse();
    void showState();

    QComboBox *m_format;
    QComboBox *m_span;
    QLineEdit *m_path;
    QPushButton *m_accept;
};

} // namespace headway::ui
