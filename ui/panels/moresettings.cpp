// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/moresettings.h"

#include "ui/panels/section.h"
#include "ui/panels/settingchoice.h"
#include "ui/panels/settingslider.h"

#include <QVBoxLayout>

namespace headway::ui {

MoreSettings::MoreSettings(QWidget *parent)
    : QWidget(parent)
{
    using settings::Key;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 4);
    addGroup(QStringLiteral("group_tokens"), tr("Token gate"),
             {Key::TokenFloor, Key::MaxWaitInteractiveMs, Key::MaxWaitBatchMs});
    addGroup(QStringLiteral("group_heads"), tr("Heads and lanes"),
             {Key::Lanes, Key::Spares, Key::NurseryCap, Key::EstablishedCap, Key::NurseryIdleS,
              Key::EstablishedIdleS, Key::RotateS});
    addGroup(
        QStringLiteral("group_replies"), tr("Replies"),
        {Key::FirstEventMs, Key::OpenStreamAfterMs, Key::CacheKeyPerAgent, Key::ClientSockets});
}

void MoreSettings::addGroup(const QString &name, const QString &title,
                            std::initializer_list<settings::Key> keys)
{
    auto *group = new Section(name, title, this);
    for (const settings::Key key : keys) {
        if (settings::row(key).kind == settings::Kind::Integer)
            addSlider(*group, key);
        else
            addChoice(*group, key);
    }
    layout()->addWidget(group);
}

void MoreSettings::addSlider(Section &group, settings::Key key)
{
    auto *slider = new SettingSlider(key, {}, this);
    connect(slider, &SettingSlider::edited, this,
            [this, slider](const QString &edited, const QString &value) {
                Q_EMIT this->edited(edited, value, slider->gesture());
            });
    m_sliders.push_back(slider);
    group.add(slider);
}

void MoreSettings::addChoice(Section &group, settings::Key key)
{
    auto *choice = new SettingChoice(key, this);
    connect(choice, &SettingChoice::edited, this,
            [this](const QString &edited, const QString &value) {
                Q_EMIT this->edited(edited, value, ++m_picks);
            });
    m_choices.push_back(choice);
    group.add(choice);
}

void MoreSettings::follow(const SettingValues &settings, base::WallTime at)
{
    const auto tell = [&](auto *control) {
        const auto value = settings.find(control->key().toStdString());
        if (value != settings.end())
            control->follow(value->second, at);
    };
    for (SettingSlider *slider : m_sliders)
        tell(slider);
    for (SettingChoice *choice : m_choices)
        tell(choice);
}

bool MoreSettings::isSettled(const QString &key) const
{
    for (const SettingSlider *slider : m_sliders)
        if (slider->key() == key)
            return slider->isSettled();
    for (const SettingChoice *choice : m_choices)
        if (choice->key() == key)
            return choice->isSettled();
    return true;
}

} // namespace headway::ui
