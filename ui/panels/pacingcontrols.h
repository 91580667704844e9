// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace headway::ui {

class BudgetView;
class RateLock;
class SettingSlider;

using SettingValues = std::map<std::string, live::SettingValue>; // by key, as in a snapshot

// The settings of pacing with what they mean: the policy in a sentence, sliders, the lock of the
// rate, the derived wait bound. What changes nothing under the chosen policy is disabled and says
// why. It shows what it is told to follow and says what the user wants; it keeps nothing.
class PacingControls final : public QWidget
{
    Q_OBJECT

public:
    // prefix: of all object names.
    explicit PacingControls(const QString &prefix, QWidget *parent = nullptr);

    void follow(const SettingValues &settings, base::WallTime at);
    // Nothing was said about the key that is not answered yet.
    [[nodiscard]] bool isSettled(const QString &key) const;
    [[nodiscard]] QWidget *entryOf(const QString &key) const; // null: it has no slider
    // A widget between the sentence on the policy and the sliders.
    void placeUnderPolicy(QWidget *widget);

Q_SIGNALS:
    // `gesture` is the same for the values of one drag or run of keys on one setting.
    void edited(const QString &key, const QString &value, std::uint64_t gesture);

private:
    // A choice that was said and that no snapshot repeats yet.
    struct Said
    {
        std::optional<QString> value;
        base::WallTime at;
    };

    QWidget *buildPolicy(const QString &prefix);
    void buildSliders(const QString &prefix);
    void say(const QString &key, const QString &value, Said &said);
    // Whether to show `theirs`: nothing was said, or it is answered.
    bool isAnswer(Said &said, const QString &theirs) const;
    void followPolicy(const QString &policy);
    void showEffects();
    void showBudget();

    QVBoxLayout *m_layout;
    QComboBox *m_policy;
    QLabel *m_explanation;
    std::vector<SettingSlider *> m_sliders;
    SettingSlider *m_rate;
    SettingSlider *m_idle;
    SettingSlider *m_total;
    SettingSlider *m_retries;
    RateLock *m_lock;
    BudgetView *m_budget;
    Said m_saidPolicy;
    Said m_saidLock;
    base::WallTime m_now;
    std::uint64_t m_choices = 0; // gestures of the chooser and the lock
};

} // namespace headway::ui
