// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/presets.h"

#include <QPushButton>

#include <functional>
#include <vector>

class QMenu;

namespace headway::ui {

// Offers settings under a name: the built-in ones, the user's own, and saving those in force. It
// decides and keeps nothing.
class PresetButton final : public QPushButton
{
    Q_OBJECT

public:
    explicit PresetButton(QWidget *parent = nullptr);

    // The user's own.
    void setSaved(const std::vector<Preset> &presets);
    // What would change if these values were applied, in words; for the menu's tips.
    void setDescriber(std::function<QString(const QMap<QString, QString> &)> describe);

Q_SIGNALS:
    void chosen(const headway::ui::Preset &preset);
    void saveRequested(const QString &name); // never empty, never a built-in's name
    void removeRequested(const QString &name);

private:
    void fill();
    void add(const Preset &preset);
    void addRemoval();
    void askForName();

    QMenu *m_menu;
    QMenu *m_removal = nullptr; // below it, while there is something to remove
    std::vector<Preset> m_saved;
    std::function<QString(const QMap<QString, QString> &)> m_describe;
};

} // namespace headway::ui
