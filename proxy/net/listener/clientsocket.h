// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"

#include <QByteArray>
#include <QObject>

#include <cstdint>
#include <string>

namespace headway::net {

// A client's WebSocket, upgraded on the listener's port. Pings are answered, fragments put
// together, and messages over 64 MiB, invalid UTF-8 and binary messages end it (1009, 1007, 1003).
// The server deletes it at the end of the event-loop turn after clientGone() or cut(). All calls on
// the server's thread.
class ClientSocket : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual const RequestHead &head() const = 0;
    virtual void send(std::string_view text) = 0; // one text message
    virtual void close(std::uint16_t code, std::string_view reason)
        = 0; // reason: at most 123 bytes
    virtual void cut() = 0; // TCP reset once what was sent is out; clientGone() does not follow
    [[nodiscard]] virtual std::size_t buffered() const = 0; // bytes not yet taken by the kernel
    [[nodiscard]] virtual bool isOpen() const = 0; // false once it is closing or gone

Q_SIGNALS:
    // One text message, with at least 64 spare bytes of capacity behind it.
    void received(const std::string &text);
    // Over in whatever way, a closing handshake after close() included; at most once. That a client
    // drops TCP without one is usual (Codex) and no error.
    void clientGone();
    void drained(); // as Exchange::drained()
};

} // namespace headway::net
