// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/edithistory.h"
#include "ui/models/presets.h"
#include "ui/panels/pacingcontrols.h"

#include <QMap>
#include <QWidget>

#include <cstdint>
#include <vector>

class QPushButton;

namespace headway::ui {

class EstimateView;
class MoreSettings;
class NoticeList;
class PresetButton;

// The settings that act while the proxy runs. A passive view: it says what the user wants and
// shows what the snapshots say. Keeps what was changed here, to take it back.
class ControlPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit ControlPanel(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);
    // Several settings at once, key to value: they are said like edits here, and are one step of
    // the history.
    void change(const QMap<QString, QString> &values);

    // Where its value is typed; null: it has no slider.
    [[nodiscard]] QWidget *entryOf(const QString &key) const { return m_controls->entryOf(key); }

    // The user's own, beside the built-in ones.
    void setSavedPresets(const std::vector<Preset> &presets);

    [[nodiscard]] const EditHistory &history() const { return m_history; }

public Q_SLOTS:
    void undo(); // says the values before the last step again
    void redo();

Q_SIGNALS:
    void settingEdited(const QString &key, const QString &value);
    void historyChanged();
    void presetApplied(const QString &name, const QString &changes); // in words; empty: none
    void presetSaveRequested(const headway::ui::Preset &preset);
    void presetRemoveRequested(const QString &name);

private:
    QWidget *buildHistory();
    void connectPresets();
    void applyPreset(const Preset &preset);
    [[nodiscard]] QString changesTo(const QMap<QString, QString> &values) const;
    void edit(const QString &key, const QString &value, std::uint64_t gesture);
    void say(const QString &key, const QString &value);
    void showHistory();

    PacingControls *m_controls;
    MoreSettings *m_more;
    EstimateView *m_estimate;
    NoticeList *m_notices;
    PresetButton *m_presets;
    QPushButton *m_undo;
    QPushButton *m_redo;
    QMap<QString, QString> m_known; // last value said or heard, by key
    SettingValues m_settings; // as the newest snapshot has them
    EditHistory m_history;
};

} // namespace headway::ui
