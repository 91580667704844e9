// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/controlpanel.h"

#include "proxy/core/pacing/budget.h"
#include "ui/format/figures.h"
#include "ui/format/words.h"
#include "ui/panels/budgetview.h"
#include "ui/panels/noticelist.h"
#include "ui/panels/settingslider.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headway::ui {

ControlPanel::ControlPanel(QWidget *parent)
    : QWidget(parent)
    , m_policy(new QComboBox(this))
    , m_idle(new SettingSlider(settings::Key::IdleMs, this))
    , m_retries(new SettingSlider(settings::Key::Retries, this))
    , m_budget(new BudgetView(this))
    , m_notices(new NoticeList(this))
    , m_undo(new QPushButton(tr("Undo"), this))
    , m_redo(new QPushButton(tr("Redo"), this))
{
    m_sliders = {new SettingSlider(settings::Key::RatePerMin, this),
                 new SettingSlider(settings::Key::Burst, this), m_idle, m_retries};
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addWidget(buildPolicy());
    for (SettingSlider *slider : m_sliders) {
        layout->addWidget(slider);
        connect(slider, &SettingSlider::changed, this, &ControlPanel::showBudget);
        connect(slider, &SettingSlider::edited, this,
                [this, slider](const QString &key, const QString &value) {
                    edit(key, value, slider->gesture());
                });
    }
    layout->addWidget(m_budget);
    layout->addWidget(buildHistory());
    layout->addWidget(m_notices);
    layout->addStretch();
    showHistory();
}

QWidget *ControlPanel::buildPolicy()
{
    const settings::Row &row = settings::row(settings::Key::Policy);
    m_policy->setObjectName(QStringLiteral("policy_chooser"));
    m_policy->setAccessibleName(tr("Policy"));
    m_policy->setToolTip(text(row.description));
    m_policy->addItems(text(row.choices).split(u'|', Qt::SkipEmptyParts));
    m_policy->setCurrentText(text(row.fallback));
    connect(m_policy, &QComboBox::activated, this, [this] {
        if (m_policy->currentText() != m_known.value(QStringLiteral("policy")))
            edit(QStringLiteral("policy"), m_policy->currentText(), ++m_choices);
    });
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(tr("Policy"), line);
    label->setBuddy(m_policy);
    layout->addWidget(label);
    layout->addStretch();
    layout->addWidget(m_policy);
    return line;
}

QWidget *ControlPanel::buildHistory()
{
    m_undo->setObjectName(QStringLiteral("undo"));
    m_undo->setAccessibleName(tr("Undo the last change"));
    m_redo->setObjectName(QStringLiteral("redo"));
    m_redo->setAccessibleName(tr("Redo the change"));
    connect(m_undo, &QPushButton::clicked, this, &ControlPanel::undo);
    connect(m_redo, &QPushButton::clicked, this, &ControlPanel::redo);
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_undo);
    layout->addWidget(m_redo);
    return line;
}

void ControlPanel::apply(const live::Snapshot &snapshot)
{
    for (SettingSlider *slider : m_sliders) {
        const auto found = snapshot.settings.find(slider->key().toStdString());
        if (found == snapshot.settings.end())
            continue;
        slider->follow(found->second, snapshot.at);
        if (slider->isSettled())
            m_known[slider->key()] = text(found->second.value);
    }
    followPolicy(snapshot);
    const auto total = snapshot.settings.find("total_ms");
    m_total.reset();
    if (total != snapshot.settings.end() && total->second.source != "default")
        m_total = base::Milliseconds(text(total->second.value).toLongLong());
    m_notices->setNotices(snapshot.notices);
    showBudget();
}

void ControlPanel::followPolicy(const live::Snapshot &snapshot)
{
    const auto found = snapshot.settings.find("policy");
    const QString policy
        = found != snapshot.settings.end() ? text(found->second.value) : text(snapshot.policy);
    if (policy.isEmpty() || m_known.value(QStringLiteral("policy")) == policy)
        return;
    m_known[QStringLiteral("policy")] = policy;
    if (m_policy->findText(policy) < 0)
        m_policy->addItem(policy);
    m_policy->setCurrentText(policy);
}

void ControlPanel::edit(const QString &key, const QString &value, std::uint64_t gesture)
{
    if (m_known.contains(key))
        m_history.record({key, m_known.value(key), value}, gesture);
    m_known[key] = value;
    Q_EMIT settingEdited(key, value);
    showHistory();
}

void ControlPanel::undo()
{
    if (const std::optional<Edit> edit = m_history.undo())
        sayAgain(edit->key, edit->oldValue);
}

void ControlPanel::redo()
{
    if (const std::optional<Edit> edit = m_history.redo())
        sayAgain(edit->key, edit->newValue);
}

void ControlPanel::sayAgain(const QString &key, const QString &value)
{
    m_known[key] = value;
    Q_EMIT settingEdited(key, value);
    showHistory();
}

void ControlPanel::showBudget()
{
    pacing::BudgetSettings asked;
    asked.total = m_total;
    if (m_idle->isSet())
        asked.idle = base::Milliseconds(m_idle->value());
    if (m_retries->isSet())
        asked.retries = m_retries->value();
    m_budget->setBudget(asked);
}

void ControlPanel::showHistory()
{
    const Edit *next = m_history.nextUndo();
    m_undo->setEnabled(next != nullptr);
    m_redo->setEnabled(m_history.canRedo());
    m_undo->setToolTip(next == nullptr ? tr("Nothing was changed here yet")
                                       : tr("Take back: %1 (Ctrl+Z)")
                                             .arg(changeText({{},
                                                              next->key.toStdString(),
                                                              next->oldValue.toStdString(),
                                                              next->newValue.toStdString(),
                                                              {}})));
    Q_EMIT historyChanged();
}

} // namespace headway::ui
