// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/outboundproxy.h"

#include <QHostAddress>
#include <QRegularExpression>

#include <array>
#include <cstdlib>

namespace headway::net {

namespace {

struct Setting
{
    QString name;
    QString value;
};

template <std::size_t N>
std::optional<Setting> firstSet(const Environment &environment,
                                const std::array<const char *, N> &names)
{
    for (const char *name : names) {
        const std::optional<std::string> value = environment(name);
        if (!value)
            continue;
        const QString text = QString::fromStdString(*value).trimmed();
        if (!text.isEmpty())
            return Setting{QString::fromLatin1(name), text};
    }
    return std::nullopt;
}

QString withoutBrackets(const QString &host)
{
    return host.startsWith(u'[') && host.endsWith(u']') ? host.mid(1, host.size() - 2) : host;
}

QString plainName(QString host)
{
    host = withoutBrackets(host.toLower());
    if (host.endsWith(u'.'))
        host.chop(1);
    return host;
}

// Takes ":port" from the end of an entry. An IPv6 address has several colons and takes brackets to
// carry a port.
std::optional<int> takePort(QString &entry)
{
    const qsizetype colon = entry.lastIndexOf(u':');
    const bool bracketed = entry.startsWith(u'[') && entry.lastIndexOf(u']') == colon - 1;
    if (colon < 0 || (entry.count(u':') > 1 && !bracketed))
        return std::nullopt;
    bool isNumber = false;
    const int port = QStringView(entry).mid(colon + 1).toInt(&isNumber);
    if (!isNumber)
        return std::nullopt;
    entry.truncate(colon);
    return port;
}

bool entryMatches(QString entry, const QString &host, int port)
{
    if (entry == QLatin1String("*"))
        return true;
    const std::optional<int> onlyPort = takePort(entry);
    if (onlyPort && *onlyPort != port)
        return false;
    if (entry.startsWith(QLatin1String("*.")))
        entry.remove(0, 1);
    const bool subdomainsOnly = entry.startsWith(u'.');
    entry = plainName(entry);
    if (entry.isEmpty() || entry == QLatin1String("."))
        return false;

    const QHostAddress address(host);
    if (!address.isNull()) {
        if (entry.contains(u'/')) {
            const auto net = QHostAddress::parseSubnet(entry);
            return net.second >= 0 && address.isInSubnet(net);
        }
        return address == QHostAddress(entry);
    }
    if (subdomainsOnly)
        return host.endsWith(entry);
    return host == entry || host.endsWith(QString(u'.' + entry));
}

tl::unexpected<QString> malformed(const Setting &setting, const QString &why)
{
    // The value may hold a password: only the name is told.
    return tl::unexpected<QString>(
        QStringLiteral("%1 cannot be used: %2. Write http://HOST:PORT or socks5://HOST:PORT, or "
                       "unset it to connect directly")
            .arg(setting.name, why));
}

tl::expected<OutboundProxy, QString> read(const Setting &setting)
{
    const QString text = setting.value.contains(QLatin1String("://"))
        ? setting.value
        : QString(QLatin1String("http://") + setting.value);
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return malformed(setting, QStringLiteral("it is not a URL"));

    OutboundProxy proxy;
    const QString scheme = url.scheme().toLower();
    if (scheme == QLatin1String("http"))
        proxy.kind = OutboundProxy::Kind::HttpConnect;
    else if (scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h"))
        proxy.kind = OutboundProxy::Kind::Socks5;
    else
        return malformed(setting, QStringLiteral("%1:// proxies are not supported").arg(scheme));
    if (url.host().isEmpty())
        return malformed(setting, QStringLiteral("it names no host"));
    if (url.port() == 0)
        return malformed(setting, QStringLiteral("port 0 cannot be dialled"));
    const QString path = url.path();
    if ((!path.isEmpty() && path != QLatin1String("/")) || url.hasQuery() || url.hasFragment())
        return malformed(setting, QStringLiteral("there is something behind the port"));

    const int port = proxy.kind == OutboundProxy::Kind::Socks5 ? 1080 : 80;
    proxy.host = url.host();
    proxy.port = static_cast<quint16>(url.port(port));
    proxy.user = url.userName(QUrl::FullyDecoded);
    proxy.password = url.password(QUrl::FullyDecoded);
    proxy.variable = setting.name;
    return proxy;
}

} // namespace

Environment processEnvironment()
{
    return [](const char *name) -> std::optional<std::string> {
        const char *value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
}

bool isExempt(const QString &list, const QString &host, int port)
{
    static const QRegularExpression separators(QStringLiteral("[,\\s]+"));
    const QString name = plainName(host);
    const QStringList entries = list.split(separators, Qt::SkipEmptyParts);
    return std::any_of(entries.begin(), entries.end(), [&](const QString &entry) {
        return entryMatches(entry.toLower(), name, port);
    });
}

tl::expected<OutboundProxy, QString> outboundProxy(const QUrl &url, const Environment &environment)
{
    if (url.scheme() != QLatin1String("wss"))
        return OutboundProxy{};
    const auto proxy
        = firstSet(environment, std::array{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"});
    if (!proxy)
        return OutboundProxy{};
    // Malformed is an error even for an exempt host: it would be one for the next endpoint.
    const tl::expected<OutboundProxy, QString> result = read(*proxy);
    const auto exempt = firstSet(environment, std::array{"NO_PROXY", "no_proxy"});
    if (result && exempt && isExempt(exempt->value, url.host(), url.port(443)))
        return OutboundProxy{};
    return result;
}

} // namespace headway::net
