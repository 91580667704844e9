// SPDX-License-Identifier: GPL-3.0-or-later
// What a client is told when nobody answers upstream: a bad gateway, in its own dialect.
#include "tests/support/httpcall.h"
#include "tests/support/program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTest>

using headway::tests::HttpCall;
using headway::tests::Program;

class UnreachableTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isABadGatewayInTheClientsDialect_data();
    void isABadGatewayInTheClientsDialect();
};

void UnreachableTest::isABadGatewayInTheClientsDialect_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("type");
    QTest::newRow("messages")
        << QByteArray("/v1/messages")
        << QByteArray(R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})")
        << QStringLiteral("api_error");
    QTest::newRow("responses") << QByteArray("/v1/responses")
                               << QByteArray(R"({"model":"m","input":"hi","stream":true})")
                               << QStringLiteral("server_error");
}

void UnreachableTest::isABadGatewayInTheClientsDialect()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, body);
    QFETCH(const QString, type);
    QTcpServer gone;
    QVERIFY(gone.listen(QHostAddress(QHostAddress::LocalHost), 0));
    const QString upstream
        = QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(gone.serverPort());
    gone.close();
    Program serve({QStringLiteral("serve"), QStringLiteral("--listen"),
                   QStringLiteral("127.0.0.1:0"), QStringLiteral("--upstream"), upstream,
                   QStringLiteral("--set"), QStringLiteral("retries=0"), QStringLiteral("--set"),
                   QStringLiteral("access_key=key-of-the-test")});
    HttpCall call(serve.port(), "POST", path,
                  {{"content-type", "application/json"}, {"x-headway-key", "key-of-the-test"}},
                  body);
    QTRY_VERIFY_WITH_TIMEOUT(call.isComplete(), 20'000);
    QCOMPARE(call.status(), 502);
    const QJsonObject error
        = QJsonDocument::fromJson(call.body())[QStringLiteral("error")].toObject();
    QCOMPARE(error.value(QStringLiteral("type")).toString(), type);
    QVERIFY2(error.value(QStringLiteral("message"))
                 .toString()
                 .startsWith(QStringLiteral("No connection to the provider: ")),
             call.body().constData());
}

QTEST_GUILESS_MAIN(UnreachableTest)
#include "tst_unreachable.moc"
