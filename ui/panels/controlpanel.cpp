// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/controlpanel.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"
#include "ui/panels/estimateview.h"
#include "ui/panels/moresettings.h"
#include "ui/panels/noticelist.h"
#include "ui/panels/pacingcontrols.h"
#include "ui/panels/presetbutton.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace headway::ui {

ControlPanel::ControlPanel(QWidget *parent)
    : QWidget(parent)
    , m_controls(new PacingControls({}, this))
    , m_more(new MoreSettings(this))
    , m_estimate(new EstimateView(this))
    , m_notices(new NoticeList(this))
    , m_presets(new PresetButton(this))
    , m_undo(new QPushButton(tr("Undo"), this))
    , m_redo(new QPushButton(tr("Redo"), this))
{
    m_controls->placeUnderPolicy(m_estimate);
    connect(m_controls, &PacingControls::edited, this, &ControlPanel::edit);
    connect(m_more, &MoreSettings::edited, this, &ControlPanel::edit);
    connectPresets();
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addWidget(m_controls);
    layout->addWidget(m_more);
    layout->addWidget(m_presets);
    layout->addWidget(buildHistory());
    layout->addWidget(m_notices);
    layout->addStretch();
    showHistory();
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

void ControlPanel::connectPresets()
{
    m_presets->setDescriber([this](const QMap<QString, QString> &values) {
        const QString changes = changesTo(values);
        return changes.isEmpty() ? tr("In force now") : changes;
    });
    connect(m_presets, &PresetButton::chosen, this, &ControlPanel::applyPreset);
    connect(m_presets, &PresetButton::saveRequested, this, [this](const QString &name) {
        Q_EMIT presetSaveRequested(presetOf(name, m_settings));
    });
    connect(m_presets, &PresetButton::removeRequested, this, &ControlPanel::presetRemoveRequested);
}

void ControlPanel::setSavedPresets(const std::vector<Preset> &presets)
{
    m_presets->setSaved(presets);
}

void ControlPanel::applyPreset(const Preset &preset)
{
    const QString changes = changesTo(preset.values);
    change(preset.values);
    Q_EMIT presetApplied(preset.name, changes);
}

QString ControlPanel::changesTo(const QMap<QString, QString> &values) const
{
    QStringList changes;
    for (auto value = values.begin(); value != values.end(); ++value) {
        const QString known = m_known.value(value.key(), value.value());
        if (known != value.value())
            changes << changeText({{},
                                   value.key().toStdString(),
                                   known.toStdString(),
                                   value.value().toStdString(),
                                   {}});
    }
    return changes.join(QLatin1String(", "));
}

void ControlPanel::apply(const live::Snapshot &snapshot)
{
    m_settings = snapshot.settings;
    m_controls->follow(snapshot.settings, snapshot.at);
    m_more->follow(snapshot.settings, snapshot.at);
    for (const auto &[key, setting] : snapshot.settings)
        if (m_controls->isSettled(text(key)) && m_more->isSettled(text(key)))
            m_known[text(key)] = text(setting.value);
    m_estimate->apply(snapshot);
    m_notices->setNotices(snapshot.notices);
}

void ControlPanel::edit(const QString &key, const QString &value, std::uint64_t gesture)
{
    if (m_known.contains(key))
        m_history.record({key, m_known.value(key), value}, gesture);
    say(key, value);
    showHistory();
}

void ControlPanel::change(const QMap<QString, QString> &values)
{
    std::vector<Edit> edits;
    for (auto value = values.begin(); value != values.end(); ++value)
        if (m_known.contains(value.key()))
            edits.push_back({value.key(), m_known.value(value.key()), value.value()});
    m_history.recordTogether(edits);
    for (auto value = values.begin(); value != values.end(); ++value)
        if (m_known.value(value.key()) != value.value())
            say(value.key(), value.value());
    showHistory();
}

void ControlPanel::undo()
{
    for (const Edit &edit : m_history.undo())
        say(edit.key, edit.oldValue);
    showHistory();
}

void ControlPanel::redo()
{
    for (const Edit &edit : m_history.redo())
        say(edit.key, edit.newValue);
    showHistory();
}

void ControlPanel::say(const QString &key, const QString &value)
{
    m_known[key] = value;
    Q_EMIT settingEdited(key, value);
}

void ControlPanel::showHistory()
{
    QStringList changes;
    for (const Edit &edit : m_history.nextUndo())
        changes << changeText({{},
                               edit.key.toStdString(),
                               edit.oldValue.toStdString(),
                               edit.newValue.toStdString(),
                               {}});
    m_undo->setEnabled(m_history.canUndo());
    m_redo->setEnabled(m_history.canRedo());
    m_undo->setToolTip(changes.isEmpty()
                           ? tr("Nothing was changed here yet")
                           : tr("Take back: %1 (Ctrl+Z)").arg(changes.join(QLatin1String(", "))));
    Q_EMIT historyChanged();
}

} // namespace headway::ui
