// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/settings/table.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;

namespace headway::ui {

// One setting of a few words (kind Choice or Flag): its name and a chooser, which says what the
// user picks and then follows the snapshots again once they answer.
class SettingChoice final : public QWidget
{
    Q_OBJECT

public:
    explicit SettingChoice(settings::Key key, QWidget *parent = nullptr);

    void follow(const live::SettingValue &value, base::WallTime at);

    [[nodiscard]] QString key() const;
    // Everything said was answered.
    [[nodiscard]] bool isSettled() const { return !m_unanswered; }

Q_SIGNALS:
    void edited(const QString &key, const QString &value);

private:
    void show(const QString &value);

    const settings::Row &m_row;
    QLabel *m_label;
    QComboBox *m_chooser;
    std::optional<QString> m_unanswered; // said, and no snapshot repeats it yet
    base::WallTime m_saidAt;
    base::WallTime m_now;
};

} // namespace headway::ui
