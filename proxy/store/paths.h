// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headway::store {

// Where an installation keeps its files: the XDG base directories, or one given folder (demo and
// screenshots use a temporary one). Makes nothing; whoever writes a file makes its folder.
class Paths final
{
public:
    // $XDG_CONFIG_HOME and $XDG_STATE_HOME, else ~/.config and ~/.local/state; a relative value of
    // a variable is ignored, as the XDG specification demands.
    [[nodiscard]] static Paths ofUser();
    // Everything below `root`.
    [[nodiscard]] static Paths below(const QString &root);

    [[nodiscard]] const QString &configFolder() const { return m_config; }
    [[nodiscard]] const QString &stateFolder() const { return m_state; }
    [[nodiscard]] QString settingsFile() const; // headway.ini
    [[nodiscard]] QString keysFile() const; // access and control key, where there is no keychain
    [[nodiscard]] QString ledgerFile() const; // ledger.sqlite
    [[nodiscard]] QString installKeyFile() const;
    [[nodiscard]] QString planSignInFile() const; // of the ChatGPT plan, where there is no keychain
    [[nodiscard]] QString ceilingFile() const; // what policy auto has learned

    // Where `codex login` keeps its sign-in: auth.json below $CODEX_HOME, else ~/.codex. Not ours:
    // only ever read.
    [[nodiscard]] static QString codexSignInFile();

private:
    Paths(QString config, QString state);

    QString m_config;
    QString m_state;
};

} // namespace headway::store
