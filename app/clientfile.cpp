// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientfile.h"

#include "proxy/store/privatefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>

#include <optional>
#include <utility>

namespace headway::app {

namespace {

constexpr qint64 largest = qint64{4} << 20;

// Nothing: it is there and cannot be read. One that is not there is empty.
std::optional<QByteArray> read(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return QByteArray();
    if (file.size() > largest || !QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return file.readAll();
}

QString folderOf(const char *variable, const QString &name)
{
    const QString own = qEnvironmentVariable(variable);
    return own.isEmpty() ? QDir::home().filePath(name) : own;
}

QString unreadable(const QString &path)
{
    return QObject::tr("%1 cannot be read, so nothing was changed. Look at its permissions, or "
                       "paste the lines by hand.")
        .arg(path);
}

QString unwritable(const QString &path)
{
    return QObject::tr("%1 cannot be written, so nothing was changed. Look at the permissions of "
                       "its folder and at the free space, or paste the lines by hand.")
        .arg(path);
}

// A link whose target is gone, or not to be seen: it is not ours to put a file in its place.
bool leadsNowhere(const QString &path)
{
    const QFileInfo info(path);
    return info.isSymLink() && info.canonicalFilePath().isEmpty();
}

// Beside the file, under a name that nothing has yet; what was kept once is never overwritten.
std::optional<QString> kept(const QString &name, const QByteArray &content)
{
    constexpr int most = 1'000;
    for (int number = 1; number <= most; ++number) {
        const QString path = number == 1 ? name : QStringLiteral("%1-%2").arg(name).arg(number);
        if (QFileInfo::exists(path) || QFileInfo(path).isSymLink())
            continue;
        return store::createPrivateFile(path, content) ? std::optional(path) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

ClientFile::ClientFile(QString path)
    : m_path(std::move(path))
{
}

QString ClientFile::target() const
{
    const QString real = QFileInfo(m_path).canonicalFilePath();
    return real.isEmpty() ? m_path : real;
}

QString ClientFile::backup() const
{
    return target() + QStringLiteral(".before-headway");
}

bool ClientFile::canRestore() const
{
    return QFileInfo(backup()).isFile();
}

tl::expected<QString, QString> ClientFile::write(const Change &change) const
{
    const auto before = read(target());
    if (!before || leadsNowhere(m_path))
        return tl::unexpected(unreadable(m_path));
    const auto after = change({before->constData(), static_cast<std::size_t>(before->size())});
    if (!after)
        return tl::unexpected(QObject::tr("%1 was left as it is: %2.").arg(m_path, after.error()));
    // What the first change found is what restore() gives back. A later one may find what a person
    // wrote since, which is kept too, under a name of its own.
    const QByteArray written = QByteArray::fromStdString(*after);
    const bool isFirst = !canRestore();
    if (!isFirst && written == *before)
        return QObject::tr("%1 held these lines already.").arg(m_path);
    const auto held = store::makePrivateFolderOf(target()) ? kept(backup(), *before) : std::nullopt;
    if (!held || !store::replacePrivateFile(target(), written)) {
        if (held)
            QFile::remove(*held);
        return tl::unexpected(unwritable(m_path));
    }
    return QObject::tr("%1 is written; what it held before is kept in %2.").arg(m_path, *held);
}

tl::expected<QString, QString> ClientFile::restore() const
{
    const auto before = read(backup());
    const auto now = read(target());
    if (!canRestore() || !before || !now)
        return tl::unexpected(unreadable(backup()));
    const auto held = kept(target() + QStringLiteral(".with-headway"), *now);
    const bool isBack = held
        && (before->isEmpty() ? !QFile::exists(target()) || QFile::remove(target())
                              : store::replacePrivateFile(target(), *before));
    if (!isBack)
        return tl::unexpected(unwritable(m_path));
    QFile::remove(backup());
    return QObject::tr("%1 is as it was; what it held until now is kept in %2.").arg(m_path, *held);
}

QString claudeConfigPath()
{
    return QDir(folderOf("CLAUDE_CONFIG_DIR", QStringLiteral(".claude")))
        .filePath(QStringLiteral("settings.json"));
}

QString codexConfigPath()
{
    return QDir(folderOf("CODEX_HOME", QStringLiteral(".codex")))
        .filePath(QStringLiteral("config.toml"));
}

} // namespace headway::app
