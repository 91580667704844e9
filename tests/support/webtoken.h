// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <string>

namespace headway::tests {

// A JSON web token with these claims, as RFC 7519 puts it together; the signature is made up.
inline std::string webToken(const QJsonObject &claims,
                            const QByteArray &signature = QByteArrayLiteral("c2lnbmF0dXJl"))
{
    const auto part = [](const QByteArray &bytes) {
        return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    };
    const QByteArray token = part("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + '.'
        + part(QJsonDocument(claims).toJson(QJsonDocument::Compact)) + '.' + signature;
    return token.toStdString();
}

} // namespace headway::tests
