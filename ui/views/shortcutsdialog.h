// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QAction;

namespace headway::ui {

// Every key of the window, from the actions that have one and from what else the places know.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent);
};

} // namespace headway::ui
