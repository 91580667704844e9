// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/settings/table.h"
#include "ui/panels/pacingcontrols.h"

#include <QWidget>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace headway::ui {

class Section;
class SettingChoice;
class SettingSlider;

// The settings that act at run time beside those of pacing, in groups that open and close: token
// gate, heads and lanes, connections. It shows what it is told to follow and keeps nothing.
class MoreSettings final : public QWidget
{
    Q_OBJECT

public:
    explicit MoreSettings(QWidget *parent = nullptr);

    void follow(const SettingValues &settings, base::WallTime at);
    // Nothing was said about the key that is not answered yet.
    [[nodiscard]] bool isSettled(const QString &key) const;

Q_SIGNALS:
    // `gesture` is the same for the values of one drag or run of keys on one setting.
    void edited(const QString &key, const QString &value, std::uint64_t gesture);

private:
    void addGroup(const QString &name, const QString &title,
                  std::initializer_list<settings::Key> keys);
    void addSlider(Section &group, settings::Key key);
    void addChoice(Section &group, settings::Key key);

    std::vector<SettingSlider *> m_sliders;
    std::vector<SettingChoice *> m_choices;
    std::uint64_t m_picks = 0; // gestures of the choosers
};

} // namespace headway::ui
