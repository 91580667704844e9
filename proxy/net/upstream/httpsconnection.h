// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTcpSocket>

#include <cstdint>
#include <memory>

namespace headway::net {

// An open HTTP/1.1 connection to a provider and what it has carried. Whoever holds it owns it.
struct HttpsConnection
{
    std::unique_ptr<QTcpSocket> socket; // plain ones unbuffered (connector.h)
    std::uint64_t id = 0; // the caller's
    std::uint64_t bytesUp = 0;
    std::uint64_t bytesDown = 0;
};

} // namespace headway::net
