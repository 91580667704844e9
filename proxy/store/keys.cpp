// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/keys.h"

#include "proxy/store/privatefile.h"

#include <QFile>
#include <QFileInfo>
#include <QList>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <utility>

namespace headway::store {

namespace {

constexpr qsizetype shortestKey = 32;
constexpr qsizetype longestKey = 256;
constexpr qint64 largestFile = 4'096;
constexpr char accessName[] = "access_key=";
constexpr char controlName[] = "control_key=";

std::string freshKey()
{
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->generate(words.begin(), words.end()); // the kernel's, not seeded
    const QByteArray bytes(reinterpret_cast<const char *>(words.data()), qsizetype(sizeof words));
    return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
        .toStdString();
}

bool isKey(const QByteArray &text)
{
    constexpr auto isBase64Url = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '-' || c == '_';
    };
    return text.size() >= shortestKey && text.size() <= longestKey
        && std::all_of(text.begin(), text.end(), isBase64Url);
}

pacing::Notice notice(const char *kind, const QString &path, const QString &text)
{
    return {"keys." + std::string(kind) + ":" + path.toStdString(), text.arg(path).toStdString()};
}

} // namespace

InstallKeys makeKeys()
{
    return {freshKey(), freshKey()};
}

QByteArray serialized(const InstallKeys &keys)
{
    return accessName + QByteArray::fromStdString(keys.access) + '\n' + controlName
        + QByteArray::fromStdString(keys.control) + '\n';
}

std::optional<InstallKeys> parseKeys(const QByteArray &text)
{
    QByteArray access;
    QByteArray control;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray &line : lines) {
        const QByteArray entry = line.trimmed();
        if (entry.startsWith(accessName))
            access = entry.mid(qsizetype(sizeof accessName) - 1).trimmed();
        else if (entry.startsWith(controlName))
            control = entry.mid(qsizetype(sizeof controlName) - 1).trimmed();
    }
    // Equal keys would give every agent the control routes.
    if (!isKey(access) || !isKey(control) || access == control)
        return std::nullopt;
    return InstallKeys{access.toStdString(), control.toStdString()};
}

std::optional<InstallKeys> readKeysFile(const QString &path)
{
    if (!QFileInfo(path).isFile())
        return std::nullopt;
    makePrivate(path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return parseKeys(file.read(largestFile));
}

LoadedKeys loadOrMakeKeys(const QString &path)
{
    if (auto keys = readKeysFile(path))
        return {std::move(*keys), {}};
    InstallKeys fresh = makeKeys();
    if (makePrivateFolderOf(path) && createPrivateFile(path, serialized(fresh))) {
        return {
            std::move(fresh),
            {notice("in_file", path,
                    QStringLiteral("the access key and the control key are kept in %1, readable "
                                   "by you alone"))}};
    }
    // Another process may have made it this very moment.
    if (auto theirs = readKeysFile(path))
        return {std::move(*theirs), {}};
    return {std::move(fresh),
            {notice("unsaved", path,
                    QStringLiteral("%1 holds no keys and cannot be made; the access key and the "
                                   "control key hold for this run only"))}};
}

} // namespace headway::store
