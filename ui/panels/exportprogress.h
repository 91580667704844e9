// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QProgressBar;
class QPushButton;

namespace headway::ui {

// An export at work: how far it is, and the way to stop it. Not there otherwise.
class ExportProgress final : public QWidget
{
    Q_OBJECT

public:
    explicit ExportProgress(QWidget *parent = nullptr);

    // records: so far, where it exports such; share: 0 to 1.
    void show(std::optional<quint64> records, double share);
    void finish();

Q_SIGNALS:
    void cancelRequested();

private:
    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

} // namespace headway::ui
