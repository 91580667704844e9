// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QString>

#include <string_view>

namespace headway::ui {

// Short name of a setting for labels and marks: "rate", "idle deadline"; an unknown key stands for
// itself.
[[nodiscard]] QString settingName(std::string_view key);
[[nodiscard]] QString settingTitle(std::string_view key); // begins with a capital
// "60", "120 s", "off": a setting's value with its unit, for marks and the status bar.
[[nodiscard]] QString settingText(std::string_view key, std::string_view value);
// "rate 60 → 6".
[[nodiscard]] QString changeText(const live::ChangeMark &change);
// "by you", "by the settings file" …
[[nodiscard]] QString whoWords(std::string_view who);

} // namespace headway::ui
