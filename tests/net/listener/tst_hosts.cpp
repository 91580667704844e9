// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/listener/listeningpost.h"
#include "tests/net/listener/rawclient.h"

#include <QTest>

using namespace headway::net;

// spec/safety.md, "Who may come in": Host and Origin. PORT stands for the port that was taken.
class HostsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areChecked_data();
    void areChecked();
    void guardTheUpgrade();
};

void HostsTest::areChecked_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<int>("status");
    const auto row = [](const char *host, const char *origin, int status) {
        QTest::addRow("%s from %s", host, origin)
            << QByteArray(host) << QByteArray(origin) << status;
    };
    for (const char *host : {"127.0.0.1", "127.0.0.1:PORT", "localhost", "LocalHost:PORT", "[::1]",
                             "[::1]:PORT", "proxy.lan", "proxy.lan:8443", "fixed.lan:99"})
        row(host, "", 200);
    for (const char *host :
         {"localhost:1", "127.0.0.1:80", "127.0.0.2", "localhost.evil.example", "evil.example",
          "evil.example:PORT", "fixed.lan", "fixed.lan:98", "sub.proxy.lan", "[::2]", "0.0.0.0"})
        row(host, "", 421);
    for (const char *host : {"localhost:", "localhost:x", "localhost:99999", ":80", "[::1", "a b",
                             "user@localhost", "localhost,evil.example"})
        row(host, "", 400);
    for (const char *origin : {"http://127.0.0.1:PORT", "http://localhost:PORT",
                               "http://[::1]:PORT", "https://proxy.lan", "http://proxy.lan:3000"})
        row("localhost", origin, 200);
    for (const char *origin :
         {"http://localhost", "http://localhost:1", "http://evil.example", "null", "*",
          "https://localhost.evil.example:PORT", "http://evil.example:PORT",
          "http://localhost:PORT@evil.example", "file://", "chrome-extension://abc"})
        row("localhost", origin, 403);
}

void HostsTest::areChecked()
{
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, origin);
    QFETCH(const int, status);
    ListenerSettings settings;
    settings.allowedHosts = {"Proxy.LAN", "fixed.lan:99"};
    ListeningPost server(ListeningPost::echo, settings);
    const QByteArray port = QByteArray::number(server.port);
    host.replace("PORT", port);
    origin.replace("PORT", port);
    RawClient client(server.port);
    client.send("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n"
                + (origin.isEmpty() ? QByteArray() : "Origin: " + origin + "\r\n") + "\r\n");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, status);
    QVERIFY(!client.reply().head.contains("access-control"));
}

void HostsTest::guardTheUpgrade()
{
    ListeningPost server(ListeningPost::echo);
    RawClient client(server.port);
    client.send("GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nOrigin: http://evil.example\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    TRY_REPLY(client);
    QCOMPARE(client.reply().status, 403);
    QVERIFY(server.sockets.empty());
}

QTEST_GUILESS_MAIN(HostsTest)
#include "tst_hosts.moc"
