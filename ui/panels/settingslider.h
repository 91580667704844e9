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
    // prefix: of the object names, where a key has several sliders in one window.
    explicit SettingSlider(settings::Key key, const QString &prefix, QWidget *parent = nullptr);

    void follow(const live::SettingValue &value, base::WallTime at);

    // Why it changes nothing at present: it is disabled and says so; empty: it counts.
    void setWithoutEffect(const QString &reason);
    // A small control that belongs to the setting, at the end of the slider.
    void placeBeside(QWidget *widget);

    [[nodiscard]] QWidget *entry() const; // where a value is typed
    [[nodiscard]] QString key() const;
    [[nodiscard]] settings::Key settingKey() const { return m_row.key; }
    [[nodiscard]] int value() const { return m_value; } // as it stands in the panel
    [[nodiscard]] std::uint64_t gesture() const { return m_gesture; }
    [[nodiscard]] bool isSet() const { return m_isSet; } // by anybody: not the default
    [[nodiscard]] bool isHeld() const; // by a hand, or its word is not answered yet
    // Nothing is held back and everything said was answered.
    [[nodiscard]] bool isSettled() const { return !m_unsent && !m_unanswered; }

    static constexpr int sendIntervalMs = 100;
    static constexpr base::Milliseconds patience{
        1'500}; // for an answer; then the snapshot is right

protected:
    void changeEvent(QEvent *event) override;

Q_SIGNALS:
    void changed(int value); // at once, while dragging: for the formula
    void edited(const QString &key, const QString &value); // to be acted upon

private:
    void build(const QString &prefix);
    void showTips();
    void moveTo(int value);
    void showValue(int value);
    void send();
    void showLock(const live::SettingValue &value);
    void drawLock();

    const settings::Row &m_row;
    int m_unit;
    std::vector<std::int64_t> m_stops;
    QLabel *m_label;
    QSlider *m_slider;
    SettingSpin *m_spin;
    QLabel *m_lock;
    QString m_reason; // why it changes nothing
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
