// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upgraderequest.h"

#include "proxy/net/upstream/headertext.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <array>

namespace headway::net {

namespace {

// RFC 9110 section 5.6.2.
bool isToken(std::string_view text)
{
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || marks.find(c) != std::string_view::npos;
    });
}

bool isFieldValue(std::string_view text)
{
    return std::none_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20U && c != '\t') || byte == 0x7fU;
    });
}

bool isOwnedByHandshake(std::string_view name)
{
    constexpr std::array owned{
        std::string_view("host"),
        std::string_view("upgrade"),
        std::string_view("connection"),
        std::string_view("content-length"),
        std::string_view("transfer-encoding"),
        std::string_view("sec-websocket-key"),
        std::string_view("sec-websocket-version"),
        std::string_view("sec-websocket-extensions"),
        std::string_view("sec-websocket-protocol"),
    };
    return std::find(owned.begin(), owned.end(), name) != owned.end();
}

std::string hostField(const QUrl &url)
{
    std::string host = url.host(QUrl::FullyEncoded).toStdString();
    if (host.find(':') != std::string::npos && host.front() != '[')
        host = '[' + host + ']';
    return url.port() < 0 ? host : host + ':' + std::to_string(url.port());
}

std::string requestTarget(const QUrl &url)
{
    std::string target = url.path(QUrl::FullyEncoded).toStdString();
    if (target.empty())
        target = "/";
    if (url.hasQuery())
        target += '?' + url.query(QUrl::FullyEncoded).toStdString();
    return target;
}

std::string acceptFor(const QByteArray &key)
{
    const QByteArray proof = key + QByteArrayLiteral("258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    return QCryptographicHash::hash(proof, QCryptographicHash::Sha1).toBase64().toStdString();
}

} // namespace

tl::expected<UpgradeRequest, QString>
UpgradeRequest::build(const Endpoint &endpoint,
                      const std::vector<std::pair<std::string, std::string>> &headers,
                      std::string_view nonce)
{
    const QByteArray key
        = QByteArray(nonce.data(), static_cast<qsizetype>(nonce.size())).toBase64();
    UpgradeRequest request;
    request.expectedAccept = acceptFor(key);
    request.bytes = "GET " + requestTarget(endpoint.url) + " HTTP/1.1\r\nHost: "
        + hostField(endpoint.url) + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: " + key.toStdString() + "\r\nSec-WebSocket-Version: 13\r\n";
    bool hasAuthorization = false;
    bool hasUserAgent = false;
    for (const auto &[name, value] : headers) {
        const std::string lower = lowered(name);
        // The value may be a credential: only the name is told.
        if (!isToken(name) || !isFieldValue(value) || isOwnedByHandshake(lower))
            return tl::unexpected<QString>(
                QStringLiteral("header \"%1\" cannot be sent with a WebSocket upgrade")
                    .arg(QString::fromStdString(name)));
        hasAuthorization = hasAuthorization || lower == "authorization";
        hasUserAgent = hasUserAgent || lower == "user-agent";
        request.bytes += name + ": " + value + "\r\n";
    }
    if (!hasAuthorization && !endpoint.key.empty()) {
        if (!isFieldValue(endpoint.key))
            return tl::unexpected<QString>(QStringLiteral("the key of %1 holds a control character")
                                               .arg(QString::fromStdString(endpoint.name)));
        request.bytes += "Authorization: Bearer " + endpoint.key + "\r\n";
    }
    if (!hasUserAgent)
        request.bytes += "User-Agent: headway/" HEADWAY_VERSION "\r\n";
    request.bytes += "\r\n";
    return request;
}

} // namespace headway::net
