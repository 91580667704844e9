// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/settingsfile.h"

#include "proxy/store/privatefile.h"

#include <QFileInfo>
#include <QProcessEnvironment>
#include <QSettings>

#include <algorithm>
#include <optional>
#include <utility>

namespace headway::store {

namespace {

using pacing::Notice;
using settings::Key;
using settings::Settings;
using settings::Source;

// Far more than every key with a long value needs.
constexpr qint64 largestFile = 1 << 20;
// A file full of something else must not flood the window.
constexpr int mostUnknownKeys = 20;
constexpr QLatin1String environmentPrefix("HEADWAY_");
constexpr QFileDevice::Permissions othersMay = QFileDevice::ReadGroup | QFileDevice::WriteGroup
    | QFileDevice::ExeGroup | QFileDevice::ReadOther | QFileDevice::WriteOther
    | QFileDevice::ExeOther;

QString nameOf(Key key)
{
    const std::string_view name = settings::row(key).name;
    return QString::fromLatin1(name.data(), qsizetype(name.size()));
}

Notice fileNotice(const char *kind, const QString &path, const QString &text)
{
    return {"settings.file." + std::string(kind) + ":" + path.toStdString(), text.toStdString()};
}

// A key as it may be shown: short, without control characters.
QString shown(const QString &key)
{
    QString out = key.left(60);
    for (QChar &c : out) {
        if (!c.isPrint())
            c = QLatin1Char('?');
    }
    return out;
}

// `meant` is empty where no name is near.
std::string unknownText(const QString &what, const QString &meant)
{
    std::string text = what.toStdString() + ": there is no such setting; ignored";
    if (!meant.isEmpty())
        text += ". Did you mean " + meant.toStdString() + "?";
    return text;
}

QString nearestTo(const QString &name)
{
    const std::string_view nearest = settings::nearest(name.toStdString());
    return QString::fromLatin1(nearest.data(), qsizetype(nearest.size()));
}

Notice unknownKey(const QString &key)
{
    const QString name = shown(key);
    return {"settings.unknown:file:" + name.toStdString(),
            unknownText(name % QLatin1String(" (file)"), nearestTo(key))};
}

// The value may be a secret under a mistyped name: it is not shown.
Notice unknownVariable(const QString &variable)
{
    const QString name = shown(variable);
    const QString meant = nearestTo(variable.mid(environmentPrefix.size()).toLower());
    return {"settings.unknown:environment:" + name.toStdString(),
            unknownText(name % QLatin1String(" (environment)"),
                        meant.isEmpty() ? meant : environmentPrefix % meant.toUpper())};
}

// The text of one entry. An unquoted value with commas arrives as a list, and "@Variant(…)" and
// its like as something that is no setting at all.
std::optional<QString> textOf(const QVariant &value)
{
    if (value.typeId() == QMetaType::QStringList)
        return value.toStringList().join(QLatin1Char(','));
    if (value.typeId() == QMetaType::QString)
        return value.toString();
    return std::nullopt;
}

void readEntry(const QString &name, const QVariant &value, Key key, Settings &settings,
               std::vector<Notice> &notices)
{
    const std::optional<QString> text = textOf(value);
    if (!text) {
        notices.push_back({"settings.malformed:file:" + name.toStdString(),
                           name.toStdString() + " (file): the value is no text; ignored"});
        return;
    }
    if (auto outcome = settings.set(Source::File, key, text->toStdString()); outcome.notice)
        notices.push_back(std::move(*outcome.notice));
}

void readEntries(const QSettings &file, Settings &settings, std::vector<Notice> &notices)
{
    int unknown = 0;
    const QStringList names = file.allKeys();
    for (const QString &name : names) {
        if (const auto key = settings::find(name.toStdString()))
            readEntry(name, file.value(name), *key, settings, notices);
        else if (++unknown <= mostUnknownKeys)
            notices.push_back(unknownKey(name));
    }
    if (unknown > mostUnknownKeys) {
        const std::string more = std::to_string(unknown - mostUnknownKeys);
        notices.push_back(
            {"settings.unknown:file.more:" + more,
             "the settings file holds " + more + " more keys that are no settings; ignored"});
    }
}

bool isSetting(const QString &variable)
{
    const auto table = settings::table();
    return std::any_of(table.begin(), table.end(), [&](const settings::Row &row) {
        return environmentName(row.key) == variable;
    });
}

void addUnknownVariables(const QProcessEnvironment &environment, std::vector<Notice> &notices)
{
    int unknown = 0;
    const QStringList variables = environment.keys();
    for (const QString &variable : variables) {
        if (!variable.startsWith(environmentPrefix) || isSetting(variable))
            continue;
        if (++unknown <= mostUnknownKeys)
            notices.push_back(unknownVariable(variable));
    }
    if (unknown > mostUnknownKeys) {
        const std::string more = std::to_string(unknown - mostUnknownKeys);
        notices.push_back(
            {"settings.unknown:environment.more:" + more,
             "there are " + more + " more HEADWAY_ variables that are no settings; ignored"});
    }
}

// Why the file must not even be opened: a pipe would hang, a huge one would be swallowed whole.
std::optional<Notice> unreadable(const QFileInfo &file)
{
    const QString path = file.filePath();
    if (!file.isFile() || file.size() > largestFile)
        return fileNotice("unreadable", path,
                          QStringLiteral("%1 is not a settings file; ignored").arg(path));
    if (!file.isReadable())
        return fileNotice("unreadable", path,
                          QStringLiteral("%1 cannot be read; ignored").arg(path));
    return std::nullopt;
}

std::optional<Notice> tightened(const QFileInfo &file)
{
    if (!(file.permissions() & othersMay))
        return std::nullopt;
    const QString path = file.filePath();
    if (makePrivate(path))
        return fileNotice(
            "mode", path,
            QStringLiteral("%1 was open to other users; its mode is now 0600").arg(path));
    return fileNotice(
        "mode", path,
        QStringLiteral("%1 is open to other users and its mode cannot be changed").arg(path));
}

tl::expected<void, StoreError> failure(StoreError::Code code, const QString &text)
{
    return tl::unexpected(StoreError{code, text});
}

// One change of the file. QSettings reads what is there, merges, and replaces it by a rename.
template <typename Change>
tl::expected<void, StoreError> edited(const QString &path, const Change &change)
{
    const QFileInfo existing(path);
    if (existing.exists()) {
        if (unreadable(existing))
            return failure(StoreError::Code::Invalid,
                           QStringLiteral("%1 is not a settings file").arg(path));
        makePrivate(path);
    } else if (!makePrivateFolderOf(path) || !createPrivateFile(path, {})) {
        return failure(StoreError::Code::CannotOpen, QStringLiteral("%1 cannot be made").arg(path));
    }
    QSettings file(path, QSettings::IniFormat);
    // Lines are parsed, and found wanting, only when they are asked for.
    static_cast<void>(file.allKeys());
    if (file.status() == QSettings::FormatError)
        return failure(StoreError::Code::Damaged,
                       QStringLiteral("%1 holds lines that are no settings").arg(path));
    change(file);
    file.sync();
    // The replacement takes over the mode; this holds even where it could not.
    if (file.status() != QSettings::NoError || !makePrivate(path))
        return failure(StoreError::Code::ReadOnly,
                       QStringLiteral("%1 cannot be written").arg(path));
    return {};
}

} // namespace

SettingsFile::SettingsFile(QString path)
    : m_path(std::move(path))
{
}

std::vector<Notice> SettingsFile::readInto(Settings &settings) const
{
    for (const settings::Row &row : settings::table())
        settings.unset(Source::File, row.key);
    std::vector<Notice> notices;
    const QFileInfo info(m_path);
    if (!info.exists())
        return notices;
    if (auto notice = unreadable(info))
        return {std::move(*notice)};
    if (auto notice = tightened(info))
        notices.push_back(std::move(*notice));
    QSettings file(m_path, QSettings::IniFormat);
    readEntries(file, settings, notices);
    // Lines are parsed, and found wanting, only when they are asked for.
    if (file.status() != QSettings::NoError)
        notices.push_back(fileNotice(
            "format", m_path,
            QStringLiteral("%1 holds lines that are no settings; they are ignored").arg(m_path)));
    return notices;
}

tl::expected<void, StoreError> SettingsFile::write(Key key, std::string_view text) const
{
    const QString value = QString::fromUtf8(text.data(), qsizetype(text.size()));
    return edited(m_path, [&](QSettings &file) { file.setValue(nameOf(key), value); });
}

tl::expected<void, StoreError> SettingsFile::remove(Key key) const
{
    return edited(m_path, [&](QSettings &file) { file.remove(nameOf(key)); });
}

QString environmentName(Key key)
{
    return environmentPrefix + nameOf(key).toUpper();
}

std::vector<Notice> readEnvironment(const QProcessEnvironment &environment, Settings &settings)
{
    std::vector<Notice> notices;
    for (const settings::Row &row : settings::table()) {
        const QString name = environmentName(row.key);
        if (!environment.contains(name))
            continue;
        const std::string text = environment.value(name).toStdString();
        if (auto outcome = settings.set(Source::Environment, row.key, text); outcome.notice)
            notices.push_back(std::move(*outcome.notice));
    }
    addUnknownVariables(environment, notices);
    return notices;
}

} // namespace headway::store
