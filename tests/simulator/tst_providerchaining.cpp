// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"

#include <QTest>

using namespace headway::simulator;

namespace {

constexpr auto hello = "\"input\":[{\"role\":\"user\",\"content\":\"hello\"}]";
constexpr auto bash
    = "\"tools\":[{\"type\":\"function\",\"name\":\"Bash\",\"parameters\":{\"type\":"
      "\"object\",\"properties\":{\"command\":{\"type\":\"string\"}},\"required\":["
      "\"command\"]}}]";

QByteArray after(const QJsonObject &end)
{
    return "\"previous_response_id\":\"" + at(end, {"response", "id"}).toUtf8() + "\",";
}

QString code(const QJsonObject &end)
{
    return at(end, {"error", "code"});
}

QJsonObject callOf(const QJsonObject &end)
{
    return end.value(QLatin1String("response"))
        .toObject()
        .value(QLatin1String("output"))
        .toArray()
        .at(0)
        .toObject();
}

QByteArray outputFor(const QByteArray &callId)
{
    return "{\"type\":\"function_call_output\",\"call_id\":\"" + callId + "\",\"output\":\"ok\"}";
}

} // namespace

class ProviderChainingTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void continuesFromTheLatestResponse();
    void forgetsAllButTheLatest();
    void knowsNothingOfOtherConnections();
    void findsStoredResponsesFromAnyConnection();
    void failedContinuationEvictsItsParent();
    void everyCallOfTheParentMustBeAnswered();
    void answersAContinuationWithTheOutputs();
    void outputsNeedACall();
    void warmUpGivesAnIdToContinueFrom();
    void cachesTheParentOnTheSameConnectionOnly();
    void changedToolsCacheNothing();
    void queuesCreatesInOrder();
};

void ProviderChainingTest::continuesFromTheLatestResponse()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    QCOMPARE(at(first, {"type"}), QStringLiteral("response.completed"));
    const QJsonObject second = client.ask(create(after(first) + hello));
    QCOMPARE(at(second, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(second, {"response", "previous_response_id"}), at(first, {"response", "id"}));
    QCOMPARE(provider.statistics().turns, 2U);
    QCOMPARE(provider.statistics().continuations, 1U);
}

void ProviderChainingTest::forgetsAllButTheLatest()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    const QJsonObject second = client.ask(create(hello));
    const QJsonObject third = client.ask(create(after(first) + hello));
    QCOMPARE(code(third), QStringLiteral("previous_response_not_found"));
    QCOMPARE(at(third, {"status"}), QStringLiteral("400"));
    QCOMPARE(at(third, {"error", "param"}), QStringLiteral("previous_response_id"));
    // The one that was not asked for is still there.
    QCOMPARE(at(client.ask(create(after(second) + hello)), {"type"}),
             QStringLiteral("response.completed"));
}

void ProviderChainingTest::knowsNothingOfOtherConnections()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient one(provider.webSocketUrl());
    ProviderClient two(provider.webSocketUrl());
    QVERIFY(one.open());
    QVERIFY(two.open());
    const QJsonObject first = one.ask(create(hello));
    QCOMPARE(code(two.ask(create(after(first) + hello))),
             QStringLiteral("previous_response_not_found"));
}

void ProviderChainingTest::findsStoredResponsesFromAnyConnection()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient one(provider.webSocketUrl());
    ProviderClient two(provider.webSocketUrl());
    QVERIFY(one.open());
    QVERIFY(two.open());
    // The public API stores unless told otherwise (protocols.md 1.2).
    QJsonObject stored = create(hello);
    stored.remove(QStringLiteral("store"));
    const QJsonObject first = one.ask(stored);
    const QJsonObject second = two.ask(create(after(first) + hello));
    QCOMPARE(at(second, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(second, {"response", "usage", "input_tokens_details", "cached_tokens"}),
             QStringLiteral("0"));
}

void ProviderChainingTest::failedContinuationEvictsItsParent()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    const QJsonObject bad = client.ask(create(after(first) + "\"nonsense\":1," + hello));
    QCOMPARE(code(bad), QStringLiteral("unknown_parameter"));
    QCOMPARE(code(client.ask(create(after(first) + hello))),
             QStringLiteral("previous_response_not_found"));
}

void ProviderChainingTest::everyCallOfTheParentMustBeAnswered()
{
    Provider provider(quickScenario("\"replies\":[{\"kind\":\"tool\"}]"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(QByteArray(bash) + ',' + hello));
    const QString callId = at(callOf(first), {"call_id"});
    QVERIFY(!callId.isEmpty());
    const QJsonObject second = client.ask(create(after(first) + hello));
    QCOMPARE(at(second, {"error", "message"}),
             QString(QStringLiteral("No tool output found for function call ") + callId + u'.'));
    QCOMPARE(at(second, {"status"}), QStringLiteral("400"));
    QCOMPARE(at(second, {"error", "type"}), QStringLiteral("invalid_request_error"));
    QCOMPARE(at(second, {"error", "param"}), QStringLiteral("input"));
    QVERIFY(second.value(QLatin1String("error")).toObject().value(QLatin1String("code")).isNull());
}

void ProviderChainingTest::answersAContinuationWithTheOutputs()
{
    Provider provider(quickScenario("\"replies\":[{\"kind\":\"tool\"}]"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(QByteArray(bash) + ',' + hello));
    const QByteArray output = outputFor(at(callOf(first), {"call_id"}).toUtf8());
    const QJsonObject second
        = client.ask(create(after(first) + bash + ",\"input\":[" + output
                            + ",{\"role\":\"user\",\"content\":\"and then\"}]"));
    QCOMPARE(at(second, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(callOf(second), {"type"}), QStringLiteral("message"));
}

void ProviderChainingTest::outputsNeedACall()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject end = client.ask(create("\"input\":[" + outputFor("call_unknown") + ']'));
    QCOMPARE(
        at(end, {"error", "message"}),
        QStringLiteral("No tool call found for function call output with call_id call_unknown."));
    QCOMPARE(at(end, {"error", "param"}), QStringLiteral("input"));
}

void ProviderChainingTest::warmUpGivesAnIdToContinueFrom()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject warm = client.ask(create("\"generate\":false,\"input\":[]"));
    QCOMPARE(at(warm, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(client.events().size(), 3); // created, in_progress, completed
    QVERIFY(warm.value(QLatin1String("response"))
                .toObject()
                .value(QLatin1String("output"))
                .toArray()
                .isEmpty());
    const QJsonObject turn = client.ask(create(after(warm) + hello));
    QCOMPARE(at(turn, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(provider.statistics().warmUps, 1U);
}

void ProviderChainingTest::cachesTheParentOnTheSameConnectionOnly()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    QCOMPARE(at(first, {"response", "usage", "input_tokens_details", "cached_tokens"}),
             QStringLiteral("0"));
    const QJsonObject second = client.ask(create(after(first) + hello));
    const int parentTotal = at(first, {"response", "usage", "total_tokens"}).toInt();
    const int reasoning
        = at(first, {"response", "usage", "output_tokens_details", "reasoning_tokens"}).toInt();
    QVERIFY(parentTotal > 0);
    // Reasoning is not replayed as text; the rest of the parent is cached.
    QCOMPARE(at(second, {"response", "usage", "input_tokens_details", "cached_tokens"}).toInt(),
             parentTotal - reasoning);
    QVERIFY(at(second, {"response", "usage", "input_tokens"}).toInt() > parentTotal - reasoning);
}

void ProviderChainingTest::changedToolsCacheNothing()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    const QJsonObject second = client.ask(create(after(first) + bash + ',' + hello));
    QCOMPARE(at(second, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(second, {"response", "usage", "input_tokens_details", "cached_tokens"}),
             QStringLiteral("0"));
}

void ProviderChainingTest::queuesCreatesInOrder()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    client.send(create(hello));
    client.send(create(hello));
    QCOMPARE(at(client.end(), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(client.end(), {"type"}), QStringLiteral("response.completed"));
    // One response at a time: no event of the second before the first one's end.
    QStringList order;
    for (const QJsonObject &event : client.events()) {
        const QString type = at(event, {"type"});
        if (type == QLatin1String("response.created")
            || type == QLatin1String("response.completed"))
            order.append(type.section(u'.', 1));
    }
    QCOMPARE(order,
             QStringList({QStringLiteral("created"), QStringLiteral("completed"),
                          QStringLiteral("created"), QStringLiteral("completed")}));
    QCOMPARE(provider.statistics().largestOverlap, 2U);
    QCOMPARE(provider.statistics().largestInFlight, 1U);
}

QTEST_GUILESS_MAIN(ProviderChainingTest)
#include "tst_providerchaining.moc"
