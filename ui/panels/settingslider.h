// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/settings/table.h"

#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QSlider;

namespace headway::ui {

class SettingSpin;

// One integer setting: name, slider, spin box, lock sign. Range, unit and tool tip come from the
// settings table. While dragged it speaks ten times a second at most; the last value is always
// spoken. It follows the snapshots, except while somebody holds it or its own word is not yet back.
class SettingSlider final : public QWidget
{
    Q_OBJECT

public:
    explicit SettingSlider(settings::Key key, QWidget *parent = nullptr);

    void follow(const live::SettingValue &value, base::WallTime at);

    [[nodiscard]] QString key() const;
    [[nodiscard]] int value() const { return m_value; } // as it stands in the panel
    [[nodiscard]] std::uint64_t gesture() const { return m_gesture; }
    [[nodiscard]] bool isSet() const { return m_isSet; } // by anybody: not the default
    // Nothing is held back and everything said was answered.
    [[nodiscard]] bool isSettled() const { return !m_unsent && !m_unanswered; }

    static constexpr int sendIntervalMs = 100;

Q_SIGNALS:
    void changed(int value); // at once, while dragging: for the formula
    void edited(const QString &key, const QString &value); // to be acted upon

private:
    void build();
    void moveTo(int value);
    void showValue(int value);
    void send();
    void showLock(const live::SettingValue &value);

    const settings::Row &m_row;
    int m_unit;
    std::vector<std::int64_t> m_stops;
    QSlider *m_slider;
    SettingSpin *m_spin;
    QLabel *m_lock;
    QTimer m_pause; // running: a value was sent less than an interval ago
    int m_value = 0;
    std::optional<int> m_unsent;
    std::optional<int> m_unanswered; // sent, and no snapshot says it yet
    base::WallTime m_sentAt;
    base::WallTime m_now;
    std::uint64_t m_gesture = 0;
    bool m_isSet = false;
};

} // namespace headway::ui
