// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/requestfields.h"

#include "proxy/net/upstream/headertext.h"

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

bool isOwnedByRequest(std::string_view name)
{
    constexpr std::array owned{
        std::string_view("host"),
        std::string_view("upgrade"),
        std::string_view("connection"),
        std::string_view("expect"),
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

} // namespace

std::string requestTarget(const QUrl &url)
{
    std::string target = url.path(QUrl::FullyEncoded).toStdString();
    if (target.empty())
        target = "/";
    if (url.hasQuery())
        target += '?' + url.query(QUrl::FullyEncoded).toStdString();
    return target;
}

std::string requestStart(std::string_view method, std::string_view target, const QUrl &url)
{
    std::string text(method);
    text += ' ';
    text += target;
    return text + " HTTP/1.1\r\nHost: " + hostField(url) + "\r\n";
}

tl::expected<std::string, QString> requestFields(const Endpoint &endpoint,
                                                 const RequestHeaders &headers, const QString &what)
{
    std::string fields;
    bool hasAuthorization = false;
    bool hasUserAgent = false;
    for (const auto &[name, value] : headers) {
        const std::string lower = lowered(name);
        if (!isToken(name) || !isFieldValue(value) || isOwnedByRequest(lower))
            return tl::unexpected<QString>(QStringLiteral("header \"%1\" cannot be sent with %2")
                                               .arg(QString::fromStdString(name), what));
        hasAuthorization = hasAuthorization || lower == "authorization";
        hasUserAgent = hasUserAgent || lower == "user-agent";
        fields += name + ": " + value + "\r\n";
    }
    if (!hasAuthorization && !endpoint.key.empty()) {
        if (!isFieldValue(endpoint.key))
            return tl::unexpected<QString>(QStringLiteral("the key of %1 holds a control character")
                                               .arg(QString::fromStdString(endpoint.name)));
        fields += "Authorization: Bearer " + endpoint.key + "\r\n";
    }
    if (!hasUserAgent)
        fields += "User-Agent: headway/" HEADWAY_VERSION "\r\n";
    return fields;
}

} // namespace headway::net
