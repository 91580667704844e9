// SPDX-License-Identifier: GPL-3.0-or-later
// Large requests (case B58) under the settings that everybody has.
#include "tests/support/conversation.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::answering;
using tests::messagesBody;
using tests::ProxyFixture;

class LargeBodiesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLargeRequestIsATurnLikeAnother_data();
    void aLargeRequestIsATurnLikeAnother();
    void aRequestOverTheCapIsTooLargeInTheClientsTerms();
};

namespace {

// A conversation whose texts together are so large; one text of a provider may have 10 MiB.
QByteArray bodyOf(int megabytes)
{
    const QByteArray text(1'000'000, 'x');
    QList<QByteArray> texts(megabytes, text);
    if (megabytes % 2 == 0) // the user has the last word
        texts.append("and?");
    return messagesBody(texts);
}

} // namespace

void LargeBodiesTest::aLargeRequestIsATurnLikeAnother_data()
{
    QTest::addColumn<int>("megabytes");
    QTest::addColumn<bool>("overPost"); // spec: over about 15 MiB by HTTPS first
    QTest::newRow("3 MB") << 3 << false;
    QTest::newRow("12 MB") << 12 << false;
    QTest::newRow("40 MB") << 40 << true;
}

void LargeBodiesTest::aLargeRequestIsATurnLikeAnother()
{
    QFETCH(const int, megabytes);
    QFETCH(const bool, overPost);
    ProxyFixture proxy(answering());
    proxy.start();
    const auto call = proxy.post("/v1/messages", bodyOf(megabytes), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 60'000);
    QVERIFY2(call->status() == 200, call->body().right(500).constData());
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
    QCOMPARE(proxy.wire().sent().size(), 1);
    QCOMPARE(proxy.wire().last().overPost, overPost);
    QCOMPARE(proxy.wire().last().input().size(), megabytes + (megabytes % 2 == 0 ? 1 : 0));
}

void LargeBodiesTest::aRequestOverTheCapIsTooLargeInTheClientsTerms()
{
    ProxyFixture proxy(answering());
    proxy.start();
    const auto call = proxy.post("/v1/messages", bodyOf(70), "s");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 60'000);
    QCOMPARE(call->status(), 413);
    const QJsonObject error
        = QJsonDocument::fromJson(call->body()).object().value(QStringLiteral("error")).toObject();
    QCOMPARE(error.value(QStringLiteral("type")).toString(), QStringLiteral("request_too_large"));
    QVERIFY(
        error.value(QStringLiteral("message")).toString().contains(QStringLiteral("max_body_mib")));
    QCOMPARE(proxy.wire().sent().size(), 0);
}

QTEST_GUILESS_MAIN(LargeBodiesTest)
#include "tst_largebodies.moc"
