// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/edithistory.h"

#include <QMap>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace headway::ui {

class BudgetView;
class NoticeList;
class SettingSlider;

// The settings that act while the proxy runs. A passive view: it says what the user wants and
// shows what the snapshots say. Keeps what was changed here, to take it back.
class ControlPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit ControlPanel(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);

    [[nodiscard]] const EditHistory &history() const { return m_history; }

public Q_SLOTS:
    void undo(); // says the value before the last step again
    void redo();

Q_SIGNALS:
    void settingEdited(const QString &key, const QString &value);
    void historyChanged();

private:
    QWidget *buildPolicy();
    QWidget *buildHistory();
    void followPolicy(const live::Snapshot &snapshot);
    void edit(const QString &key, const QString &value, std::uint64_t gesture);
    void sayAgain(const QString &key, const QString &value);
    void showBudget();
    void showHistory();

    QComboBox *m_policy;
    std::vector<SettingSlider *> m_sliders;
    SettingSlider *m_idle;
    SettingSlider *m_retries;
    BudgetView *m_budget;
    NoticeList *m_notices;
    QPushButton *m_undo;
    QPushButton *m_redo;
    QMap<QString, QString> m_known; // last value said or heard, by key
    std::optional<base::Milliseconds> m_total; // when the user has set it
    EditHistory m_history;
    std::uint64_t m_choices = 0; // gestures of the policy chooser
};

} // namespace headway::ui
