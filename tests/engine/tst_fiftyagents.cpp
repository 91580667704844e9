// SPDX-License-Identifier: GPL-3.0-or-later
// A fan-out of fifty agents of one session without lanes, caps above fifty: fifty connections,
// opened at the set rate, nobody lost, and everybody goes on where it was.
#include "tests/support/conversation.h"

#include <QTest>

#include <algorithm>

using namespace headway;
using namespace std::chrono_literals;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::ProxyFixture;

class FiftyAgentsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiftyConnectionsArePacedAndNoneIsLost_data();
    void fiftyConnectionsArePacedAndNoneIsLost();
};

namespace {

constexpr int agents = 50;

using Calls = std::vector<std::unique_ptr<HttpCall>>;

std::vector<Conversation> team(ProxyFixture &proxy)
{
    std::vector<Conversation> all;
    for (int i = 0; i < agents; ++i)
        all.emplace_back(proxy, "session", "agent-" + QByteArray::number(i));
    return all;
}

Calls beginAll(std::vector<Conversation> &all, const QString &text)
{
    Calls calls;
    for (Conversation &agent : all)
        calls.push_back(agent.begin(text));
    return calls;
}

bool allComplete(const Calls &calls)
{
    return std::all_of(calls.begin(), calls.end(), [](const auto &call) {
        return call->isComplete() && call->status() == 200;
    });
}

// As Claude Code does: whoever was refused comes back after Retry-After.
void comeBack(const std::vector<Conversation> &all, Calls &calls, std::vector<int> &waits)
{
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!calls[i]->isComplete() || calls[i]->status() != 429)
            continue;
        if (waits[i] == 0)
            waits[i] = std::max(1, calls[i]->header("retry-after").toInt());
        else if (--waits[i] == 0)
            calls[i] = all[i].again();
    }
}

void takeAll(std::vector<Conversation> &all, const Calls &calls)
{
    for (std::size_t i = 0; i < calls.size(); ++i)
        QVERIFY(all[i].take(*calls[i]));
}

} // namespace

void FiftyAgentsTest::fiftyConnectionsArePacedAndNoneIsLost_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::newRow("bucket") << QByteArray("bucket");
    QTest::newRow("auto") << QByteArray("auto");
}

void FiftyAgentsTest::fiftyConnectionsArePacedAndNoneIsLost()
{
    QFETCH(const QByteArray, policy);
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::Policy, policy.toStdString());
    proxy.set(settings::Key::RatePinned, "true");
    proxy.start(); // 60 a minute, ten at once
    std::vector<Conversation> all = team(proxy);
    Calls first = beginAll(all, QStringLiteral("hello"));
    QTRY_VERIFY(proxy.wire().opened().size() >= 10);
    std::vector<int> waits(agents, 0);
    int seconds = 0;
    for (; !allComplete(first) && seconds < 110; ++seconds) {
        // However long the loop takes in truth, no more than one a second and the burst.
        if (policy == "bucket")
            QVERIFY(proxy.wire().opened().size() <= 10 + seconds + 10);
        proxy.passTime(1s);
        comeBack(all, first, waits);
        (void)QTest::qWaitFor([&] { return allComplete(first); }, 20);
    }
    QTRY_VERIFY(allComplete(first));
    takeAll(all, first);
    QCOMPARE(proxy.wire().opened().size(), agents);
    if (policy == "bucket")
        QVERIFY(seconds >= 30); // 40 of them had to wait
    for (int turn = 0; turn < 2; ++turn) {
        const Calls next = beginAll(all, QStringLiteral("more"));
        QTRY_VERIFY(allComplete(next));
        takeAll(all, next);
    }
    QCOMPARE(proxy.wire().opened().size(), agents);
    QVERIFY(proxy.wire().gone().isEmpty());
    QCOMPARE(proxy.wire().sent().size(), 3 * agents);
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{2 * agents});
    QCOMPARE(proxy.provider().statistics().largestOverlap, std::uint64_t{1});
    QVERIFY(proxy.provider().statistics().errors.empty());
}

QTEST_GUILESS_MAIN(FiftyAgentsTest)
#include "tst_fiftyagents.moc"
