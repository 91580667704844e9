// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/pacingcontrols.h"

#include <QMap>
#include <QWidget>

class QLabel;
class QPushButton;

namespace headway::ui {

// The same controls as the control panel, but for settings that are only tried: what is changed
// here stands beside the settings in force until it is applied or dropped.
class TrialPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit TrialPanel(QWidget *parent = nullptr);

    // The settings in force. What is tried and came into force is no trial any more.
    void follow(const SettingValues &settings, base::WallTime at);

    [[nodiscard]] const SettingValues &inForce() const { return m_inForce; }
    [[nodiscard]] SettingValues tried() const; // in force, with what is changed here
    [[nodiscard]] const QMap<QString, QString> &changes() const { return m_changes; }

Q_SIGNALS:
    void changed(); // in force or tried
    void applyRequested(const QMap<QString, QString> &changes);

private:
    QWidget *buildButtons();
    void edit(const QString &key, const QString &value);
    void startOver();
    [[nodiscard]] QString valueInForce(const QString &key) const;
    void dropWhatIsInForce();
    void showChanges();

    PacingControls *m_controls;
    QLabel *m_difference;
    QPushButton *m_apply;
    QPushButton *m_reset;
    SettingValues m_inForce;
    QMap<QString, QString> m_changes; // by key, values that differ from those in force
    base::WallTime m_now;
};

} // namespace headway::ui
