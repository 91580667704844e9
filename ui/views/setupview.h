// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/setuptexts.h"

#include <QWidget>

class QCheckBox;
class QPlainTextEdit;
class QVBoxLayout;

namespace headway::ui {

class EmptyState;

// How to point each client at this proxy. The access key is masked until somebody asks for it;
// Copy always copies it in clear.
class SetupView final : public QWidget
{
    Q_OBJECT

public:
    explicit SetupView(QWidget *parent = nullptr);

    void setTexts(const SetupTexts &texts);

Q_SIGNALS:
    void copyRequested(const QString &text);

private:
    void rebuild();
    void addClient(const ClientSetup &client);
    void showTexts();
    [[nodiscard]] QString masked(const QString &text) const;

    SetupTexts m_texts;
    QWidget *m_page;
    QVBoxLayout *m_list;
    EmptyState *m_empty;
    QCheckBox *m_reveal;
    std::vector<QPlainTextEdit *> m_edits;
};

} // namespace headway::ui
