// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/outboundproxy.h"

#include <QTest>

#include <map>

using headway::net::Environment;
using headway::net::isExempt;
using headway::net::outboundProxy;
using headway::net::OutboundProxy;

using Variables = std::map<std::string, std::string>;
Q_DECLARE_METATYPE(Variables)
using Kind = OutboundProxy::Kind;
Q_DECLARE_METATYPE(headway::net::OutboundProxy::Kind)

namespace {

Environment environmentOf(const Variables &variables)
{
    return [variables](const char *name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

} // namespace

class OutboundProxyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void chooses_data();
    void chooses();
    void decodesUserAndPassword();
    void refusesWhatItCannotUse_data();
    void refusesWhatItCannotUse();
    void leavesPlainLoopbackAlone();
    void readsNoProxy_data();
    void readsNoProxy();
};

void OutboundProxyTest::chooses_data()
{
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("variable");
    const auto row = [](const char *name, const Variables &variables, Kind kind,
                        const char *address, const char *variable) {
        QTest::newRow(name) << variables << kind << QString::fromUtf8(address)
                            << QString::fromUtf8(variable);
    };
    row("nothing set", {}, Kind::Direct, ":0", "");
    row("HTTPS_PROXY", {{"HTTPS_PROXY", "http://p.example:3128"}}, Kind::HttpConnect,
        "p.example:3128", "HTTPS_PROXY");
    row("lower case", {{"https_proxy", "http://p.example:3128/"}}, Kind::HttpConnect,
        "p.example:3128", "https_proxy");
    row("upper case first", {{"HTTPS_PROXY", "http://a:1"}, {"https_proxy", "http://b:2"}},
        Kind::HttpConnect, "a:1", "HTTPS_PROXY");
    row("blank counts as unset", {{"HTTPS_PROXY", "  "}, {"https_proxy", "http://b:2"}},
        Kind::HttpConnect, "b:2", "https_proxy");
    row("ALL_PROXY", {{"ALL_PROXY", "socks5://s.example"}}, Kind::Socks5, "s.example:1080",
        "ALL_PROXY");
    row("all_proxy", {{"all_proxy", "socks5h://s.example:9050"}}, Kind::Socks5, "s.example:9050",
        "all_proxy");
    row("HTTPS_PROXY before ALL_PROXY",
        {{"ALL_PROXY", "socks5://s.example"}, {"https_proxy", "http://b:2"}}, Kind::HttpConnect,
        "b:2", "https_proxy");
    row("HTTP_PROXY is for http only", {{"HTTP_PROXY", "http://a:1"}}, Kind::Direct, ":0", "");
    row("no scheme is http", {{"HTTPS_PROXY", "p.example:3128"}}, Kind::HttpConnect,
        "p.example:3128", "HTTPS_PROXY");
    row("no port", {{"HTTPS_PROXY", "http://p.example"}}, Kind::HttpConnect, "p.example:80",
        "HTTPS_PROXY");
    row("IPv6", {{"HTTPS_PROXY", "http://[::1]:3128"}}, Kind::HttpConnect, "::1:3128",
        "HTTPS_PROXY");
    row("exempt", {{"HTTPS_PROXY", "http://a:1"}, {"NO_PROXY", "x,api.openai.com"}}, Kind::Direct,
        ":0", "");
    row("exempt, lower case", {{"HTTPS_PROXY", "http://a:1"}, {"no_proxy", "*"}}, Kind::Direct,
        ":0", "");
    row("NO_PROXY hides no_proxy",
        {{"HTTPS_PROXY", "http://a:1"}, {"NO_PROXY", "other"}, {"no_proxy", "*"}},
        Kind::HttpConnect, "a:1", "HTTPS_PROXY");
}

void OutboundProxyTest::chooses()
{
    QFETCH(const Variables, variables);
    const auto proxy = outboundProxy(QUrl(QStringLiteral("wss://api.openai.com/v1/responses")),
                                     environmentOf(variables));
    QVERIFY2(proxy.has_value(), proxy ? "" : qPrintable(proxy.error()));
    QFETCH(const Kind, kind);
    QVERIFY(proxy->kind == kind);
    QTEST(QStringLiteral("%1:%2").arg(proxy->host).arg(proxy->port), "address");
    QTEST(proxy->variable, "variable");
}

void OutboundProxyTest::decodesUserAndPassword()
{
    const auto proxy
        = outboundProxy(QUrl(QStringLiteral("wss://h.example/")),
                        environmentOf({{"HTTPS_PROXY", "http://al%40x:p%3Aw@p.example:1"}}));
    QVERIFY(proxy.has_value());
    QCOMPARE(proxy->user, QStringLiteral("al@x"));
    QCOMPARE(proxy->password, QStringLiteral("p:w"));
}

void OutboundProxyTest::refusesWhatItCannotUse_data()
{
    QTest::addColumn<QByteArray>("value");
    for (const char *value :
         {"https://p.example:3128", "socks4://p.example", "ftp://p.example", "http://",
          "http://:80", "http://p.example:0", "http://p.example:99999", "http://p.example:port",
          "http://p.example/path", "http://p.example:80?x", "http://a b", "://", "socks5://"})
        QTest::newRow(value) << QByteArray(value);
}

void OutboundProxyTest::refusesWhatItCannotUse()
{
    QFETCH(const QByteArray, value);
    for (const char *name : {"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}) {
        // Even where NO_PROXY exempts the host.
        for (const char *exempt : {"", "*"}) {
            const auto proxy
                = outboundProxy(QUrl(QStringLiteral("wss://h.example/")),
                                environmentOf({{name, value.toStdString()}, {"NO_PROXY", exempt}}));
            QVERIFY2(!proxy.has_value(), name);
            QVERIFY2(proxy.error().startsWith(QLatin1String(name)), qPrintable(proxy.error()));
        }
    }
}

void OutboundProxyTest::leavesPlainLoopbackAlone()
{
    const auto proxy = outboundProxy(
        QUrl(QStringLiteral("ws://127.0.0.1:8080/v1/responses")),
        environmentOf({{"HTTPS_PROXY", "http://a:1"}, {"ALL_PROXY", "socks5://b"}}));
    QVERIFY(proxy.has_value());
    QVERIFY(*proxy == OutboundProxy{});
}

void OutboundProxyTest::readsNoProxy_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<bool>("exempt");
    const auto row = [](const char *list, const char *host, int port, bool exempt) {
        QTest::addRow("%s | %s:%d", list, host, port)
            << QString::fromUtf8(list) << QString::fromUtf8(host) << port << exempt;
    };
    row("", "a.example", 443, false);
    row("*", "a.example", 443, true);
    row("x, *", "a.example", 443, true);
    row("a.example", "a.example", 443, true);
    row("A.Example", "a.EXAMPLE", 443, true);
    row("a.example", "b.a.example", 443, true);
    row("a.example", "c.b.a.example", 443, true);
    row("a.example", "ba.example", 443, false);
    row("a.example", "example", 443, false);
    row("a.example", "a.example.org", 443, false);
    row("a.example.", "a.example", 443, true);
    row("a.example", "a.example.", 443, true);
    row(".a.example", "b.a.example", 443, true);
    row(".a.example", "a.example", 443, false);
    row("*.a.example", "b.a.example", 443, true);
    row("*.a.example", "a.example", 443, false);
    row("*.a.example", "ba.example", 443, false);
    row("a.example:443", "a.example", 443, true);
    row("a.example:8443", "a.example", 443, false);
    row("a.example:8443", "b.a.example", 8443, true);
    row("one,two three\tfour", "three", 443, true);
    row(" one , two ", "two", 443, true);
    row(",,", "a.example", 443, false);
    row(".", "a.example", 443, false);
    row("10.0.0.1", "10.0.0.1", 443, true);
    row("10.0.0.1", "10.0.0.10", 443, false);
    row("10.0.0.1:443", "10.0.0.1", 443, true);
    row("10.0.0.1:80", "10.0.0.1", 443, false);
    row("10.0.0.0/8", "10.200.0.1", 443, true);
    row("10.0.0.0/8", "11.0.0.1", 443, false);
    row("10.0.0.0/99", "10.0.0.1", 443, false);
    row("0.0.1", "10.0.0.1", 443, false);
    row("::1", "::1", 443, true);
    row("[::1]", "::1", 443, true);
    row("[::1]:443", "::1", 443, true);
    row("[::1]:80", "::1", 443, false);
    row("fd00::/8", "fd00::5", 443, true);
    row("example", "10.0.0.1", 443, false);
}

void OutboundProxyTest::readsNoProxy()
{
    QFETCH(const QString, list);
    QFETCH(const QString, host);
    QFETCH(const int, port);
    QTEST(isExempt(list, host, port), "exempt");
}

QTEST_APPLESS_MAIN(OutboundProxyTest)
#include "tst_outboundproxy.moc"
