// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/privatefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>

#include <cstdio>
#include <unistd.h>

namespace headway::store {

namespace {

constexpr QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

} // namespace

bool makePrivateFolderOf(const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (QFileInfo(folder).isDir())
        return true;
    return makePrivateFolderOf(folder) && QDir().mkdir(folder, ownerOnly | QFileDevice::ExeOwner);
}

bool makePrivate(const QString &path)
{
    return QFile::setPermissions(path, ownerOnly);
}

bool createPrivateFile(const QString &path, const QByteArray &content)
{
    // QTemporaryFile makes 0600. link() is the one call that gives a name only if it is free.
    QTemporaryFile beside(path + QLatin1String(".new-XXXXXX"));
    if (!beside.open() || beside.write(content) != content.size() || !beside.flush())
        return false;
    return ::link(QFile::encodeName(beside.fileName()).constData(),
                  QFile::encodeName(path).constData())
        == 0;
}

bool replacePrivateFile(const QString &path, const QByteArray &content)
{
    QTemporaryFile beside(path + QLatin1String(".new-XXXXXX"));
    if (!beside.open() || beside.write(content) != content.size() || !beside.flush()
        || ::fsync(beside.handle()) != 0)
        return false;
    // Not QFile::rename(), which refuses an existing target.
    if (std::rename(QFile::encodeName(beside.fileName()).constData(),
                    QFile::encodeName(path).constData())
        != 0)
        return false;
    beside.setAutoRemove(false); // the name it knows is gone
    return true;
}

std::optional<QByteArray> readPrivateFile(const QString &path, qint64 largest)
{
    const QFileInfo info(path); // a pipe would hang, and a folder is no file
    if (!info.isFile() || info.size() > largest)
        return std::nullopt;
    makePrivate(path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray content = file.read(largest + 1);
    return content.size() > largest ? std::nullopt : std::optional<QByteArray>(content);
}

} // namespace headway::store
