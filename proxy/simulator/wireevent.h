// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>

#include <cstdint>

namespace headway::simulator {

// What one connection saw, as it went over the wire: the oracle of tests about frames.
struct WireEvent
{
    enum class Kind : std::uint8_t {
        Opened, // 101; `text` is the head of the upgrade, "name: value" lines
        Rejected, // an upgrade answered with `code`; `text` as for Opened
        Post, // a POST; `text` is its body
        Create, // a text frame of the peer, whole
        Reply, // an event to the peer, in a frame or as server-sent
        Ping, // of the peer
        Close, // a close frame of the peer with `code`, 1005: without one
        Gone, // the connection is over
    };

    std::uint64_t connection = 0; // TCP connections in the order they came, from 1
    Kind kind = Kind::Opened;
    QByteArray text;
    int code = 0;
};

} // namespace headway::simulator

Q_DECLARE_METATYPE(headway::simulator::WireEvent)
