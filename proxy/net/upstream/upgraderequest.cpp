// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upgraderequest.h"

#include <QByteArray>
#include <QCryptographicHash>

namespace headway::net {

namespace {

std::string acceptFor(const QByteArray &key)
{
    const QByteArray proof = key + QByteArrayLiteral("258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    return QCryptographicHash::hash(proof, QCryptographicHash::Sha1).toBase64().toStdString();
}

} // namespace

tl::expected<UpgradeRequest, QString> UpgradeRequest::build(const Endpoint &endpoint,
                                                            const RequestHeaders &headers,
                                                            std::string_view nonce)
{
    const QByteArray key
        = QByteArray(nonce.data(), static_cast<qsizetype>(nonce.size())).toBase64();
    const auto fields = requestFields(endpoint, headers, QStringLiteral("a WebSocket upgrade"));
    if (!fields)
        return tl::unexpected<QString>(fields.error());
    UpgradeRequest request;
    request.expectedAccept = acceptFor(key);
    request.bytes = requestStart("GET", requestTarget(endpoint.url), endpoint.url)
        + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key.toStdString()
        + "\r\nSec-WebSocket-Version: 13\r\n" + *fields + "\r\n";
    return request;
}

} // namespace headway::net
