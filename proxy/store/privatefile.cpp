// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/privatefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>

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

} // namespace headway::store
