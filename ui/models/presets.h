// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headway::ui {

// Settings under a name, applied together.
struct Preset
{
    QString name;
    QString words; // what it is for; empty for the user's own
    QMap<QString, QString> values; // by key, in the setting's own unit
    bool isBuiltIn = false;

    friend bool operator==(const Preset &, const Preset &) = default;
};

// The few that come with the program: Gentle, Default (every value as the settings table has it),
// Fast.
[[nodiscard]] std::vector<Preset> builtInPresets();

// The keys a preset holds: what paces turns and what keeps heads, nothing of this machine.
[[nodiscard]] QStringList presetKeys();

// What stands in the settings now, as a preset of the user's own.
[[nodiscard]] Preset presetOf(const QString &name,
                              const std::map<std::string, live::SettingValue> &settings);

// As one line of text and back, for the file of the window's own state. Keys that no preset holds
// and values that the setting refuses are left out.
[[nodiscard]] QString storedPreset(const Preset &preset);
[[nodiscard]] Preset presetFrom(const QString &name, const QString &stored);

} // namespace headway::ui
