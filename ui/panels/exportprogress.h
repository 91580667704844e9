// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace headway::ui {

// An export at work: how far it is, and the way to stop it. Not there otherwise.
class ExportProgress final : public QWidget
{
    Q_OBJECT

public:
    explicit ExportProgress(QWidget *parent = nullptr);

    void show(quint64 records, double share); // share: 0 to 1
    void finish();

Q_SIGNALS:
    void cancelRequested();

private:
    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

} // namespace headway::ui
