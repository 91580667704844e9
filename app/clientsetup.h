// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

namespace headway::app {

// What a client has to be told to talk to a proxy.
struct ClientSetupFacts
{
    QString baseUrl; // http://127.0.0.1:17421
    QString accessKey; // empty: none is asked
    bool passThrough = false; // claude-* models go to Anthropic with the client's own login
    bool sockets = true; // client_sockets: WebSockets are taken from clients
    QStringList models; // of the upstream; empty: not known
};

// Where a client on this machine reaches what listens there: a wildcard address is none to call.
[[nodiscard]] QString clientUrl(const ListenAddress &where);

// The environment of Claude Code, name and value.
[[nodiscard]] QList<QPair<QString, QString>> claudeVariables(const ClientSetupFacts &facts);
// The table of Codex' provider "headway", without anything before it.
[[nodiscard]] QString codexProvider(const ClientSetupFacts &facts);
[[nodiscard]] QString codexModel(const ClientSetupFacts &facts);

[[nodiscard]] QString claudeSetup(const ClientSetupFacts &facts);
[[nodiscard]] QString codexSetup(const ClientSetupFacts &facts);
[[nodiscard]] QString curlSetup(const ClientSetupFacts &facts);

} // namespace headway::app
