// SPDX-License-Identifier: GPL-3.0-or-later
// spec/cli.md, "Upstreams".
#include "proxy/core/settings/upstreams.h"

#include <QTest>

using headway::settings::parseUpstreams;
using headway::settings::Upstreams;

class UpstreamsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsTheServicesByName_data();
    void knowsTheServicesByName();
    void takesOnePlaceForTurns();
};

void UpstreamsTest::knowsTheServicesByName_data()
{
    QTest::addColumn<QByteArray>("setting");
    QTest::addColumn<QByteArray>("turns");
    QTest::addColumn<bool>("plan");
    QTest::addColumn<QByteArray>("anthropic");
    const QByteArray plan = "https://chatgpt.com/backend-api/codex/responses";
    const QByteArray anthropic = "https://api.anthropic.com";
    QTest::newRow("nothing") << QByteArray() << QByteArray() << false << QByteArray();
    QTest::newRow("openai") << QByteArray("openai")
                            << QByteArray("https://api.openai.com/v1/responses") << false
                            << QByteArray();
    QTest::newRow("chatgpt") << QByteArray(" chatgpt ") << plan << true << QByteArray();
    QTest::newRow("a URL") << QByteArray("wss://x.ai/v1/responses")
                           << QByteArray("wss://x.ai/v1/responses") << false << QByteArray();
    QTest::newRow("anthropic alone")
        << QByteArray("anthropic") << QByteArray() << false << anthropic;
    QTest::newRow("both") << QByteArray("anthropic, chatgpt") << plan << true << anthropic;
    QTest::newRow("elsewhere") << QByteArray(
        "chatgpt=http://127.0.0.1:9/r,anthropic=https://gate.example/a")
                               << QByteArray("http://127.0.0.1:9/r") << true
                               << QByteArray("https://gate.example/a");
    QTest::newRow("empty entries")
        << QByteArray(",openai,,") << QByteArray("https://api.openai.com/v1/responses") << false
        << QByteArray();
    QTest::newRow("a name that only begins so")
        << QByteArray("https://chatgpt.example/r") << QByteArray("https://chatgpt.example/r")
        << false << QByteArray();
}

void UpstreamsTest::knowsTheServicesByName()
{
    QFETCH(const QByteArray, setting);
    QFETCH(const QByteArray, turns);
    QFETCH(const bool, plan);
    QFETCH(const QByteArray, anthropic);
    const auto upstreams = parseUpstreams(setting.toStdString());
    QVERIFY(upstreams.has_value());
    QVERIFY(*upstreams == (Upstreams{turns.toStdString(), plan, anthropic.toStdString()}));
}

void UpstreamsTest::takesOnePlaceForTurns()
{
    QVERIFY(!parseUpstreams("openai,chatgpt").has_value());
    QVERIFY(!parseUpstreams("wss://a/r,wss://b/r").has_value());
}

QTEST_APPLESS_MAIN(UpstreamsTest)
#include "tst_upstreams.moc"
