// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/setuptexts.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headway::ui {

// The lines for one client, to be copied, or to be written into its own configuration.
class ClientCard final : public QWidget
{
    Q_OBJECT

public:
    explicit ClientCard(const QString &name, QWidget *parent = nullptr);

    void setClient(const ClientSetup &client);
    // What stands in for the access key while it is masked.
    void setShownText(const QString &text);

Q_SIGNALS:
    void copyRequested(const QString &text);
    void writeRequested();
    void restoreRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void adoptFont();
    void fitHeight(); // of the lines that are shown

    ClientSetup m_client;
    QLabel *m_hint;
    QLabel *m_outcome;
    QPushButton *m_write;
    QPushButton *m_restore;
    QPlainTextEdit *m_edit;
};

} // namespace headway::ui
