// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/outboundproxy.h"

#include <QSslConfiguration>

namespace headway::net {

// TLS towards a provider: peer verified, TLS 1.2 or newer, ALPN http/1.1. Trusted are the system's
// authorities, or exactly those of the PEM file that SSL_CERT_FILE names when it is set (as OpenSSL
// does). A file without a certificate is an error with a sentence. Any thread.
[[nodiscard]] tl::expected<QSslConfiguration, QString>
tlsTowardsProvider(const Environment &environment);

} // namespace headway::net
