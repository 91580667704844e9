// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/endpoint.h"

#include <QTest>

using headway::net::isLoopbackHost;
using headway::net::parseEndpoint;

class EndpointTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void neverCarriesAKey();
    void tellsLoopbackByName_data();
    void tellsLoopbackByName();
};

void EndpointTest::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char *text, const char *url, const char *name) {
        QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(url) << QByteArray(name);
    };
    row("wss://api.openai.com/v1/responses", "wss://api.openai.com/v1/responses", "openai");
    row("https://api.openai.com/v1/responses", "wss://api.openai.com/v1/responses", "openai");
    row("HTTPS://API.OpenAI.com/v1/responses", "wss://api.openai.com/v1/responses", "openai");
    row("  wss://api.x.ai/v1/responses\n", "wss://api.x.ai/v1/responses", "api.x.ai");
    row("https://r.openai.azure.com:8443/openai/responses?api-version=2026-01-01",
        "wss://r.openai.azure.com:8443/openai/responses?api-version=2026-01-01",
        "r.openai.azure.com");
    row("wss://10.1.2.3/v1/responses", "wss://10.1.2.3/v1/responses", "10.1.2.3");
    row("ws://127.0.0.1:8080/v1/responses", "ws://127.0.0.1:8080/v1/responses", "127.0.0.1");
    row("http://127.0.0.1:8080/v1/responses", "ws://127.0.0.1:8080/v1/responses", "127.0.0.1");
    row("http://localhost:8080/v1/responses", "ws://localhost:8080/v1/responses", "localhost");
    row("ws://[::1]:8080/v1/responses", "ws://[::1]:8080/v1/responses", "::1");
    row("wss://host.example", "wss://host.example/", "host.example");
    row("wss://host.example:65535/a%20b", "wss://host.example:65535/a%20b", "host.example");
}

void EndpointTest::reads()
{
    QFETCH(const QByteArray, text);
    const auto endpoint = parseEndpoint(text.toStdString());
    QVERIFY2(endpoint.has_value(), endpoint ? "" : qPrintable(endpoint.error()));
    QTEST(endpoint->url.toString(QUrl::FullyEncoded), "url");
    QTEST(QByteArray::fromStdString(endpoint->name), "name");
}

void EndpointTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &text, const char *says) {
        QTest::newRow(name) << text << QString::fromUtf8(says);
    };
    row("empty", "", "empty");
    row("blank", "  \t", "empty");
    row("no scheme", "api.openai.com/v1/responses", "no scheme");
    row("ftp", "ftp://api.openai.com/", "scheme ftp");
    row("file", "file:///etc/passwd", "scheme file");
    row("no host", "wss:///v1/responses", "no host");
    row("only scheme", "wss:", "no host");
    row("plain to the world", "ws://api.openai.com/v1/responses", "this machine only");
    row("http to the world", "http://10.0.0.1/v1/responses", "this machine only");
    row("a name that only begins like loopback", "ws://127.0.0.1.example/", "this machine only");
    row("a name that only ends like localhost", "ws://notlocalhost/", "this machine only");
    row("any address", "ws://0.0.0.0:80/", "this machine only");
    row("port 0", "wss://h.example:0/", "port 0");
    row("port too large", "wss://h.example:65536/", "cannot be read");
    row("port not a number", "wss://h.example:https/", "cannot be read");
    row("user", "wss://me@h.example/", "user or a password");
    row("password", "wss://me:pw@h.example/", "user or a password");
    row("fragment", "wss://h.example/#x", "fragment");
    row("inner blank", "wss://h.example/a b", "blank or a control");
    row("line break", "wss://h.example/a\r\nX: y", "blank or a control");
    row("NUL", QByteArray("wss://h.example/a\0b", 19), "blank or a control");
    row("bad IPv6", "wss://[::1/", "cannot be read");
    row("endless", "wss://h.example/" + QByteArray(9000, 'a'), "longer than");
}

void EndpointTest::refuses()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, says);
    const auto endpoint = parseEndpoint(text.toStdString());
    QVERIFY(!endpoint.has_value());
    QVERIFY2(endpoint.error().contains(says), qPrintable(endpoint.error()));
    QVERIFY2(endpoint.error().contains(QLatin1String("wss://")), qPrintable(endpoint.error()));
    QVERIFY(!endpoint.error().contains(QLatin1String("pw")));
}

void EndpointTest::neverCarriesAKey()
{
    QVERIFY(parseEndpoint("wss://api.openai.com/v1/responses")->key.empty());
}

void EndpointTest::tellsLoopbackByName_data()
{
    QTest::addColumn<bool>("loopback");
    for (const char *host : {"localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1",
                             "127.255.255.254", "::1", "[::1]"})
        QTest::newRow(host) << true;
    for (const char *host : {"", "localhost.example", "128.0.0.1", "126.255.255.255", "::2",
                             "::", "0.0.0.0", "10.0.0.1", "example"})
        QTest::newRow(host) << false;
}

void EndpointTest::tellsLoopbackByName()
{
    QTEST(isLoopbackHost(QString::fromLatin1(QTest::currentDataTag())), "loopback");
}

QTEST_APPLESS_MAIN(EndpointTest)
#include "tst_endpoint.moc"
