// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace headway::store {

// Makes the folder of a file and those above it, 0700 where they are new. False: it is not there
// and cannot be made.
bool makePrivateFolderOf(const QString &path);

// 0600, whatever it was. Works by name: opens nothing.
bool makePrivate(const QString &path);

// Makes the file 0600 with this content, whole or not at all, and only if there is none of that
// name yet. False: there is one, or it cannot be made.
bool createPrivateFile(const QString &path, const QByteArray &content);

} // namespace headway::store
