// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace headway::store {

// Makes the folder of a file and those above it, 0700 where they are new. False: it is not there
// and cannot be made.
bool makePrivateFolderOf(const QString &path);

// 0600, whatever it was. Works by name: opens nothing.
bool makePrivate(const QString &path);

// Makes the file 0600 with this content, whole or not at all, and only if there is none of that
// name yet. False: there is one, or it cannot be made.
bool createPrivateFile(const QString &path, const QByteArray &content);

// Puts the content in place of what is there, 0600, whole or not at all, and on disk before the old
// one is gone. False: nothing has changed.
bool replacePrivateFile(const QString &path, const QByteArray &content);

// What a small file holds, its mode made 0600 first; nothing when it is none, cannot be read or
// holds more than `largest` bytes.
[[nodiscard]] std::optional<QByteArray> readPrivateFile(const QString &path, qint64 largest);

} // namespace headway::store
