// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"

#include <QByteArray>
#include <QObject>

#include <cstdint>
#include <string>

namespace headway::net {

// A client's WebSocket, upgraded on the listener's port.
class ClientSocket : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual const RequestHead &head() const = 0;
    virtual void send(std::string_view text) = 0; // one text message
    virtual void close(std::uint16_t code, std::string_view reason) = 0;
    virtual void cut() = 0; // TCP reset
    [[nodiscard]] virtual std::size_t buffered() const = 0;
    [[nodiscard]] virtual bool isOpen() const = 0;

Q_SIGNALS:
    void received(const std::string &text); // one text message
    void clientGone();
    void drained();
};

} // namespace headway::net
