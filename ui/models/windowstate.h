// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/presets.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <vector>

class QSettings;

namespace headway::ui {

// What the window remembers about itself from one start to the next, in a file of its own: saved
// presets, layout, choices that concern the window alone. Without a file it remembers until exit.
// Nothing in the file is trusted: what cannot be is left out.
class WindowState final
{
public:
    WindowState();
    explicit WindowState(const QString &path); // an INI file, made on the first change
    ~WindowState();

    [[nodiscard]] std::vector<Preset> presets() const; // the user's own, by name
    void savePreset(const Preset &preset); // one of that name is replaced
    void removePreset(const QString &name);

    [[nodiscard]] QByteArray bytes(const QString &key) const;
    void setBytes(const QString &key, const QByteArray &value);
    [[nodiscard]] bool flag(const QString &key, bool otherwise) const;
    void setFlag(const QString &key, bool value);

private:
    std::unique_ptr<QSettings> m_file; // null: none
    std::map<QString, QVariant> m_values; // without a file
    [[nodiscard]] QVariant value(const QString &key) const;
    void setValue(const QString &key, const QVariant &value);
    void remove(const QString &key);
    [[nodiscard]] QStringList keysBelow(const QString &group) const;
};

} // namespace headway::ui
