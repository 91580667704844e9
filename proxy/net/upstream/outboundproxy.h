// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>

#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace headway::net {

// How connections leave this machine.
struct OutboundProxy
{
    enum class Kind : std::uint8_t { Direct, HttpConnect, Socks5 };

    Kind kind = Kind::Direct;
    QString host;
    quint16 port = 0;
    QString user;
    QString password;
    QString variable; // the environment variable it came from, for messages

    friend bool operator==(const OutboundProxy &, const OutboundProxy &) = default;
};

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const char *name)>;

[[nodiscard]] Environment processEnvironment();

// The proxy for `url` (ws or wss). A variable that is malformed or names a kind of proxy that is
// not supported (https://, socks4://) is an error with a sentence, never a direct connection
// (spec/cli.md, last paragraph; cases B93, B95).
//
// * wss: the first one set of HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy; blank counts as
// unset.
//   http://[user:password@]host[:port] (CONNECT, port 80) or socks5://, socks5h:// (port 1080;
//   names are resolved by the proxy). Without a scheme: http.
// * ws: always direct. It is for loopback only, where the simulator must work whatever is set.
// * NO_PROXY, then no_proxy: entries apart by comma or blank. "*": everything. "x": x and its
//   sub-domains. ".x" and "*.x": sub-domains of x only. An address or address/bits: that address or
//   net, for endpoints written as an address. Each may end in ":port", then only for that port.
[[nodiscard]] tl::expected<OutboundProxy, QString> outboundProxy(const QUrl &url,
                                                                 const Environment &environment);

// The rule of NO_PROXY alone.
[[nodiscard]] bool isExempt(const QString &list, const QString &host, int port);

} // namespace headway::net
