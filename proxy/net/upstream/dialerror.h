// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/outboundproxy.h"

#include <QAbstractSocket>
#include <QList>
#include <QSslError>

namespace headway::net {

// What is known when a connection could not be made.
struct DialFailure
{
    QAbstractSocket::SocketError error = QAbstractSocket::UnknownSocketError;
    QString errorText; // Qt's
    QString host;
    quint16 port = 0;
    OutboundProxy proxy;
    QList<QSslError> tlsErrors;
    bool securing = false; // TCP stood already
};

// One sentence that says what failed and where, for a person; no secret in it. Thread-safe.
[[nodiscard]] QString sentence(const DialFailure &failure);

} // namespace headway::net
