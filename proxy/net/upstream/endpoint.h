// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::net {

// Where turns go: a Responses endpoint. wss/https anywhere; ws/http only to loopback.
struct Endpoint
{
    QUrl url; // wss://host[:port]/path or ws://127.0.0.1…
    std::string name; // "openai", "simulated", the host otherwise
    std::string key; // credential of this endpoint only; empty: none is sent
};

// Checks and normalises (https → wss, http → ws); the message says what is wrong and what to write.
// Blanks around are dropped, an empty path becomes "/", the key is left empty. spec/cli.md, serve.
[[nodiscard]] tl::expected<Endpoint, QString> parseEndpoint(std::string_view url);

// localhost, *.localhost, 127/8, ::1, with or without brackets. By its text: nothing is resolved.
[[nodiscard]] bool isLoopbackHost(const QString &host);

} // namespace headway::net
