// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/proxycommands.h"

#include <QObject>

namespace headway::app {

// What a person asks of the proxy goes to a ProxyThread or a RemoteProxy.
template <typename Proxy>
void connectCommands(const ui::ProxyCommands *commands, const Proxy *proxy)
{
    using ui::ProxyCommands;
    QObject::connect(commands, &ProxyCommands::settingEdited, proxy, &Proxy::changeSetting);
    QObject::connect(commands, &ProxyCommands::pauseRequested, proxy, &Proxy::setPaused);
    QObject::connect(commands, &ProxyCommands::passThroughRequested, proxy, &Proxy::setPassThrough);
    QObject::connect(commands, &ProxyCommands::holdRequested, proxy, &Proxy::holdSession);
    QObject::connect(commands, &ProxyCommands::moveToFrontRequested, proxy, &Proxy::moveToFront);
    QObject::connect(commands, &ProxyCommands::cancelRequested, proxy, &Proxy::cancelTurn);
    QObject::connect(commands, &ProxyCommands::evictRequested, proxy, &Proxy::evictHead);
    QObject::connect(commands, &ProxyCommands::pinRequested, proxy, &Proxy::pinConnection);
}

} // namespace headway::app
