// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/presetbutton.h"

#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headway::ui {

namespace {

QString menuText(const QString &name)
{
    return QString(name).replace(u'&', QLatin1String("&&"));
}

bool isBuiltIn(const QString &name)
{
    const std::vector<Preset> builtIn = builtInPresets();
    return std::any_of(builtIn.begin(), builtIn.end(),
                       [&](const Preset &preset) { return preset.name == name; });
}

} // namespace

PresetButton::PresetButton(QWidget *parent)
    : QPushButton(tr("Presets"), parent)
    , m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("presets"));
    setAccessibleName(tr("Presets"));
    setToolTip(tr("Several settings at once; one Undo takes them back"));
    m_menu->setObjectName(QStringLiteral("preset_menu"));
    m_menu->setToolTipsVisible(true);
    setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &PresetButton::fill);
    fill();
}

void PresetButton::setSaved(const std::vector<Preset> &presets)
{
    m_saved = presets; // the menu is filled when it opens
}

void PresetButton::setDescriber(std::function<QString(const QMap<QString, QString> &)> describe)
{
    m_describe = std::move(describe);
}

void PresetButton::add(const Preset &preset)
{
    QAction *action = m_menu->addAction(menuText(preset.name));
    QStringList tip;
    if (!preset.words.isEmpty())
        tip << preset.words;
    if (m_describe)
        tip << m_describe(preset.values);
    action->setToolTip(tip.join(u'\n'));
    connect(action, &QAction::triggered, this, [this, preset] { Q_EMIT chosen(preset); });
}

void PresetButton::fill()
{
    m_menu->clear();
    if (m_removal != nullptr)
        m_removal->deleteLater();
    m_removal = nullptr;
    for (const Preset &preset : builtInPresets())
        add(preset);
    m_menu->addSeparator();
    for (const Preset &preset : m_saved)
        add(preset);
    QAction *save = m_menu->addAction(tr("Save these settings…"));
    save->setObjectName(QStringLiteral("preset_save"));
    connect(save, &QAction::triggered, this, &PresetButton::askForName);
    if (!m_saved.empty())
        addRemoval();
}

void PresetButton::addRemoval()
{
    m_removal = new QMenu(tr("Remove"), this);
    m_menu->addMenu(m_removal);
    for (const Preset &preset : m_saved)
        connect(m_removal->addAction(menuText(preset.name)), &QAction::triggered, this,
                [this, name = preset.name] { Q_EMIT removeRequested(name); });
}

void PresetButton::askForName()
{
    auto *dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("preset_name"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save these settings"));
    const QString ask = tr("Name of the preset; one of that name is replaced:");
    dialog->setLabelText(ask);
    connect(dialog, &QInputDialog::textValueChanged, dialog, [dialog, ask](const QString &typed) {
        dialog->setLabelText(isBuiltIn(typed.trimmed())
                                 ? tr("This name belongs to a preset that comes with Headway; "
                                      "choose another one:")
                                 : ask);
    });
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &typed) {
        const QString name = typed.trimmed();
        if (!name.isEmpty() && !isBuiltIn(name))
            Q_EMIT saveRequested(name);
    });
    dialog->open(); // not exec(): no second event loop under the proxy
}

} // namespace headway::ui
