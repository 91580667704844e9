// SPDX-License-Identifier: GPL-3.0-or-later
// What the ledger says of the limits, in traffic (spec/ledger.md, "Records").
#include "proxy/store/ledgerreader.h"
#include "tests/support/proxyfixture.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::messagesBody;
using tests::ProxyFixture;

class LimitRecordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRejectionWidensTheSpacing();
    void anotherPolicyIsAnotherSpacing();
    void theTokenBudgetIsRecordedWhenItHoldsACall();
    void theQuotaIsRecordedOnceHoweverManyTurnsTellIt();
};

namespace {

simulator::Scenario quickTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {5ms, 5ms};
    return scenario;
}

// What stands in the file after the proxy has stopped.
template <typename Body>
std::vector<Body> recorded(const QString &path)
{
    const auto reader = store::LedgerReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().text));
    auto cursor = reader->records({});
    if (!cursor)
        qFatal("%s", qPrintable(cursor.error().text));
    std::vector<Body> found;
    while (cursor->next().value()) {
        const ledger::Record record = cursor->record();
        if (const auto *body = std::get_if<Body>(&record.body))
            found.push_back(*body);
    }
    return found;
}

} // namespace

void LimitRecordsTest::aRejectionWidensTheSpacing()
{
    simulator::Scenario scenario = quickTurns();
    Fault rejected;
    rejected.kind = Fault::Kind::RejectUpgrades;
    rejected.count = 1;
    rejected.status = 429;
    scenario.faults = {rejected};
    ProxyFixture proxy(scenario);
    proxy.set(settings::Key::Policy, "adaptive");
    proxy.set(settings::Key::Retries, "0");
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "one");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(proxy.provider().statistics().upgradesRejected, std::uint64_t{1});
    proxy.passTime(2s);
    proxy.stop();
    const auto changes = recorded<ledger::SpacingChanged>(proxy.ledgerPath());
    QCOMPARE(changes.size(), std::size_t{1});
    QCOMPARE(changes[0].policy, std::string("adaptive"));
    QCOMPARE(changes[0].oldMs, 0.0);
    QCOMPARE(changes[0].newMs, 1'000.0); // spec/pacing.md section 4
}

void LimitRecordsTest::anotherPolicyIsAnotherSpacing()
{
    ProxyFixture proxy(quickTurns());
    proxy.set(settings::Key::Policy, "fixed");
    proxy.start();
    proxy.passTime(5s);
    proxy.engine().changeSetting(QStringLiteral("policy"), QStringLiteral("bucket"));
    proxy.passTime(5s);
    proxy.passTime(5s);
    proxy.stop();
    const auto changes = recorded<ledger::SpacingChanged>(proxy.ledgerPath());
    QCOMPARE(changes.size(), std::size_t{2});
    QCOMPARE(changes[0].policy, std::string("fixed"));
    QCOMPARE(changes[0].newMs, 1'000.0);
    QCOMPARE(changes[1].policy, std::string("bucket"));
    QCOMPARE(changes[1].oldMs, 1'000.0);
    QCOMPARE(changes[1].newMs, 0.0);
    QCOMPARE(recorded<ledger::CeilingChanged>(proxy.ledgerPath()).size(), std::size_t{0});
}

// 60 000 tokens a minute: the floor is a quarter of it, and a turn of some 50 000 leaves less.
void LimitRecordsTest::theTokenBudgetIsRecordedWhenItHoldsACall()
{
    simulator::Scenario scenario = quickTurns();
    scenario.tokensPerMinute = 60'000;
    ProxyFixture proxy(scenario);
    proxy.start();
    QByteArray words;
    while (words.size() < 200'000)
        words += "every good word counts ";
    const auto first = proxy.post("/v1/messages", messagesBody({words}), "one");
    QTRY_VERIFY(first->isComplete());
    const auto second = proxy.post("/v1/messages", messagesBody({"go"}), "two");
    QTRY_COMPARE(proxy.engine().snapshot()->gated, std::uint32_t{1});
    proxy.passTime(2s);
    second->abort();
    QTRY_COMPARE(proxy.engine().snapshot()->gated, std::uint32_t{0});
    proxy.stop();
    const auto told = recorded<ledger::TokenBudget>(proxy.ledgerPath());
    QVERIFY(!told.empty());
    const ledger::TokenBudget last = told.back();
    QCOMPARE(last.family, std::string("tokens"));
    QCOMPARE(last.limit, std::optional<std::uint64_t>(60'000));
    QCOMPARE(last.floor, std::uint64_t{15'000});
    QVERIFY(last.holding);
    QVERIFY(last.left < last.floor);
    QVERIFY(last.resetMs.has_value());
}

void LimitRecordsTest::theQuotaIsRecordedOnceHoweverManyTurnsTellIt()
{
    simulator::Scenario scenario = quickTurns();
    scenario.planEndpoint = true;
    ProxyFixture proxy(scenario);
    proxy.start();
    // What the plan's endpoint takes: no max_output_tokens.
    const QByteArray body = R"({"model":"test-model","stream":true,"store":false,)"
                            R"("input":[{"role":"user","content":"go"}]})";
    for (int turn = 0; turn < 3; ++turn) {
        const auto call = proxy.post("/v1/responses", body);
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 200);
        proxy.passTime(1s);
    }
    proxy.stop();
    const auto told = recorded<ledger::QuotaWindow>(proxy.ledgerPath());
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0].window, std::string("5 h"));
    QCOMPARE(told[0].lengthMs, 18'000'000.0);
    QCOMPARE(told[0].usedPercent, 1.0);
    QVERIFY(told[0].resetsAt);
}

QTEST_GUILESS_MAIN(LimitRecordsTest)
#include "tst_limitrecords.moc"
