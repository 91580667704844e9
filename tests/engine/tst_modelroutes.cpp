// SPDX-License-Identifier: GPL-3.0-or-later
// Routing by model, context overflow and shaping through the doors.
#include "tests/support/proxyfixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class ModelRoutesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anUnknownModelIsRefusedWithTheList_data();
    void anUnknownModelIsRefusedWithTheList();
    void anAliasIsAnsweredUnderItsOwnName();
    void theListHoldsWhatMayBeUsed();
    void aModelOfTheListCanBeLookedUp();
    void anOverflowHasNumbersWhenTheProviderNamesNone();
    void shapingIsShownAndRecordedPerTurn();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

QJsonObject parse(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

std::unique_ptr<HttpCall> get(const ProxyFixture &proxy, const QByteArray &path)
{
    return std::make_unique<HttpCall>(proxy.port(), "GET", path, HttpCall::Headers{}, QByteArray());
}

} // namespace

void ModelRoutesTest::anUnknownModelIsRefusedWithTheList_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("messages") << QByteArray("/v1/messages") << messagesBody({"hi"});
    QTest::newRow("responses") << QByteArray("/v1/responses")
                               << QByteArray(R"({"model":"test-model","input":"hi"})");
    QTest::newRow("chat")
        << QByteArray("/v1/chat/completions")
        << QByteArray(R"({"model":"test-model","messages":[{"role":"user","content":"hi"}]})");
}

void ModelRoutesTest::anUnknownModelIsRefusedWithTheList()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, body);
    ProxyFixture proxy(quick());
    proxy.models = {"gpt-5.5", "sonnet=gpt-6"};
    proxy.anyModel = false;
    proxy.start();
    const auto call = proxy.post(path, body);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 404);
    QVERIFY(
        parse(call->body())[QStringLiteral("error")][QStringLiteral("message")].toString().contains(
            QStringLiteral("known: gpt-5.5 sonnet")));
    QCOMPARE(proxy.provider().statistics().turns, std::uint64_t{0});
}

void ModelRoutesTest::anAliasIsAnsweredUnderItsOwnName()
{
    ProxyFixture proxy(quick());
    proxy.models = {"test-model=gpt-6"};
    proxy.anyModel = false;
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hi"}, false));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(parse(call->body())[QStringLiteral("model")].toString(), QStringLiteral("test-model"));
}

void ModelRoutesTest::theListHoldsWhatMayBeUsed()
{
    ProxyFixture proxy(quick());
    proxy.models = {"gpt-5.5", "sonnet=gpt-6"};
    proxy.start();
    const auto call = get(proxy, "/v1/models?limit=1000");
    QTRY_VERIFY(call->isComplete());
    const QJsonArray list = parse(call->body())[QStringLiteral("data")].toArray();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[1][QStringLiteral("id")].toString(), QStringLiteral("sonnet"));
}

void ModelRoutesTest::aModelOfTheListCanBeLookedUp()
{
    ProxyFixture proxy(quick());
    proxy.models = {"gpt-5.5", "sonnet=gpt-6"};
    proxy.anyModel = false;
    proxy.start();
    const auto known = get(proxy, "/v1/models/sonnet");
    QTRY_VERIFY(known->isComplete());
    QCOMPARE(known->status(), 200);
    QCOMPARE(parse(known->body())[QStringLiteral("id")].toString(), QStringLiteral("sonnet"));
    const auto unknown = get(proxy, "/v1/models/gpt-4");
    QTRY_VERIFY(unknown->isComplete());
    QCOMPARE(unknown->status(), 404);
}

// B81
void ModelRoutesTest::anOverflowHasNumbersWhenTheProviderNamesNone()
{
    simulator::Scenario scenario = quick();
    simulator::Fault fault;
    fault.kind = simulator::Fault::Kind::ErrorEvent;
    fault.count = 1;
    fault.status = 400;
    fault.code = "context_length_exceeded";
    scenario.faults.push_back(fault);
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 400);
    const QString text
        = parse(call->body())[QStringLiteral("error")][QStringLiteral("message")].toString();
    const QRegularExpression form(
        QStringLiteral("^prompt is too long: (\\d+) tokens > (\\d+) maximum$"));
    const auto match = form.match(text);
    QVERIFY2(match.hasMatch(), qPrintable(text));
    QVERIFY(match.captured(1).toInt() > match.captured(2).toInt());
}

void ModelRoutesTest::shapingIsShownAndRecordedPerTurn()
{
    ProxyFixture proxy(quick());
    (void)proxy.settings.set(settings::Source::File, settings::Key::ToolOutputCap, "1000");
    proxy.start();
    const QByteArray body
        = R"({"model":"m","input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c","name":"Bash","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":")"
        + QByteArray(50'000, 'x') + R"("}]})";
    int recorded = 0;
    bool shown = false;
    const auto look = [&](const live::SnapshotPointer &snapshot) {
        for (const std::string &text : snapshot->notices)
            shown = shown || text.find("tool_output_cap is on") != std::string::npos;
        for (const ledger::Record &record : snapshot->records) {
            const auto *const warning = std::get_if<ledger::Warning>(&record.body);
            recorded += warning != nullptr && warning->key == "turn.shaped" ? 1 : 0;
        }
    };
    connect(&proxy.engine(), &engine::Engine::snapshotReady, this, look);
    proxy.engine().setWatched(true);
    const auto call = proxy.post("/v1/responses", body);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QTRY_COMPARE(recorded, 1);
    QVERIFY(shown);
}

QTEST_GUILESS_MAIN(ModelRoutesTest)
#include "tst_modelroutes.moc"
