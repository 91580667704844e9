// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/windowstate.h"

#include <QSettings>
#include <QUrl>
#include <QVariant>

namespace headway::ui {

namespace {

QString presetGroup()
{
    return QStringLiteral("presets");
}

// A name may contain what a path may not.
QString presetKey(const QString &name)
{
    return presetGroup() + u'/' + QString::fromLatin1(QUrl::toPercentEncoding(name));
}

} // namespace

WindowState::WindowState() = default;

WindowState::WindowState(const QString &path)
    : m_file(std::make_unique<QSettings>(path, QSettings::IniFormat))
{
}

WindowState::~WindowState() = default;

QVariant WindowState::value(const QString &key) const
{
    if (m_file)
        return m_file->value(key);
    const auto found = m_values.find(key);
    return found == m_values.end() ? QVariant() : found->second;
}

void WindowState::setValue(const QString &key, const QVariant &value)
{
    if (m_file)
        m_file->setValue(key, value);
    else
        m_values[key] = value;
}

void WindowState::remove(const QString &key)
{
    if (m_file)
        m_file->remove(key);
    else
        m_values.erase(key);
}

QStringList WindowState::keysBelow(const QString &group) const
{
    QStringList keys;
    if (m_file) {
        for (const QString &key : m_file->allKeys())
            if (key.startsWith(group + u'/'))
                keys << key;
    } else {
        for (const auto &[key, value] : m_values)
            if (key.startsWith(group + u'/'))
                keys << key;
    }
    keys.sort();
    return keys;
}

std::vector<Preset> WindowState::presets() const
{
    std::vector<Preset> presets;
    for (const QString &key : keysBelow(presetGroup())) {
        const QString name
            = QUrl::fromPercentEncoding(key.mid(presetGroup().size() + 1).toLatin1());
        Preset preset = presetFrom(name, value(key).toString());
        if (!name.isEmpty() && !preset.values.isEmpty())
            presets.push_back(std::move(preset));
    }
    return presets;
}

void WindowState::savePreset(const Preset &preset)
{
    setValue(presetKey(preset.name), storedPreset(preset));
}

void WindowState::removePreset(const QString &name)
{
    remove(presetKey(name));
}

QByteArray WindowState::bytes(const QString &key) const
{
    return value(key).toByteArray();
}

void WindowState::setBytes(const QString &key, const QByteArray &bytes)
{
    setValue(key, bytes);
}

bool WindowState::flag(const QString &key, bool otherwise) const
{
    const QVariant stored = value(key);
    return stored.isValid() ? stored.toBool() : otherwise;
}

void WindowState::setFlag(const QString &key, bool value)
{
    setValue(key, value);
}

} // namespace headway::ui
