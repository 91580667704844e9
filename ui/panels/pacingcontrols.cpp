// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/pacingcontrols.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/policywords.h"
#include "ui/panels/budgetview.h"
#include "ui/panels/ratelock.h"
#include "ui/panels/settingslider.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace headway::ui {

namespace {

const SettingValues::mapped_type *found(const SettingValues &settings, const QString &key)
{
    const auto entry = settings.find(key.toStdString());
    return entry == settings.end() ? nullptr : &entry->second;
}

QString policyKey()
{
    return QStringLiteral("policy");
}

QString lockKey()
{
    return QStringLiteral("rate_pinned");
}

} // namespace

PacingControls::PacingControls(const QString &prefix, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_policy(new QComboBox(this))
    , m_explanation(new QLabel(this))
    , m_rate(new SettingSlider(settings::Key::RatePerMin, prefix, this))
    , m_idle(new SettingSlider(settings::Key::IdleMs, prefix, this))
    , m_total(new SettingSlider(settings::Key::TotalMs, prefix, this))
    , m_retries(new SettingSlider(settings::Key::Retries, prefix, this))
    , m_lock(new RateLock(prefix, this))
    , m_budget(new BudgetView(prefix, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(fontMetrics().height() / 2);
    m_layout->addWidget(buildPolicy(prefix));
    m_layout->addWidget(m_explanation);
    buildSliders(prefix);
    m_layout->addWidget(m_budget);
    showEffects();
    showBudget();
}

QWidget *PacingControls::buildPolicy(const QString &prefix)
{
    const settings::Row &row = settings::row(settings::Key::Policy);
    m_policy->setObjectName(prefix + QStringLiteral("policy_chooser"));
    m_policy->setAccessibleName(tr("Policy"));
    m_policy->addItems(text(row.choices).split(u'|', Qt::SkipEmptyParts));
    for (int i = 0; i < m_policy->count(); ++i)
        m_policy->setItemData(i, policyWords(m_policy->itemText(i).toStdString()), Qt::ToolTipRole);
    m_policy->setCurrentText(text(row.fallback));
    connect(m_policy, &QComboBox::activated, this, [this] {
        showEffects();
        say(policyKey(), m_policy->currentText(), m_saidPolicy);
    });
    m_explanation->setObjectName(prefix + QStringLiteral("policy_words"));
    m_explanation->setWordWrap(true);
    m_explanation->setTextFormat(Qt::PlainText);
    m_explanation->setForegroundRole(QPalette::PlaceholderText);
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(tr("Policy"), line);
    label->setBuddy(m_policy);
    label->setToolTip(text(row.description));
    layout->addWidget(label);
    layout->addStretch();
    layout->addWidget(m_policy);
    return line;
}

void PacingControls::buildSliders(const QString &prefix)
{
    m_sliders = {m_rate,
                 new SettingSlider(settings::Key::Burst, prefix, this),
                 new SettingSlider(settings::Key::SpacingFloorMs, prefix, this),
                 m_idle,
                 m_total,
                 m_retries};
    m_rate->placeBeside(m_lock);
    for (SettingSlider *slider : m_sliders) {
        m_layout->addWidget(slider);
        connect(slider, &SettingSlider::changed, this, [this] {
            showEffects();
            showBudget();
        });
        connect(slider, &SettingSlider::edited, this,
                [this, slider](const QString &key, const QString &value) {
                    Q_EMIT edited(key, value, slider->gesture());
                });
    }
    connect(m_lock, &RateLock::edited, this,
            [this](const QString &value) { say(lockKey(), value, m_saidLock); });
}

void PacingControls::placeUnderPolicy(QWidget *widget)
{
    m_layout->insertWidget(2, widget);
}

void PacingControls::say(const QString &key, const QString &value, Said &said)
{
    said = {value, m_now};
    Q_EMIT edited(key, value, ++m_choices);
}

bool PacingControls::isAnswer(Said &said, const QString &theirs) const
{
    const bool isStale = said.value && *said.value != theirs && m_now >= said.at
        && m_now - said.at <= SettingSlider::patience;
    if (!isStale)
        said.value.reset();
    return !isStale;
}

void PacingControls::follow(const SettingValues &settings, base::WallTime at)
{
    m_now = at;
    for (SettingSlider *slider : m_sliders)
        if (const live::SettingValue *value = found(settings, slider->key()))
            slider->follow(*value, at);
    if (const live::SettingValue *policy = found(settings, policyKey()))
        followPolicy(text(policy->value));
    if (const live::SettingValue *lock = found(settings, lockKey()))
        if (isAnswer(m_saidLock, text(lock->value)))
            m_lock->showValue(text(lock->value));
    showEffects();
    showBudget();
}

void PacingControls::followPolicy(const QString &policy)
{
    if (policy.isEmpty() || !isAnswer(m_saidPolicy, policy) || m_policy->currentText() == policy)
        return;
    if (m_policy->findText(policy) < 0)
        m_policy->addItem(policy);
    m_policy->setCurrentText(policy);
}

QWidget *PacingControls::entryOf(const QString &key) const
{
    const auto found = std::ranges::find(m_sliders, key, &SettingSlider::key);
    return found == m_sliders.end() ? nullptr : (*found)->entry();
}

bool PacingControls::isSettled(const QString &key) const
{
    if (key == policyKey())
        return !m_saidPolicy.value;
    if (key == lockKey())
        return !m_saidLock.value;
    for (const SettingSlider *slider : m_sliders)
        if (slider->key() == key)
            return slider->isSettled();
    return true;
}

void PacingControls::showEffects()
{
    const std::string policy = m_policy->currentText().toStdString();
    const QString words = policyWords(policy);
    if (m_explanation->text() != words)
        m_explanation->setText(words);
    m_policy->setAccessibleDescription(words);
    const int rate = m_rate->value();
    for (SettingSlider *slider : m_sliders)
        if (!slider->isHeld()) // a rate on its way up from 0 stays in the hand
            slider->setWithoutEffect(whyWithoutEffect(slider->settingKey(), policy, rate));
    m_lock->setWithoutEffect(whyWithoutEffect(settings::Key::RatePinned, policy, rate));
    m_budget->setWithoutEffect(whyNoWaitBound(policy, rate));
}

void PacingControls::showBudget()
{
    pacing::BudgetSettings asked;
    if (m_total->isSet())
        asked.total = base::Milliseconds(m_total->value());
    if (m_idle->isSet())
        asked.idle = base::Milliseconds(m_idle->value());
    if (m_retries->isSet())
        asked.retries = m_retries->value();
    m_budget->setBudget(asked);
}

} // namespace headway::ui
