// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/paths.h"

#include <QDir>

#include <utility>

namespace headway::store {

namespace {

QString baseFolder(const char *variable, QLatin1String belowHome)
{
    const QString set = qEnvironmentVariable(variable);
    return QDir::isAbsolutePath(set) ? QDir::cleanPath(set) : QDir::home().filePath(belowHome);
}

} // namespace

Paths::Paths(QString config, QString state)
    : m_config(std::move(config))
    , m_state(std::move(state))
{
}

Paths Paths::ofUser()
{
    const QLatin1String own("/headway");
    return {baseFolder("XDG_CONFIG_HOME", QLatin1String(".config")) + own,
            baseFolder("XDG_STATE_HOME", QLatin1String(".local/state")) + own};
}

Paths Paths::below(const QString &root)
{
    const QDir folder(root);
    return {folder.absoluteFilePath(QStringLiteral("config")),
            folder.absoluteFilePath(QStringLiteral("state"))};
}

QString Paths::settingsFile() const
{
    return m_config + QLatin1String("/headway.ini");
}

QString Paths::keysFile() const
{
    return m_config + QLatin1String("/keys.ini");
}

QString Paths::ledgerFile() const
{
    return m_state + QLatin1String("/ledger.sqlite");
}

QString Paths::installKeyFile() const
{
    return m_state + QLatin1String("/install.key");
}

QString Paths::planSignInFile() const
{
    return m_config + QLatin1String("/chatgpt.json");
}

QString Paths::codexSignInFile()
{
    const QString set = qEnvironmentVariable("CODEX_HOME");
    const QString folder = set.isEmpty() ? QDir::home().filePath(QStringLiteral(".codex")) : set;
    return QDir(folder).absoluteFilePath(QStringLiteral("auth.json"));
}

QString Paths::ceilingFile() const
{
    return m_state + QLatin1String("/ceilings.json");
}

} // namespace headway::store
