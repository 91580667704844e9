// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/endpoint.h"

#include "proxy/net/upstream/headertext.h"

#include <QHostAddress>

#include <algorithm>

namespace headway::net {

namespace {

constexpr std::size_t maxUrlBytes = 8192;

tl::unexpected<QString> wrong(const QString &what)
{
    return tl::unexpected<QString>(
        QStringLiteral("upstream URL: %1. Write wss://HOST[:PORT]/PATH, for example "
                       "wss://api.openai.com/v1/responses")
            .arg(what));
}

bool holdsControlOrBlank(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20U || byte == 0x7fU;
    });
}

std::string nameOf(const QString &host)
{
    return host == QLatin1String("api.openai.com") ? "openai" : host.toStdString();
}

} // namespace

bool isLoopbackHost(const QString &host)
{
    QString name = host.toLower();
    if (name.endsWith(u'.'))
        name.chop(1);
    if (name.startsWith(u'[') && name.endsWith(u']'))
        name = name.mid(1, name.size() - 2);
    if (name == QLatin1String("localhost") || name.endsWith(QLatin1String(".localhost")))
        return true;
    return QHostAddress(name).isLoopback();
}

tl::expected<Endpoint, QString> parseEndpoint(std::string_view text)
{
    text = trimmed(text);
    if (text.empty())
        return wrong(QStringLiteral("it is empty"));
    if (text.size() > maxUrlBytes)
        return wrong(QStringLiteral("it is longer than %1 bytes").arg(maxUrlBytes));
    if (holdsControlOrBlank(text))
        return wrong(QStringLiteral("it holds a blank or a control character"));

    QUrl url(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), QUrl::StrictMode);
    if (!url.isValid())
        return wrong(QStringLiteral("it cannot be read (%1)").arg(url.errorString()));
    const QString scheme = url.scheme().toLower();
    if (scheme == QLatin1String("https"))
        url.setScheme(QStringLiteral("wss"));
    else if (scheme == QLatin1String("http"))
        url.setScheme(QStringLiteral("ws"));
    else if (scheme != QLatin1String("wss") && scheme != QLatin1String("ws"))
        return wrong(scheme.isEmpty() ? QStringLiteral("it has no scheme")
                                      : QStringLiteral("scheme %1 is not known").arg(scheme));
    if (url.host().isEmpty())
        return wrong(QStringLiteral("it names no host"));
    if (url.port() == 0)
        return wrong(QStringLiteral("port 0 cannot be dialled"));
    if (!url.userInfo().isEmpty())
        return wrong(QStringLiteral("it holds a user or a password; a key belongs into "
                                    "HEADWAY_UPSTREAM_KEY or the keychain"));
    if (url.hasFragment())
        return wrong(QStringLiteral("it has a fragment (#…)"));
    if (url.scheme() == QLatin1String("ws") && !isLoopbackHost(url.host()))
        return wrong(QStringLiteral("plain %1 is for this machine only, not for %2")
                         .arg(scheme, url.host()));
    if (url.path().isEmpty())
        url.setPath(QStringLiteral("/"));

    Endpoint endpoint;
    endpoint.name = nameOf(url.host());
    endpoint.url = std::move(url);
    return endpoint;
}

} // namespace headway::net
