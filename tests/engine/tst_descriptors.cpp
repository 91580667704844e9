// SPDX-License-Identifier: GPL-3.0-or-later
// spec/heads.md section 2, reason `socket_cap`: idle connections make room where descriptors run
// out.
#include "tests/support/proxyfixture.h"

#include <QTest>

#include <sys/resource.h>

using namespace headway;
using namespace std::chrono_literals;
using tests::messagesBody;
using tests::ProxyFixture;

class DescriptorsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theOldestIdleConnectionMakesRoom();
    void aPinnedOneIsSpared();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {0ms, 0ms};
    return scenario;
}

void finish(ProxyFixture &proxy, const QByteArray &session)
{
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), session);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
}

} // namespace

// (262 − 256) / 2 = 3 connections on either side (spec/safety.md).
void DescriptorsTest::initTestCase()
{
    const ::rlimit few{262, 262};
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &few), 0);
}

void DescriptorsTest::theOldestIdleConnectionMakesRoom()
{
    ProxyFixture proxy(quick());
    proxy.start();
    for (const char *session : {"a", "b", "c", "d"})
        finish(proxy, session);
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{3});
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{4});
    const auto heads = proxy.engine().snapshot()->heads;
    QCOMPARE(heads.size(), std::size_t{3});
    QCOMPARE(heads.front().connection.value(), std::uint64_t{2}); // the first has gone
}

void DescriptorsTest::aPinnedOneIsSpared()
{
    ProxyFixture proxy(quick());
    proxy.start();
    finish(proxy, "a");
    proxy.engine().pinConnection(1, true);
    for (const char *session : {"b", "c", "d"})
        finish(proxy, session);
    QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{3});
    QCOMPARE(proxy.engine().snapshot()->heads.front().connection.value(), std::uint64_t{1});
}

QTEST_GUILESS_MAIN(DescriptorsTest)
#include "tst_descriptors.moc"
