// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/presets.h"

#include "proxy/core/settings/settings.h"

#include <QCoreApplication>

#include <array>

namespace headway::ui {

namespace {

using settings::Key;

struct Presets
{
    Q_DECLARE_TR_FUNCTIONS(Presets)
};

constexpr std::array keys{Key::Policy,         Key::RatePerMin,
                          Key::RatePinned,     Key::Burst,
                          Key::SpacingFloorMs, Key::IdleMs,
                          Key::TotalMs,        Key::Retries,
                          Key::TokenFloor,     Key::MaxWaitInteractiveMs,
                          Key::MaxWaitBatchMs, Key::Lanes,
                          Key::Spares};

QString textOf(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

Preset standard()
{
    Preset preset{Presets::tr("Default"), Presets::tr("Every setting as it comes."), {}, true};
    for (const Key key : keys)
        preset.values[textOf(settings::row(key).name)] = textOf(settings::row(key).fallback);
    return preset;
}

Preset changed(const QString &name, const QString &words,
               std::initializer_list<std::pair<Key, const char *>> values)
{
    Preset preset = standard();
    preset.name = name;
    preset.words = words;
    for (const auto &[key, value] : values)
        preset.values[textOf(settings::row(key).name)] = QString::fromLatin1(value);
    return preset;
}

bool isTaken(Key key, const QString &value)
{
    settings::Settings probe;
    return probe.set(settings::Source::Window, key, value.toStdString()).accepted;
}

} // namespace

std::vector<Preset> builtInPresets()
{
    return {changed(Presets::tr("Gentle"),
                    Presets::tr("Few openings, small bursts: for an account that was rejected."),
                    {{Key::Policy, "bucket"},
                     {Key::RatePerMin, "20"},
                     {Key::RatePinned, "true"},
                     {Key::Burst, "3"}}),
            standard(),
            changed(Presets::tr("Fast"),
                    Presets::tr("Large bursts, connections opened ahead: for an account that "
                                "bears them."),
                    {{Key::Policy, "bucket"},
                     {Key::RatePerMin, "240"},
                     {Key::Burst, "40"},
                     {Key::Spares, "4"}})};
}

QStringList presetKeys()
{
    QStringList names;
    for (const Key key : keys)
        names << textOf(settings::row(key).name);
    return names;
}

Preset presetOf(const QString &name, const std::map<std::string, live::SettingValue> &settings)
{
    Preset preset{name, {}, {}, false};
    for (const QString &key : presetKeys()) {
        const auto value = settings.find(key.toStdString());
        if (value != settings.end())
            preset.values[key] = textOf(value->second.value);
    }
    return preset;
}

QString storedPreset(const Preset &preset)
{
    QStringList parts;
    for (auto value = preset.values.begin(); value != preset.values.end(); ++value)
        parts << value.key() + u'=' + value.value();
    return parts.join(u';');
}

Preset presetFrom(const QString &name, const QString &stored)
{
    Preset preset{name, {}, {}, false};
    for (const QString &part : stored.split(u';', Qt::SkipEmptyParts)) {
        const QString key = part.section(u'=', 0, 0);
        const QString value = part.section(u'=', 1);
        const auto found = settings::find(key.toStdString());
        if (found && presetKeys().contains(key) && isTaken(*found, value))
            preset.values[key] = value;
    }
    return preset;
}

} // namespace headway::ui
